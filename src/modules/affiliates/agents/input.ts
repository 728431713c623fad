import { z } from 'zod'
import { described, instant, optional, required, text } from '../../../kernel/input/fields.ts'
import { listed } from '../../../kernel/input/lists.ts'

/** Of `affiliate_attribution` of the Agentic Commerce Protocol, the fields that name an affiliate. */
export const agentClaimInput = z.object({
  provider: required(
    described(text(), "Who has issued it. It is used if it is the program's `agentProvider`.", {
      example: 'acme.example',
    }),
  ),
  token: optional(described(text(), "The token of an affiliate's link, or the code of a coupon.", { example: 'ada' })),
  publisherId: optional(
    described(text(), 'The id of the affiliate, or the token of a link. It is tried after `token`.'),
  ),
  touchpoint: optional(
    described(text(), 'Whether the affiliate was seen `first` or `last`. The last one is tried first.'),
  ),
  issuedAt: optional(described(instant(), 'When it was issued. It is not used.')),
  expiresAt: optional(described(instant(), 'Until when it counts.')),
})

const mostClaims = 10

export const agentClaims = () =>
  optional(
    described(
      listed('AffiliateAttributionInput', agentClaimInput, mostClaims),
      "What an agent's checkout says about who sent the customer: `affiliate_attribution` of the Agentic Commerce Protocol, one or several. It is used if the program has an `agentProvider`. What cannot be used is left out.",
    ),
  )

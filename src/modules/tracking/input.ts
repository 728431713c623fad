import { z } from 'zod'
import { described, optional, reference, required, text, token } from '../../kernel/input/fields.ts'
import { recordLeadInput } from '../referrals/input.ts'

/** Long enough for any address that somebody typed; the rest of a longer one is cut off, as no visit may be lost to it. */
const longestUrl = 2_048

const seenUrl = () => text(16_384)

export const trackVisitInput = z.object({
  token: required(described(token(), "The token of the affiliate's link, as `via` carries it.")),
  url: optional(described(seenUrl(), 'The page that was visited.')),
  referrer: optional(described(seenUrl(), 'The page that the visitor came from.')),
  visitor: optional(described(text(), 'A random id that the browser made for itself.')),
})

export const takeOverInput = z.object({
  referralId: required(described(reference(), 'A referral that was made on another domain.')),
})

export const trackLeadInput = recordLeadInput.pick({ referralId: true, email: true, name: true })

/** What is kept of an address: not its query or fragment, which may hold anything, nor who signed in with it. */
export function pageOf(address: string | undefined): string | null {
  if (address === undefined || !URL.canParse(address)) return null
  const { protocol, host, pathname } = new URL(address)
  return /^https?:$/.test(protocol) ? `${protocol}//${host}${pathname}`.slice(0, longestUrl) : null
}

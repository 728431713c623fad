import { z } from 'zod'
import { described, optional, required, text, unchangedIfAbsent } from '../../../kernel/input/fields.ts'
import { references } from '../../../kernel/input/lists.ts'
import { wireOf, withWire } from '../../../kernel/input/wire.ts'

/** More would be no groups any more. */
export const maxGroups = 500
/** Of one call that changes several affiliates. */
export const mostAffiliates = 1_000

/** Files of affiliates have several names in one column, divided by semicolons. */
const groupName = () =>
  withWire(
    text(100).refine((name) => !/[;\p{Cc}]/u.test(name), { error: 'must not contain semicolons or line breaks' }),
    wireOf(text(100)),
  )

const name = described(
  groupName(),
  'What the group is called. Unique in the program, compared without regard to case.',
  {
    example: 'Partners',
  },
)

const affiliateIds = references(mostAffiliates)

export const createAffiliateGroupInput = z.object({
  name: required(name),
  affiliateIds: optional(
    described(affiliateIds, `The affiliates that are in it from now on: at most ${mostAffiliates} at once.`),
  ),
})

export const updateAffiliateGroupInput = z.object({ name: unchangedIfAbsent(name) })

export const groupMembersInput = z.object({
  affiliateIds: required(described(affiliateIds, `1 to ${mostAffiliates} affiliates. All or none are changed.`)),
})

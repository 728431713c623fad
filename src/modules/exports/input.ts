import { z } from 'zod'
import { conditions, currency, described, instant, optional, reference, text } from '../../kernel/input/fields.ts'
import { pageFields } from '../../kernel/pagination/page.ts'
import { listAffiliatesInput } from '../affiliates/input.ts'
import { listCommissionsInput } from '../commissions/input.ts'
import { listPayoutsInput } from '../payouts/input.ts'
import { listReferralsInput } from '../referrals/input.ts'

/** An export has the filters of its list, and no pages. */
const noPages = { page: true, limit: true } as const

const beyondTheList = (noun: string) => ({
  where: optional(
    described(
      conditions(),
      `Only rows of which this holds: the \`${noun}Where\` of GraphQL as JSON, enum values in capitals.`,
      { example: '{"createdAt":{"gte":"2026-01-01T00:00:00Z"}}' },
    ),
  ),
  after: optional(
    described(
      reference(),
      'Only rows after the one with this id: goes on with an export that was broken off, from the last row that came.',
    ),
  ),
})

export const exportAffiliatesInput = listAffiliatesInput.omit(noPages).extend(beyondTheList('Affiliate'))
export const exportReferralsInput = listReferralsInput.omit(noPages).extend(beyondTheList('Referral'))
export const exportCommissionsInput = listCommissionsInput.omit(noPages).extend(beyondTheList('Commission'))
export const exportPayoutsInput = listPayoutsInput
  .omit({ ...noPages, conventionState: true })
  .extend(beyondTheList('Payout'))

export const exportSalesInput = z.object({
  updatedSince: pageFields.updatedSince,
  updatedUntil: pageFields.updatedUntil,
  occurredSince: optional(described(instant(), 'Only sales that occurred at this moment or later.')),
  occurredUntil: optional(described(instant(), 'Only sales that occurred before this moment.')),
  affiliateId: optional(described(reference(), 'Only sales of this affiliate.')),
  campaignId: optional(described(reference(), 'Only sales under the rules of this campaign.')),
  currency: optional(described(currency(), 'Only sales in this currency.')),
  externalId: optional(described(text(), 'Only the sale with this id of the billing system.')),
  email: optional(described(text(), 'Only sales to the customer with this e-mail, whatever the case of its letters.')),
  ...beyondTheList('Sale'),
})

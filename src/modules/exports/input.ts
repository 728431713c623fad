import { z } from 'zod'
import { conditions, currency, described, instant, optional, reference, text } from '../../kernel/input/fields.ts'
import { pageFields } from '../../listing/page-fields.ts'
import { listAffiliatesInput } from '../affiliates/input.ts'
import { listCommissionsInput } from '../commissions/input.ts'
import { listPayoutsInput } from '../payouts/input.ts'
import { listReferralsInput } from '../referrals/input.ts'

/** An export has the filters of its list, but no pages. */
const noPages = { page: true, limit: true } as const

const after = optional(
  described(
    reference(),
    'Only rows after the row with this id. To resume an interrupted export, give the id of the last row that was received.',
  ),
)

const exportFields = (noun: string) => ({
  where: optional(
    described(
      conditions(),
      `Only rows that match these conditions: the GraphQL input \`${noun}Where\` as JSON, with enum values in capitals.`,
      { example: '{"createdAt":{"gte":"2026-01-01T00:00:00Z"}}' },
    ),
  ),
  after,
})

export const exportAffiliatesInput = listAffiliatesInput.omit(noPages).extend({
  currency: optional(described(currency(), "The currency of the amounts. Default: the program's.")),
  ...exportFields('Affiliate'),
})
export const exportReferralsInput = listReferralsInput.omit(noPages).extend(exportFields('Referral'))
export const exportCommissionsInput = listCommissionsInput.omit(noPages).extend(exportFields('Commission'))
export const exportPayoutsInput = listPayoutsInput
  .omit({ ...noPages, conventionState: true })
  .extend(exportFields('Payout'))

export const exportSalesInput = z.object({
  updatedSince: pageFields.updatedSince,
  updatedUntil: pageFields.updatedUntil,
  occurredSince: optional(described(instant(), 'Only sales that occurred at this time or later.')),
  occurredUntil: optional(described(instant(), 'Only sales that occurred before this time.')),
  affiliateId: optional(described(reference(), 'Only sales of this affiliate.')),
  campaignId: optional(described(reference(), 'Only sales of this campaign.')),
  currency: optional(described(currency(), 'Only sales in this currency.')),
  externalId: optional(described(text(), 'Only the sale with this id in the billing system.')),
  email: optional(described(text(), 'Only sales to the customer with this e-mail address (case-insensitive).')),
  ...exportFields('Sale'),
})

const updated = { updatedSince: pageFields.updatedSince, updatedUntil: pageFields.updatedUntil }
const affiliateId = (noun: string) => optional(described(reference(), `Only ${noun} of this affiliate.`))

export const exportCustomersInput = z.object({ ...updated, ...exportFields('Customer') })

export const exportVisitsInput = z.object({
  updatedSince: optional(described(instant(), 'Only visits at this time or later. Visits do not change.')),
  updatedUntil: optional(described(instant(), 'Only visits before this time.')),
  affiliateId: affiliateId('visits'),
  after,
})

export const exportRefundsInput = z.object({
  ...updated,
  affiliateId: affiliateId('refunds'),
  ...exportFields('Refund'),
})

export const exportPaymentsInput = z.object({
  ...updated,
  affiliateId: affiliateId('payments'),
  ...exportFields('PayoutRunItem'),
})

export const exportUnattributedSalesInput = z.object({ ...updated, ...exportFields('UnattributedSale') })

import { z } from 'zod'
import {
  currency,
  described,
  email,
  file,
  flag,
  instant,
  isStorable,
  oneOf,
  optional,
  percent,
  reference,
  required,
  text,
  token,
  url,
  wholeNumber,
} from '../../kernel/input/fields.ts'
import { maxCents } from '../../kernel/money/amounts.ts'

/** The kinds whose records are read from lists, each after those that it names. */
export const listedKinds = [
  'campaign',
  'affiliate',
  'affiliate_link',
  'affiliate_coupon',
  'referral',
  'payout',
  'commission',
] as const
export type ListedKind = (typeof listedKinds)[number]
export const importKinds = [...listedKinds, 'sale'] as const
export type RecordKind = (typeof importKinds)[number]

const source = described(text(2048), 'The address of the other server, by which its import is found again.')
const programId = described(reference(), 'The program that the records go into.')

export const startImportInput = z.object({
  source: required(source),
  programId: optional(
    described(reference(), 'The program to import into; the one that was made for this source, unless given.'),
  ),
  name: optional(described(text(), 'What a program that has to be made is called.')),
  currency: optional(described(currency(), 'Of a program that has to be made.')),
  url: optional(described(url(), 'Of a program that has to be made.')),
  since: optional(described(instant(), 'When the default campaign of the other server was made.')),
  campaignId: optional(
    described(text(), 'The id of a campaign of the other server, so that no program is imported into itself.'),
  ),
  restart: optional(described(flag(), 'Begins anew where an earlier run was broken off.', { default: false })),
})

export const importRecordsInput = z.object({
  programId: optional(described(reference(), 'The program that the records go into; a dry run can do without.')),
  source: required(source),
  kind: required(described(oneOf('ImportKind', importKinds), 'What the records are of.')),
  records: required(
    described(
      file(),
      'A JSON list of at most 200 records, each an object with the fields of src/modules/imports/input.ts.',
    ),
  ),
  nextPage: optional(
    described(wholeNumber(1, 10_000_000), 'The page to go on with; kept with what came of these records.'),
  ),
  waiting: optional(
    described(
      file(),
      'A JSON list of at most 200 records of this kind that have to wait until all others are there; kept with the progress.',
    ),
  ),
  isLast: optional(described(flag(), 'All records of this kind were read.', { default: false })),
  dryRun: optional(described(flag(), 'The same answer, and nothing is written.', { default: false })),
})

export const finishImportInput = z.object({ programId: required(programId), source: required(source) })

const signedCents = () =>
  z.preprocess(
    (value) =>
      (typeof value === 'number' && Number.isSafeInteger(value)) || (typeof value === 'string' && /^-?\d+$/.test(value))
        ? BigInt(value)
        : value,
    z
      .bigint({ error: 'must be a whole number' })
      .min(-maxCents, { error: 'is too small' })
      .max(maxCents, { error: 'is too large' }),
  )
const maybe = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (value === null || value === '' ? undefined : value), schema.optional())
const storable = (most: number) =>
  z
    .string()
    .max(most, { error: 'is too long' })
    .refine(isStorable, { error: 'contains characters that can not be stored' })
const id = () => maybe(storable(255))
const word = () => maybe(storable(64))

const times = { createdAt: optional(instant()), updatedAt: optional(instant()) }
const named = { externalId: required(text()), ...times }

/** What a record of each kind may say. References are ids at the source. */
export const recordInputs = {
  campaign: z.object({
    ...named,
    name: required(text()),
    url: required(url()),
    isDefault: optional(flag()),
    private: optional(flag()),
    rewardType: optional(oneOf('RewardType', ['percent', 'amount'])),
    commissionPercent: optional(percent()),
    commissionAmountCents: maybe(signedCents()),
    commissionCurrency: optional(currency()),
    minimumPayoutCents: maybe(signedCents()),
    daysBeforeReferralsExpire: optional(wholeNumber(0, 36_500)),
    daysBeforeCommissionsAreDue: optional(wholeNumber(0, 36_500)),
    maxCommissions: optional(wholeNumber(1, 1_000_000)),
    maxCommissionPeriodInMonths: optional(wholeNumber(1, 1_200)),
  }),
  affiliate: z.object({
    ...named,
    email: required(email()),
    firstName: optional(text()),
    lastName: optional(text()),
    walletAEmail: optional(email()),
    walletBEmail: optional(email()),
    billingCustomerId: optional(text()),
    state: word(),
    confirmedAt: optional(instant()),
    receiveNewCommissionNotifications: optional(flag()),
    campaignId: id(),
    links: z.array(z.unknown()).optional(),
  }),
  affiliate_link: z.object({ ...named, affiliateId: required(text()), token: required(token()) }),
  affiliate_coupon: z.object({
    ...named,
    affiliateId: required(text()),
    token: required(token()),
    archived: optional(flag()),
  }),
  referral: z.object({
    ...named,
    affiliateId: required(text()),
    campaignId: id(),
    linkId: id(),
    couponId: id(),
    customerEmail: optional(email()),
    customerName: optional(text()),
    billingCustomerId: optional(text()),
    conversionState: word(),
    becameLeadAt: optional(instant()),
    becameConversionAt: optional(instant()),
    expiresAt: optional(instant()),
  }),
  payout: z.object({
    ...named,
    affiliateId: required(text()),
    currency: required(currency()),
    amountCents: signedCents(),
    state: word(),
    paidAt: optional(instant()),
    commissionIds: z.array(storable(255)).optional(),
  }),
  commission: z.object({
    ...named,
    affiliateId: required(text()),
    campaignId: id(),
    currency: required(currency()),
    amountCents: signedCents(),
    state: word(),
    dueAt: optional(instant()),
    paidAt: optional(instant()),
    voidedAt: optional(instant()),
    saleId: id(),
    referralId: id(),
    saleAmountCents: maybe(signedCents()),
    saleRefundedCents: maybe(signedCents()),
    saleCurrency: optional(currency()),
    saleBillingId: optional(text()),
    saleOccurredAt: optional(instant()),
    saleCreatedAt: optional(instant()),
    saleUpdatedAt: optional(instant()),
  }),
} satisfies Record<ListedKind, z.ZodObject>

export type RecordOf<K extends ListedKind> = z.output<(typeof recordInputs)[K]>

/** Fields that a record can do without: what can not be read of them is left away, and told. */
export const dispensable: Partial<Record<ListedKind, readonly string[]>> = {
  affiliate: ['firstName', 'lastName', 'walletAEmail', 'walletBEmail', 'billingCustomerId'],
  referral: ['customerEmail', 'customerName', 'billingCustomerId'],
  commission: ['saleBillingId'],
}

import { z } from 'zod'
import {
  currency,
  described,
  email,
  file,
  flag,
  instant,
  oneOf,
  optional,
  reference,
  required,
  text,
  url,
  wholeNumber,
} from '../../kernel/input/fields.ts'
import { mostAtOnce, references, several } from '../../kernel/input/lists.ts'
import { maxCents } from '../../kernel/money/amounts.ts'
import { isStorable } from '../../kernel/text.ts'
import { affiliates } from '../../resources/affiliates.ts'
import { campaigns } from '../../resources/campaigns.ts'
import { namesWith } from '../../resources/resource.ts'
import { couponCode } from '../affiliates/coupons/code.ts'
import { createAffiliateInput } from '../affiliates/input.ts'
import { importedToken } from '../affiliates/tokens.ts'

/** The kinds that a server lists, in the order of their references. */
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

const source = described(text(2048), 'The address of the API of the other server.')
const programId = described(reference(), 'The program to import into.')

export const endShadowInput = z.object({
  at: optional(
    described(
      instant(),
      'Sales since this time count here, earlier ones as at the other service. By default when the last import began.',
    ),
  ),
})

export const acceptedAs = ['ours', 'theirs', 'setting'] as const

export const acceptShadowDifferencesInput = z.object({
  keys: required(described(several(text(), mostAtOnce), 'The differences: `ShadowDifference.key`.')),
  as: required(described(oneOf('ShadowAcceptedAs', acceptedAs), 'Who is right, or that a setting is to be changed.')),
  note: optional(described(text(500), 'What to remember about it.')),
})

export const reopenShadowDifferencesInput = z.object({ keys: acceptShadowDifferencesInput.shape.keys })

/** What an import is found by. Several programs of one server have one address, so the address is not enough. */
export const importTarget = {
  source: required(source),
  programId: optional(
    described(
      reference(),
      'The program to import into. By default, the program that an earlier import of the same program created, else a new one.',
    ),
  ),
  name: optional(described(text(), 'The name of the program. Required if the import creates it.')),
  isNewProgram: optional(
    described(
      flag(),
      'Imports into a new program with this name, or continues the import that created it. Not with `programId`.',
      { default: false },
    ),
  ),
  keyHash: optional(
    described(
      text(64),
      'A hash of the key for the other server. With `campaignIds` it identifies the program there: an import of another program of the same server is rejected.',
    ),
  ),
  campaignIds: optional(
    described(
      references(200),
      'Ids of up to 200 campaigns of the other server. They also reject the import of a program into itself.',
    ),
  ),
}
export const importTargetInput = z.object(importTarget)

export const startImportInput = z.object({
  ...importTarget,
  currency: optional(described(currency(), 'The currency of the program. Required if the import creates it.')),
  url: optional(described(url(), 'The URL of the program. Required if the import creates it.')),
  since: optional(
    described(
      instant(),
      'When the default campaign of the other server was created. A new program gets this creation time.',
    ),
  ),
  restart: optional(
    described(flag(), 'Starts again from the first page. By default, an interrupted import continues.', {
      default: false,
    }),
  ),
})

export const importRecordsInput = z.object({
  programId: optional(described(reference(), 'The program to import into. Required unless `dryRun` is true.')),
  source: required(source),
  kind: required(described(oneOf('ImportKind', importKinds), 'The kind of the records.')),
  records: required(
    described(
      file(),
      'A JSON list of at most 200 records. `recordInputs` in src/modules/imports/input.ts defines their fields.',
    ),
  ),
  nextPage: optional(
    described(
      wholeNumber(1, 10_000_000),
      'The page to continue from after this batch. It is saved in the same transaction.',
    ),
  ),
  waiting: optional(
    described(
      file(),
      'A JSON list of at most 200 records of this kind to import after all others. They are saved with the progress.',
    ),
  ),
  isLast: optional(described(flag(), 'Whether this is the last batch of this kind.', { default: false })),
  dryRun: optional(described(flag(), 'Returns the same result, but writes nothing.', { default: false })),
  earlier: optional(
    described(
      file(),
      'Only in a dry run, which writes nothing: records of earlier batches that these records depend on, by reference or because both have the same e-mail address or token. A JSON list of `{ kind, records }`, in the order of import.',
    ),
  ),
  recordEvents: optional(
    described(flag(), 'Whether events of the created and updated records are recorded, and sent to webhooks.', {
      default: false,
    }),
  ),
})

export const finishImportInput = z.object({
  programId: required(programId),
  source: required(source),
  recordEvents: optional(
    described(flag(), 'Whether events are recorded of the payouts that imported commissions open.', { default: false }),
  ),
})

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
const storable = (maxLength: number) =>
  z
    .string()
    .max(maxLength, { error: 'is too long' })
    .refine(isStorable, { error: 'contains characters that cannot be stored' })
const id = () => maybe(storable(255))
const word = () => maybe(storable(64))

/** A percentage with any number of decimal places, in basis points. It is rounded half up. */
const roundedPercent = () =>
  z.preprocess(
    (value) => (typeof value === 'string' || typeof value === 'number' ? String(value).trim() : value),
    z
      .string({ error: 'must be a number' })
      .regex(/^\d{1,3}(\.\d{1,30})?$/, { error: 'must be a number from 0 to 100' })
      .transform((text) => {
        const [whole = '', decimals = ''] = text.split('.')
        const isUp = Number(decimals[2] ?? 0) >= 5
        const basisPoints = Number(whole) * 100 + Number(decimals.slice(0, 2).padEnd(2, '0')) + (isUp ? 1 : 0)
        return { text, basisPoints, isRounded: Number(decimals.slice(2)) > 0 }
      })
      .refine(({ basisPoints }) => basisPoints <= 10_000, { error: 'must be a number from 0 to 100' }),
  )

const timestamps = { createdAt: optional(instant()), updatedAt: optional(instant()) }
const named = { externalId: required(text()), ...timestamps }

/** The fields of a record of each kind. References are ids at the source. */
export const recordInputs = {
  campaign: z.object({
    ...named,
    name: optional(text()),
    url: optional(url()),
    isDefault: optional(flag()),
    private: optional(flag()),
    rewardType: optional(oneOf('RewardType', ['percent', 'amount'])),
    commissionPercent: maybe(roundedPercent()),
    commissionAmountCents: maybe(signedCents()),
    commissionCurrency: optional(currency()),
    minimumPayoutCents: maybe(signedCents()),
    daysBeforeReferralsExpire: optional(wholeNumber(0, 36_500)),
    daysBeforeCommissionsAreDue: optional(wholeNumber(0, 36_500)),
    maxCommissions: optional(wholeNumber(0, 1_000_000)),
    maxCommissionPeriodInMonths: optional(wholeNumber(0, 1_200)),
  }),
  affiliate: z.object({
    ...named,
    ...createAffiliateInput.omit({ token: true }).shape,
    state: word(),
    confirmedAt: optional(instant()),
    campaignId: id(),
    links: z.array(z.unknown()).optional(),
  }),
  affiliate_link: z.object({ ...named, affiliateId: required(text()), token: required(importedToken()) }),
  affiliate_coupon: z.object({
    ...named,
    affiliateId: required(text()),
    token: required(couponCode()),
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

/** A record of the source. `shown` has the fields that it shows, also the empty ones. */
export type RecordOf<K extends ListedKind> = z.output<(typeof recordInputs)[K]> & { shown: ReadonlySet<string> }

const times = ['createdAt', 'updatedAt']

/** Fields that are dropped with a note when they are invalid. Other invalid fields leave the record out. */
export const droppableFields: Partial<Record<ListedKind, readonly string[]>> = {
  campaign: ['name', 'url', 'rewardType', ...namesWith(campaigns.fields, 'default'), ...times],
  affiliate: [...namesWith(affiliates.fields, 'default').filter((name) => name !== 'state'), 'confirmedAt', ...times],
  referral: ['customerEmail', 'customerName', 'billingCustomerId', 'linkId', 'couponId', ...times],
  commission: ['saleBillingId', 'referralId', ...times, 'saleCreatedAt', 'saleUpdatedAt'],
}

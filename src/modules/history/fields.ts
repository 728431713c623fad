import type { ChangeSubject, PayoutItemState } from '../../generated/prisma/enums.ts'
import { affiliates } from '../../resources/affiliates.ts'
import { campaigns } from '../../resources/campaigns.ts'
import { payouts } from '../../resources/payouts.ts'
import { namesWith, type Resource } from '../../resources/resource.ts'

/** A value in the column `changes.fields`: 64-bit integers are text, timestamps are text in ISO 8601. */
export type Stored = string | number | boolean | null
export type StoredFields = Record<string, [from: Stored, to: Stored]>

/** How a value is stored. A stored null does not show its type, so every field declares it. */
type Kind = 'plain' | 'bigint' | 'instant' | 'json'

/** These come first in an entry. */
const identifying = ['campaignId', 'affiliateId', 'email']

/** The fields that history records of a resource. Other records explain counters and derived values. */
function recordedOf({ fields }: Resource): Record<string, Kind> {
  const recorded = namesWith(fields, 'recorded')
  const first = identifying.filter((name) => recorded.includes(name))
  const kinds = { cents: 'bigint', time: 'instant', json: 'json' } as const
  const kindOf = (name: string) => kinds[fields[name]?.kind as keyof typeof kinds] ?? 'plain'
  return Object.fromEntries([...first, ...recorded].map((name) => [name, kindOf(name)]))
}

/** An affiliate's history also records its groups, and fields of its links and coupons. They are no columns of it. */
const fieldsBesideAffiliate = {
  groups: 'plain',
  token: 'plain',
  discount: 'plain',
  archivedAt: 'instant',
  mailSubject: 'plain',
  taxIdReason: 'plain',
  selfBillingVersion: 'plain',
  invoiceNumber: 'plain',
} as const

/** How many payments of a run got a result, by its state. They are no columns of the run. */
const resultCounts = {
  preparedCount: 'plain',
  sentCount: 'plain',
  paidCount: 'plain',
  failedCount: 'plain',
  returnedCount: 'plain',
  unclaimedCount: 'plain',
  cancelledCount: 'plain',
} as const satisfies Record<`${PayoutItemState}Count`, Kind>

/** What is recorded of the resources that people manage. Neither a secret nor its hash is among it. */
const managedFields = {
  program: {
    name: 'plain',
    url: 'plain',
    currency: 'plain',
    locale: 'plain',
    timeZone: 'plain',
    linkParameters: 'plain',
    agentProvider: 'plain',
    isShadow: 'plain',
    shadowEndedAt: 'plain',
    difference: 'plain',
    branch: 'plain',
    acceptedAs: 'plain',
    note: 'plain',
    slug: 'plain',
    clockAdvancedByDays: 'plain',
    defaultPayoutMethod: 'plain',
    payoutApprovalAboveCents: 'bigint',
    payoutHoldHours: 'plain',
    payoutFeeBearer: 'plain',
    closesMonthsAfterDays: 'plain',
    readingCurrency: 'plain',
    exchangeRates: 'plain',
    leaderboardShows: 'plain',
    debtorName: 'plain',
    debtorIban: 'plain',
    debtorBic: 'plain',
    hasPayoutFileMark: 'plain',
    payoutFileDecimalMark: 'plain',
    commissionRules: 'plain',
    joinSettings: 'plain',
    payoutSchedule: 'plain',
    taxSettings: 'plain',
    invoiceSettings: 'plain',
    selfBilling: 'plain',
    mailText: 'plain',
    mailKind: 'plain',
    terms: 'plain',
    affiliateField: 'plain',
    asset: 'plain',
  },
  api_key: { name: 'plain', access: 'plain', profile: 'plain', words: 'plain', revokedAt: 'instant' },
  member: { email: 'plain', role: 'plain' },
  invitation: { email: 'plain', role: 'plain' },
  webhook_endpoint: {
    url: 'plain',
    description: 'plain',
    eventTypes: 'plain',
    filter: 'plain',
    format: 'plain',
    disabledAt: 'instant',
    disabledReason: 'plain',
    deliveries: 'plain',
  },
  import: { source: 'plain', finishedAt: 'instant' },
  sale: {
    amountCents: 'bigint',
    items: 'plain',
    billingInterval: 'plain',
    paymentNumber: 'plain',
    affiliateId: 'plain',
    reason: 'plain',
  },
  unattributed_sale: { dismissedAt: 'instant', affiliateId: 'plain' },
  payout_run: {
    method: 'plain',
    currency: 'plain',
    state: 'plain',
    payoutCount: 'plain',
    amountCents: 'bigint',
    reference: 'plain',
    reason: 'plain',
    fetchedAt: 'instant',
    service: 'plain',
    ...resultCounts,
  },
  commission_rule: {
    campaignId: 'plain',
    name: 'plain',
    conditions: 'plain',
    reward: 'plain',
    limits: 'plain',
    cap: 'plain',
    appliesTo: 'plain',
    startsAt: 'instant',
    endsAt: 'instant',
  },
  affiliate_group: { name: 'plain', affiliateCount: 'plain' },
  feed: {
    kind: 'plain',
    name: 'plain',
    mode: 'plain',
    includes: 'plain',
    mapping: 'plain',
    signatureHeader: 'plain',
    signatureEncoding: 'plain',
    signaturePrefix: 'plain',
    signatureAlgorithm: 'plain',
    signatureContent: 'plain',
    bodyFormat: 'plain',
    events: 'plain',
  },
  payout_service: {
    service: 'plain',
    account: 'plain',
    canPay: 'plain',
    pausedAt: 'instant',
    mostPerRunCents: 'bigint',
    mostPerDayCents: 'bigint',
    mostPerPayeeCents: 'bigint',
    use: 'plain',
    usedForPayments: 'plain',
    runId: 'plain',
  },
  // Neither the e-mail nor the name: an erased person leaves no trace here.
  application: { state: 'plain', reason: 'plain', affiliateId: 'plain' },
  mail: { state: 'plain' },
  referral: { endedAt: 'instant', affiliateId: 'plain', reason: 'plain' },
  statement_month: { month: 'plain', count: 'plain', root: 'plain', keyId: 'plain' },
  proposal: { kind: 'plain', state: 'plain', effectText: 'plain', reason: 'plain', decisionReason: 'plain' },
} as const

/** For each subject, the recorded fields and how their values are stored. Customers: only their erasure. */
const kinds: Readonly<Record<ChangeSubject, Readonly<Record<string, Kind>>>> = {
  ...managedFields,
  affiliate: { ...recordedOf(affiliates), ...fieldsBesideAffiliate },
  campaign: recordedOf(campaigns),
  // Why it was undone, or its payment did not arrive. It is no column of the payout.
  payout: { ...recordedOf(payouts), reason: 'plain' },
  customer: {},
}

export const kindsOf = (subject: ChangeSubject): Readonly<Record<string, Kind>> => kinds[subject]

/**
 * The recorded fields that differ between two rows, or parts of rows; null for a missing row.
 * @param named fields to record as well, if any other differs: they identify the link or coupon
 */
export function changedFields(
  subject: ChangeSubject,
  before: object | null,
  after: object | null,
  named: readonly string[] = [],
): StoredFields {
  const fields: StoredFields = {}
  for (const field of Object.keys(kindsOf(subject))) {
    const [from, to] = [storedOf(before, field), storedOf(after, field)]
    if (from !== to) fields[field] = [from, to]
  }
  if (Object.keys(fields).length > 0)
    for (const field of named) fields[field] = [storedOf(before, field), storedOf(after, field)]
  return fields
}

/** Whether an update with these values would change a recorded field of the row. */
export const differs = (subject: ChangeSubject, before: object, given: object): boolean =>
  Object.keys(changedFields(subject, before, { ...before, ...given })).length > 0

function storedOf(row: object | null, field: string): Stored {
  const value: unknown = (row as Record<string, unknown> | null)?.[field] ?? null
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.join(', ')
  if (typeof value !== 'object' || value === null) return value as Stored
  return Object.keys(value).length === 0 ? null : JSON.stringify(value)
}

export function restored(kind: Kind, value: Stored): unknown {
  if (kind === 'json') return value === null ? {} : JSON.parse(String(value))
  if (value === null || kind === 'plain') return value
  return kind === 'bigint' ? BigInt(value) : new Date(String(value))
}

/** A changed field under its name in the API, with its values as text. */
export type ShownChange = { field: string; from: string | null; to: string | null }

/** Changes in the order in which the recorded fields are listed. The database does not keep the order of JSON keys. */
export const shownChanges = (subject: ChangeSubject, fields: StoredFields): ShownChange[] =>
  Object.keys(kindsOf(subject)).flatMap((field) => {
    const values = fields[field]
    if (!values) return []
    if (field === 'ownFields') return ownFieldChanges(values)
    const isPercent = field === 'commissionBasisPoints'
    const [from, to] = values.map((value) => (value === null ? null : String(isPercent ? Number(value) / 100 : value)))
    return [{ field: isPercent ? 'commissionPercent' : field, from: from ?? null, to: to ?? null }]
  })

/** A change of each of the own fields that differ, under its name: `ownFields.audience`. */
function ownFieldChanges(values: readonly Stored[]): ShownChange[] {
  const [before = {}, after = {}] = values.map((value) => restored('json', value) as Record<string, string | number>)
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  const shown = (value: string | number | undefined) => (value === undefined ? null : String(value))
  return names.flatMap((name) =>
    before[name] === after[name]
      ? []
      : [{ field: `ownFields.${name}`, from: shown(before[name]), to: shown(after[name]) }],
  )
}

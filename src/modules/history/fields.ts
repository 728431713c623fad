import type { Affiliate, Campaign, Payout } from '../../generated/prisma/client.ts'
import type { ChangeSubject } from '../../generated/prisma/enums.ts'

/** A value as the column `changes.fields` holds it: 64-bit integers as text, moments in ISO 8601. */
export type Stored = string | number | boolean | null
/** By field, from what to what. */
export type StoredFields = Record<string, [from: Stored, to: Stored]>

/** How a value is stored, which JSON does not tell once it is null: as it is, as a 64-bit integer, as a moment. */
type KindOf<T> = [NonNullable<T>] extends [bigint] ? 'bigint' : [NonNullable<T>] extends [Date] ? 'instant' : 'plain'
type Kind = 'plain' | 'bigint' | 'instant'

/** What is not told: keys, what follows from what is told, and counters, which say what happened elsewhere. */
type Untold =
  | 'programId'
  | 'id'
  | 'emailKey'
  | 'visitors'
  | 'leads'
  | 'conversions'
  | 'signInCount'
  | 'isDefault'
  | 'createdAt'
  | 'updatedAt'
type ToldOf<Row> = { readonly [Field in Exclude<keyof Row, Untold>]: KindOf<Row[Field]> }

/** What is told of each; a new column has to be added here, or to what is not told, for this to compile. */
export const told: { affiliate: ToldOf<Affiliate>; campaign: ToldOf<Campaign>; payout: ToldOf<Payout> } = {
  affiliate: {
    campaignId: 'plain',
    email: 'plain',
    firstName: 'plain',
    lastName: 'plain',
    walletAEmail: 'plain',
    walletBEmail: 'plain',
    state: 'plain',
    billingCustomerId: 'plain',
    confirmedAt: 'instant',
    receiveNewCommissionNotifications: 'plain',
  },
  campaign: {
    name: 'plain',
    url: 'plain',
    private: 'plain',
    rewardType: 'plain',
    commissionBasisPoints: 'plain',
    commissionAmountCents: 'bigint',
    commissionCurrency: 'plain',
    minimumPayoutCents: 'bigint',
    daysBeforeReferralsExpire: 'plain',
    daysBeforeCommissionsAreDue: 'plain',
    maxCommissions: 'plain',
    maxCommissionPeriodInMonths: 'plain',
    selfReferrals: 'plain',
  },
  payout: {
    affiliateId: 'plain',
    currency: 'plain',
    amountCents: 'bigint',
    paidAt: 'instant',
    reference: 'plain',
  },
}

/** Of an affiliate's links and coupon its history tells the token, and nothing of its own row. */
const tokenAlone = { token: 'plain' } as const

/** How the told fields of a subject are stored. */
export const kindsOf = (subject: ChangeSubject): Readonly<Record<string, Kind>> =>
  subject === 'affiliate' ? { ...told.affiliate, ...tokenAlone } : told[subject]

/** What differs between two rows, or parts of rows, of the subject; null stands for a row that is not there. */
export function changedFields(subject: ChangeSubject, before: object | null, after: object | null): StoredFields {
  const fields: StoredFields = {}
  for (const field of Object.keys(kindsOf(subject))) {
    const [from, to] = [storedOf(before, field), storedOf(after, field)]
    if (from !== to) fields[field] = [from, to]
  }
  return fields
}

/** Whether a row would be told as changed if it had these fields. */
export const differs = (subject: ChangeSubject, before: object, given: object): boolean =>
  Object.keys(changedFields(subject, before, { ...before, ...given })).length > 0

function storedOf(row: object | null, field: string): Stored {
  const value: unknown = (row as Record<string, unknown> | null)?.[field] ?? null
  if (typeof value === 'bigint') return String(value)
  return value instanceof Date ? value.toISOString() : (value as Stored)
}

/** The value as a row has it. */
export function restored(kind: Kind, value: Stored): unknown {
  if (value === null || kind === 'plain') return value
  return kind === 'bigint' ? BigInt(value) : new Date(String(value))
}

/** A field under the name the API gives it, its values as text. */
export type ShownChange = { field: string; from: string | null; to: string | null }

/** In the order of what is told: the database keeps none. */
export const shownChanges = (subject: ChangeSubject, fields: StoredFields): ShownChange[] =>
  Object.keys(kindsOf(subject)).flatMap((field) => {
    const values = fields[field]
    if (!values) return []
    const isPercent = field === 'commissionBasisPoints'
    const [from, to] = values.map((value) => (value === null ? null : String(isPercent ? Number(value) / 100 : value)))
    return [{ field: isPercent ? 'commissionPercent' : field, from: from ?? null, to: to ?? null }]
  })

import type { Affiliate, Prisma } from '../../generated/prisma/client.ts'
import type { ActorKind } from '../../generated/prisma/enums.ts'
import type { Stored, StoredFields } from '../history/fields.ts'
import type { AddressFieldName } from '../payout-methods/address.ts'
import { addressedMethods } from '../payout-methods/addresses.ts'
import { payoutFields } from './input.ts'

/** How long the link in the mail rejects a change, and how old an address must be to be restored by one. */
export const rejectableMs = 7 * 24 * 3_600_000

export type PayoutAddress = Pick<Affiliate, (typeof payoutFields)[number]>

/** An entry of the affiliate's history that changed the payout address. */
export type AddressChange = { id: string; at: Date; actorKind: ActorKind; action: string; fields: StoredFields }

/** Fields that are entered, trusted and restored together. */
const parts: readonly (readonly (keyof PayoutAddress)[])[] = [
  ['preferredPayoutMethod'],
  ...addressedMethods.map(({ fields }) => Object.keys(fields) as AddressFieldName[]),
]
/** What is no destination by itself is never wrong for good. */
const canBeRejected = (names: readonly string[]) => names[0] !== 'preferredPayoutMethod'

const isRejection = ({ action }: AddressChange) => action === 'payout_change_rejected'
const isOfAffiliate = (change: AddressChange) => change.actorKind === 'affiliate' && !isRejection(change)

/** The newest change by the affiliate. The links of earlier ones have ended. */
export const lastChangeOfAffiliate = (changes: readonly AddressChange[]): AddressChange | undefined =>
  changes.find(isOfAffiliate)

/**
 * The address that a rejection restores: for each part the newest value that the program has entered, that a rejection
 * has restored, or that stood for more than seven days and was never rejected; else what the affiliate had at first.
 * @param changes from the newest to the oldest
 */
export function trustedAddress(current: PayoutAddress, changes: readonly AddressChange[], now: Date): PayoutAddress {
  const values = parts.map((names) => Object.entries(trustedPart(names, current, changes, now)))
  return Object.fromEntries(values.flat()) as PayoutAddress
}

type Part = Record<string, Stored>

function trustedPart(
  names: readonly (keyof PayoutAddress)[],
  current: PayoutAddress,
  changes: readonly AddressChange[],
  now: Date,
): Part {
  const own = changes.filter(({ fields }) => names.some((name) => name in fields))
  const values = valuesOf(names, current, own)
  const rejected = new Set(own.flatMap((change, index) => (isRejection(change) ? [keyOf(values[index + 1])] : [])))
  const isRejected = (value: Part | undefined) => canBeRejected(names) && rejected.has(keyOf(value))
  const newest = own.findIndex((change, index) => {
    if (!isOfAffiliate(change)) return true
    const endedAt = own[index - 1]?.at ?? now
    return endedAt.getTime() - change.at.getTime() > rejectableMs && !isRejected(values[index])
  })
  const first = values.at(-1) as Part
  if (newest !== -1) return values[newest] as Part
  return isRejected(first) ? Object.fromEntries(names.map((name) => [name, null])) : first
}

/** The value after each change, from the newest on, and at the end the one before all. */
function valuesOf(names: readonly (keyof PayoutAddress)[], current: PayoutAddress, changes: readonly AddressChange[]) {
  const values: Part[] = [Object.fromEntries(names.map((name) => [name, current[name]]))]
  for (const { fields } of changes) {
    const after = values.at(-1) as Part
    values.push(Object.fromEntries(names.map((name) => [name, fields[name] ? fields[name][0] : (after[name] ?? null)])))
  }
  return values
}

const keyOf = (value: Part | undefined) => JSON.stringify(value ?? null).toLowerCase()

/** The changes of an affiliate's payout address, from the newest to the oldest. */
export async function addressChanges(
  tx: Prisma.TransactionClient,
  programId: string,
  affiliateId: string,
): Promise<AddressChange[]> {
  return tx.$queryRaw<AddressChange[]>`
    select id::text as id, at, actor_kind::text as "actorKind", action, fields from changes
    where program_id = ${programId}::uuid and subject = 'affiliate' and subject_id = ${affiliateId}::uuid
      and jsonb_exists_any(fields, ${[...payoutFields]}::text[])
    order by id desc`
}

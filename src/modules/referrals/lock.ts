import { statement } from '../../database/client/sql.ts'
import { columnsOf } from '../../database/client/write.ts'
import type { Customer } from '../../generated/prisma/client.ts'
import type { SqlTransaction, Statement } from '../../kernel/db.ts'

export type Locks = {
  programId: string
  externalId?: string | null | undefined
  /** The id of a customer, or the row to insert for a new e-mail. */
  customer?: string | Customer | null
  referralId?: string | null | undefined
}

/**
 * Locks an external id, a customer and a referral until the transaction ends, always in this order, so that
 * transactions do not deadlock. Without a customer, that of the referral is locked: sales through different referrals
 * of one customer count each other. Foreign keys may still reference the rows.
 *
 * Read what the locks protect afterwards: a statement sees only what was committed when it began.
 */
export async function lockInOrder(
  tx: SqlTransaction,
  { programId, externalId = null, customer = null, referralId = null }: Locks,
): Promise<void> {
  const kinds: Kind[] = [
    ...(externalId === null ? [] : (['externalId'] as const)),
    ...(customer === null ? [] : typeof customer === 'string' ? (['customer'] as const) : (['newCustomer'] as const)),
    ...(referralId === null ? [] : customer === null ? (['customerOf', 'referral'] as const) : (['referral'] as const)),
  ]
  if (kinds.length === 0) return
  const given = {
    external_id: `${programId} ${externalId}`,
    program_id: programId,
    customer_id: customer,
    customer: typeof customer === 'object' && customer && columnsOf(customer),
    referral_id: referralId,
  }
  await tx.defer(statementOf(kinds), [JSON.stringify(given)])
}

/** A decision about a sale. No attribution: the sale is recorded already. */
type Decided = { attribution: { referral: { id: string } | null } | null }

/** Takes the locks, then runs `decide`. If that selects a referral without a lock, it runs again with it. */
export async function decideLocked<T extends Decided>(
  tx: SqlTransaction,
  locks: Locks,
  decide: () => Promise<T>,
): Promise<T> {
  await lockInOrder(tx, locks)
  const locked = new Set([locks.referralId])
  for (;;) {
    const decided = await decide()
    const referralId = decided.attribution?.referral?.id
    if (referralId === undefined || locked.has(referralId)) return decided
    await lockInOrder(tx, { programId: locks.programId, referralId })
    locked.add(referralId)
  }
}

type Kind = 'externalId' | 'customer' | 'newCustomer' | 'customerOf' | 'referral'

/** Each takes its lock after the one before it: `after` is a condition that waits for that. */
const lockOf: Record<Kind, (after: string) => string> = {
  externalId: () => `select pg_advisory_xact_lock(hashtextextended($1::jsonb ->> 'external_id', 0))`,
  customer: (after) => `select id from customers where program_id = ($1::jsonb ->> 'program_id')::uuid
    and id = ($1::jsonb ->> 'customer_id')::uuid and ${after} for no key update`,
  // If several transactions insert one customer, the others wait for the first, and then lock its row.
  newCustomer: (after) => `insert into customers as known
    select * from jsonb_populate_record(null::customers, $1::jsonb -> 'customer') where ${after}
    on conflict (program_id, email_key) do update set name = known.name returning id`,
  customerOf: (after) => `select id from customers where program_id = ($1::jsonb ->> 'program_id')::uuid
    and id = (select customer_id from referrals where program_id = ($1::jsonb ->> 'program_id')::uuid
      and id = ($1::jsonb ->> 'referral_id')::uuid) and ${after} for no key update`,
  referral: (after) => `select id from referrals where program_id = ($1::jsonb ->> 'program_id')::uuid
    and id = ($1::jsonb ->> 'referral_id')::uuid and ${after} for no key update`,
}

const statements = new Map<string, Statement<unknown>>()

function statementOf(kinds: readonly Kind[]): Statement<unknown> {
  const locks = kinds.map((kind, index) => {
    const after = index === 0 ? 'true' : `(select count(*) from lock_${index - 1}) >= 0`
    return `lock_${index} as materialized (${lockOf[kind](after)})`
  })
  const text = `with ${locks.join(', ')} select count(*) from lock_${kinds.length - 1}`
  const known = statements.get(text) ?? statement(text)
  statements.set(text, known)
  return known
}

/** Locks the external ids of several sales, as `lockInOrder` locks one. Take these locks first. */
export async function lockExternalIds(
  tx: SqlTransaction,
  programId: string,
  externalIds: readonly string[],
): Promise<void> {
  if (externalIds.length === 0) return
  const keys = externalIds.map((externalId) => `${programId} ${externalId}`)
  await tx.defer(externalIdsLock, [JSON.stringify(keys)])
}

/** In one order, so that two imports cannot deadlock. */
const externalIdsLock = statement(`
  select count(*) from (
    select pg_advisory_xact_lock(hashtextextended(key, 0))
    from (select distinct key from jsonb_array_elements_text($1::jsonb) as given (key) order by key) keys offset 0
  ) locked`)

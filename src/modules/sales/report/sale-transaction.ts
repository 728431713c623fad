import { statement } from '../../../database/client/sql.ts'
import type { Sql, SqlTransaction } from '../../../kernel/db.ts'
import { type Locks, lockInOrder } from '../../referrals/lock.ts'
import type { Attribution } from './attribute.ts'
import type { KnownSale } from './facts.ts'

/** A decision about a sale. No attribution: the sale is recorded already. */
type Decided = { attribution: Pick<Attribution, 'referral'> | null }

/**
 * Takes the locks of a sale, and runs `decide`, which reads the facts and decides. If it then selects a referral that
 * is not locked, it runs again with that lock.
 */
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

const saleByExternalId = statement<{ id: string; amountCents: string; currency: string }>(
  `select id, amount_cents::text as "amountCents", currency from sales where program_id = $1::uuid and external_id = $2::text`,
)

/** The sale that was recorded with this external id, or null. */
export async function findKnownSale(sql: Sql, programId: string, externalId: string): Promise<KnownSale | null> {
  const [sale] = await sql.query(saleByExternalId, [programId, externalId])
  return sale ? { ...sale, amountCents: BigInt(sale.amountCents) } : null
}

import type { ProgramCtx } from '../../../kernel/context.ts'
import type { SqlTransaction } from '../../../kernel/db.ts'
import { type Connections, readStoredSales, type StoredSale } from './stored.ts'

/** The customer of a sale. A sale without one is of the customer of its referral, else of its referral alone. */
export const customerKeyOf = ({
  customerId,
  referralId,
  referral,
}: Pick<StoredSale, 'customerId' | 'referralId' | 'referral'>): string =>
  customerId ?? referral.customerId ?? referralId

/**
 * Reads sales with all other sales of their customers and of their referrals, so that what counts of a customer is
 * complete.
 */
export async function readSales(
  { program }: Pick<ProgramCtx, 'program'>,
  tx: SqlTransaction,
  { affiliates, ...first }: Connections,
): Promise<StoredSale[]> {
  const sales = new Map<string, StoredSale>()
  const known = { customers: new Set<string>(), referrals: new Set<string>() }
  const read = async (connections: Connections): Promise<void> => {
    const found = await readStoredSales(tx, program.id, connections)
    for (const sale of found) sales.set(sale.id, sale)
    const customerIds = unknown(
      known.customers,
      found.flatMap(({ customerId, referral }) => customerId ?? referral.customerId ?? []),
    )
    const referralIds = unknown(
      known.referrals,
      found.map(({ referralId }) => referralId),
    )
    if (customerIds.length > 0 || referralIds.length > 0) await read({ customerIds, referralIds, affiliates: [] })
  }
  const customerIds = unknown(known.customers, first.customerIds)
  await read({ customerIds, referralIds: unknown(known.referrals, first.referralIds), affiliates })
  return [...sales.values()]
}

function unknown(known: Set<string>, ids: readonly string[]): string[] {
  const added = [...new Set(ids)].filter((id) => !known.has(id))
  for (const id of added) known.add(id)
  return added
}

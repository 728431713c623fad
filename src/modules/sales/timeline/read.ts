import type { Prisma } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'

/** A stored sale with everything that decides what it earns, and what it has earned. */
export type StoredSale = Prisma.SaleGetPayload<{ include: typeof included }>

const oldestFirst = { orderBy: { id: 'asc' } } as const
const included = {
  refunds: oldestFirst,
  commissions: { ...oldestFirst, include: { events: oldestFirst, refund: { select: { reversedAt: true } } } },
  corrections: oldestFirst,
  referral: { select: { customerId: true } },
} as const

/** The sales of an affiliate in a campaign from a time on. */
export type SalesOfAffiliate = { affiliateId: string; campaignId: string; from: Date | null }

/** Where sales are connected with others. */
type Connections = { customerIds: string[]; referralIds: string[]; affiliates: SalesOfAffiliate[] }

/** The customer of a sale. A sale without one is of the customer of its referral, else of its referral alone. */
export const customerKeyOf = ({
  customerId,
  referralId,
  referral,
}: Pick<StoredSale, 'customerId' | 'referralId'> & { referral: { customerId: string | null } }): string =>
  customerId ?? referral.customerId ?? referralId

/**
 * Reads sales with all other sales of their customers and of their referrals, so that what counts of a customer is
 * complete.
 */
export async function readSales(
  { program }: Pick<ProgramCtx, 'program'>,
  tx: Prisma.TransactionClient,
  { customerIds, referralIds, affiliates }: Connections,
): Promise<StoredSale[]> {
  const sales = new Map<string, StoredSale>()
  const known = { customers: new Set<string>(), referrals: new Set<string>() }
  let open: Prisma.SaleWhereInput[] = [
    ...affiliates.map(({ affiliateId, campaignId, from }) => ({
      affiliateId,
      campaignId,
      ...(from && { occurredAt: { gte: from } }),
    })),
    ...ofCustomers(known, customerIds, referralIds),
  ]
  while (open.length > 0) {
    const found = await tx.sale.findMany({ where: { programId: program.id, OR: open }, include: included })
    for (const sale of found) sales.set(sale.id, sale)
    const customers = found.flatMap(({ customerId, referral }) => customerId ?? referral.customerId ?? [])
    open = ofCustomers(
      known,
      customers,
      found.map(({ referralId }) => referralId),
    )
  }
  return [...sales.values()]
}

/** The conditions for what was not read before. */
function ofCustomers(
  known: { customers: Set<string>; referrals: Set<string> },
  customerIds: readonly string[],
  referralIds: readonly string[],
): Prisma.SaleWhereInput[] {
  const customers = unknown(known.customers, customerIds)
  const referrals = unknown(known.referrals, referralIds)
  return [
    ...(customers.length > 0
      ? [{ customerId: { in: customers } }, { customerId: null, referral: { customerId: { in: customers } } }]
      : []),
    ...(referrals.length > 0 ? [{ referralId: { in: referrals } }] : []),
  ]
}

function unknown(known: Set<string>, ids: readonly string[]): string[] {
  const added = [...new Set(ids)].filter((id) => !known.has(id))
  for (const id of added) known.add(id)
  return added
}

import type { Commission, Refund, Sale, UnattributedSale } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { groupBy } from '../../../kernel/group-by.ts'
import type { Plan } from './fold.ts'
import { readSignals, type Signals } from './signals.ts'

export type RecordedSale = Sale & { refunds: Refund[]; commissions: Commission[] }

/** What was recorded before about the customers of plans. */
export type RecordedFacts = {
  /** The first sale that has one of these external ids, or that one of them is another id of. */
  saleOf(ids: readonly string[]): RecordedSale | null
  /** Whether an id is noted as another id of a sale. */
  isAlias(id: string): boolean
  /** The external ids of refunds that cannot be used again. */
  takenRefunds: ReadonlySet<string | null>
  /** What is kept of a payment because no affiliate brought it. */
  keptOf(ids: readonly string[]): UnattributedSale[]
  /** The referral through which a customer of the billing system became known. Undefined if it was taken back. */
  referralOf(customer: string): string | undefined
  /** What the values are that connect buyers with affiliates. */
  signals: Signals
}

/** The ids of all refunds, charges and payments that the events of a plan name. */
export const namedIds = ({ sales, strays }: Plan): Set<string> =>
  new Set(
    [...sales.flatMap(({ returnEvents }) => returnEvents), ...strays]
      .flatMap(({ fact }) => ('id' in fact ? [fact.id] : []))
      .concat(sales.flatMap(({ ids }) => ids)),
  )

/** Reads what is recorded about many customers in a few statements. */
export async function readRecordedFacts(ctx: ProgramCtx, plans: readonly Plan[]): Promise<RecordedFacts> {
  const { db, program } = ctx
  const programId = program.id
  const ids = [...new Set(plans.flatMap(({ sales, strays }) => [...sales, ...strays].flatMap((one) => one.ids)))]
  const named = [...new Set(plans.flatMap((plan) => [...namedIds(plan)]))]
  const customers = [...new Set(plans.flatMap(({ sales }) => sales.flatMap(({ who }) => who.customer ?? [])))]
  const [sales, aliases, kept, refunds, referrals, signals] = await Promise.all([
    ids.length === 0
      ? []
      : db.sale.findMany({
          where: { programId, externalId: { in: ids } },
          include: { refunds: true, commissions: true },
          orderBy: { id: 'asc' },
        }),
    ids.length === 0 ? [] : db.saleAlias.findMany({ where: { programId, externalId: { in: ids } } }),
    ids.length === 0
      ? []
      : db.unattributedSale.findMany({ where: { programId, externalId: { in: ids } }, orderBy: { id: 'asc' } }),
    named.length === 0
      ? []
      : db.refund.findMany({ where: { programId, externalId: { in: named } }, select: { externalId: true } }),
    customers.length === 0
      ? []
      : db.referral.findMany({
          where: { programId, billingCustomerId: { in: customers } },
          orderBy: { id: 'asc' },
          select: { id: true, billingCustomerId: true, endedAt: true, createdAt: true },
        }),
    readSignals(ctx, plans),
  ])
  const known = new Map(sales.map((sale) => [sale.id, sale]))
  const others = aliases.filter(({ saleId }) => !known.has(saleId)).map(({ saleId }) => saleId)
  const include = { refunds: true, commissions: true } as const
  const ofAliases =
    others.length === 0 ? [] : await db.sale.findMany({ where: { programId, id: { in: others } }, include })
  for (const sale of ofAliases) known.set(sale.id, sale)
  const byId = new Map(sales.map((sale) => [sale.externalId, sale]))
  for (const { externalId, saleId } of aliases) {
    const sale = known.get(saleId)
    if (sale && !byId.has(externalId)) byId.set(externalId, sale)
  }
  const noted = new Set(aliases.map(({ externalId }) => externalId))
  // One that ends with its beginning: a person gave a sale to the wrong affiliate.
  const inForce = referrals.filter(({ endedAt, createdAt }) => endedAt === null || endedAt > createdAt)
  const byCustomer = groupBy(inForce, ({ billingCustomerId }) => billingCustomerId as string)
  const ofSales = [...known.values()].flatMap((sale) => sale.refunds)
  return {
    saleOf: (wanted) => {
      const found = wanted.flatMap((id) => byId.get(id) ?? [])
      return found.sort((a, b) => a.id.localeCompare(b.id))[0] ?? null
    },
    isAlias: (id) => noted.has(id),
    keptOf: (wanted) => kept.filter(({ externalId }) => externalId !== null && wanted.includes(externalId)),
    takenRefunds: new Set([...refunds, ...ofSales].map(({ externalId }) => externalId)),
    referralOf: (customer) => byCustomer.get(customer)?.[0]?.id,
    signals,
  }
}

import { sqlWithin, statement } from '../../database/client/sql.ts'
import { insertRows } from '../../database/client/write.ts'
import type { Affiliate, Prisma, StatementMonth } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { groupBy } from '../../kernel/group-by.ts'
import { mintId } from '../../kernel/ids.ts'
import type { StoredRule } from '../rules/rule.ts'
import { type Versions, versionKey } from './calculation.ts'
import { type Before, makeStatement } from './document.ts'
import { type BookedMonth, linesOf } from './lines.ts'
import {
  type FruitlessSale,
  type LedgerCommission,
  readFruitlessSales,
  readLedger,
  readOpenings,
} from './read-ledger.ts'

/** How many affiliates a transaction writes. On the embedded database, everybody waits for it. */
const batchSize = { inThread: 20, elsewhere: 250 }

const next = statement<{ id: string }>(`
  select id::text from affiliates where program_id = $1::uuid and ($2::uuid is null or id > $2::uuid) order by id limit $3::int`)

const befores = statement<{
  affiliateId: string
  currency: string
  number: number
  hash: string
  closingCents: string | bigint
}>(`
  select distinct on (affiliate_id, currency) affiliate_id::text as "affiliateId", currency, number, hash, closing_cents as "closingCents"
  from statements where program_id = $1::uuid and affiliate_id = any ($2::uuid[]) order by affiliate_id, currency, number desc`)

/** Writes the statements of the next affiliates of a month, whose row is locked. @returns whether there are more */
export async function writeStatements(
  ctx: ProgramCtx,
  tx: Prisma.TransactionClient,
  month: StatementMonth,
): Promise<boolean> {
  const sql = sqlWithin(tx)
  const { programId, id: monthId } = month
  const size = ctx.db.sql.isInThread ? batchSize.inThread : batchSize.elsewhere
  const ids = (await sql.query(next, [programId, month.writtenTo, size])).map(({ id }) => id)
  const last = ids.at(-1)
  if (last === undefined) return false
  const [affiliates, before, commissions, sales, openings] = [
    await tx.affiliate.findMany({ where: { programId, id: { in: ids } } }),
    await sql.query(befores, [programId, ids]),
    await readLedger(sql, programId, ids, month),
    await readFruitlessSales(sql, programId, ids, month),
    // Later, what was not listed yet is in the statements before.
    month.number === 1 ? await readOpenings(sql, programId, ids, month.fromAt) : [],
  ]
  const versions = await readVersions(tx, programId, commissions, sales)
  const of = {
    commissions: byOwner(commissions),
    sales: groupBy(sales, ({ affiliateId }) => affiliateId),
    before: groupBy(before, ({ affiliateId }) => affiliateId),
    openings: groupBy(openings, ({ affiliateId }) => affiliateId),
  }
  const span = { from: month.fromAt.getTime(), until: month.untilAt.getTime() }
  const now = ctx.now()
  const rows = affiliates
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .flatMap((affiliate) => {
      const { id: affiliateId } = affiliate
      const source = { affiliateId, span, timeZone: month.timeZone, versions }
      const booked = linesOf({
        ...source,
        commissions: of.commissions.get(affiliateId) ?? [],
        sales: of.sales.get(affiliateId) ?? [],
      })
      const opened = new Map(
        (of.openings.get(affiliateId) ?? []).map(({ currency, cents }) => [currency, BigInt(cents)]),
      )
      const last = new Map(
        (of.before.get(affiliateId) ?? []).map(({ currency, closingCents, ...one }) => {
          return [currency, { ...one, closingCents: BigInt(closingCents) }]
        }),
      )
      return statementsOf(booked, last, opened).map(({ month: one, before: previous, openingCents }) => {
        const id = mintId(now)
        const made = makeStatement(id, ctx.program, affiliate as Affiliate, month, one, previous, openingCents)
        const { currency } = one
        return { programId, id, monthId, affiliateId, currency, month: month.month, ...made, createdAt: now }
      })
    })
  await insertRows(tx, 'statements', rows)
  await tx.statementMonth.update({ where: { programId_id: { programId, id: monthId } }, data: { writtenTo: last } })
  return ids.length === size
}

/** A statement for each currency in which something was booked, or is owed from before. */
function statementsOf(
  booked: readonly BookedMonth[],
  before: ReadonlyMap<string, NonNullable<Before>>,
  opened: ReadonlyMap<string, bigint>,
): { month: BookedMonth; before: Before; openingCents: bigint }[] {
  const owedFrom = [...before].flatMap(([currency, { closingCents }]) => (closingCents === 0n ? [] : [currency]))
  const currencies = new Set([...booked.map(({ currency }) => currency), ...owedFrom, ...opened.keys()])
  return [...currencies].sort().map((currency) => {
    const month = booked.find((one) => one.currency === currency)
    const last = before.get(currency) ?? null
    return {
      month: month ?? { currency, lines: [], disclosed: {}, sumCents: 0n },
      before: last,
      openingCents: last?.closingCents ?? opened.get(currency) ?? 0n,
    }
  })
}

/** By each affiliate who has or had the commission. */
function byOwner(commissions: readonly LedgerCommission[]): Map<string, LedgerCommission[]> {
  const owners = commissions.flatMap((one) => {
    const ids = new Set([one.affiliateId, ...one.former.map(({ state }) => state.affiliateId)])
    return [...ids].map((affiliateId) => ({ affiliateId, one }))
  })
  const grouped = groupBy(owners, ({ affiliateId }) => affiliateId)
  return new Map([...grouped].map(([affiliateId, all]) => [affiliateId, all.map(({ one }) => one)]))
}

/** The versions of rules that the sales name. */
async function readVersions(
  tx: Prisma.TransactionClient,
  programId: string,
  commissions: readonly LedgerCommission[],
  sales: readonly FruitlessSale[],
): Promise<Versions> {
  const sold = [...sales, ...commissions.flatMap(({ sale }) => sale ?? [])]
  const named = new Set(
    sold
      .flatMap((sale) => [sale, ...sale.former.map(({ state }) => state)])
      .flatMap(({ campaignId, rule }) => (rule?.applied ? [versionKey(campaignId, rule.applied.version)] : [])),
  )
  if (named.size === 0) return new Map()
  const campaignId = { in: [...new Set([...named].map((key) => key.split(' ')[0] as string))] }
  const rows = await tx.commissionRuleVersion.findMany({ where: { programId, campaignId } })
  return new Map(
    rows.flatMap(({ campaignId: id, number, holdsFrom, rules }) => {
      const key = versionKey(id, number)
      return named.has(key) ? [[key, { holdsFrom, rules: rules as unknown as StoredRule[] }] as const] : []
    }),
  )
}

import { statement } from '../../database/client/sql.ts'
import type { DifferenceKind } from '../../generated/prisma/enums.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import type { SqlTransaction } from '../../kernel/db.ts'
import { invalid } from '../../kernel/errors.ts'
import { problem } from '../../kernel/input/parse.ts'
import { type Acceptance, acceptedOf } from './acceptances.ts'
import { isMonth, monthAfter, spanOf } from './months.ts'
import { type Compared, compareRefunds } from './reconcile-refunds.ts'

/** What three sources say of a month, in one currency, in minor units. */
export type ReconciledCurrency = {
  currency: string
  feedSalesCents: bigint
  ledgerSalesCents: bigint
  feedRefundsCents: bigint
  ledgerRefundsCents: bigint
  ledgerPaidCents: bigint
  /** What of it was withheld as tax, so it did not leave by payments. */
  withheldCents: bigint
  servicePaidCents: bigint
}

/** Where two of them differ, and why. */
export type ReconciliationDifference = {
  kind: DifferenceKind
  /** Of the sale, the event or the affiliate. */
  id: string
  currency: string | null
  differenceCents: bigint | null
  reason: string
  /** Null: it is open. */
  accepted: Acceptance | null
}

export type Reconciliation = {
  month: string
  currencies: ReconciledCurrency[]
  differences: ReconciliationDifference[]
}

/** @param rows have `id`, `currency`, and what the other source `said` and the ledger `booked`: null is nothing */
const comparing = (rows: string) =>
  statement<Compared>(`
  select currency, sum(coalesce(said, 0))::text as said, sum(coalesce(booked, 0))::text as booked,
    coalesce(jsonb_agg(jsonb_build_object('id', id, 'cents', (coalesce(said, 0) - coalesce(booked, 0))::text) order by id)
      filter (where coalesce(said, 0) <> coalesce(booked, 0)), '[]') as differing
  from (${rows}) compared group by currency`)

const within = (column: string) => `${column} >= $2::timestamptz and ${column} < $3::timestamptz`

const sales = comparing(`
  select id, currency, (decision -> 'feed' ->> 'amountCents')::bigint as said, amount_cents as booked
  from sales where program_id = $1::uuid and ${within('created_at')} and decision -> 'feed' is not null`)

const openEvents = statement<{ id: string; reason: string | null; outcome: string }>(`
  select id::text, reason, outcome::text from feed_events
  where program_id = $1::uuid and ${within('created_at')} and outcome in ('failed', 'waiting') order by id`)

// What another service had paid before an import is in no payment here, and has nothing to be compared with.
const paidHere = `money_events e join commissions c on c.program_id = e.program_id and c.id = e.commission_id
    where e.program_id = $1::uuid and ${within('e.at')} and e.kind in ('paid', 'unpaid')
      and not (exists (select from imported_records m where m.program_id = c.program_id and m.kind = 'commission' and m.id = c.id)
        and not exists (select from payout_run_items i where i.program_id = c.program_id and i.payout_id = c.payout_id))`

// What left and what came back is dated by when it was recorded, as the ledger is.
const payments = comparing(`
  with gone as (
    select i.affiliate_id, i.currency, sum(case f.kind when 'paid' then coalesce(f.amount_cents, i.amount_cents)
      when 'sent' then 0 when 'unclaimed' then 0 else -coalesce(f.amount_cents, i.amount_cents) end) as cents
    from payment_facts f join payout_run_items i on i.program_id = f.program_id and i.id = f.item_id
    where f.program_id = $1::uuid and ${within('f.recorded_at')}
      and (f.kind = 'paid' or exists (select from payment_facts p
        where p.program_id = f.program_id and p.item_id = f.item_id and p.kind = 'paid' and p.id < f.id))
    group by i.affiliate_id, i.currency
  ), paid as (
    select c.affiliate_id, c.currency, sum(case e.kind when 'paid' then c.amount_cents else -c.amount_cents end
      - coalesce(e.withheld_cents, 0)) as cents
    from ${paidHere}
    group by c.affiliate_id, c.currency
  )
  select affiliate_id as id, currency, coalesce(gone.cents, 0) as said, coalesce(paid.cents, 0) as booked
  from gone full join paid using (affiliate_id, currency)`)

const withheld = statement<{ currency: string; cents: string }>(`
  select c.currency, sum(e.withheld_cents)::text as cents from ${paidHere} and e.withheld_cents is not null group by c.currency`)

const reasons = {
  sale: 'The sale was changed after the billing system reported it.',
  refund: 'What the billing system refunded of the sale in this month is not what is booked.',
  payment: 'What left by payments is not what the ledger has as paid: part was marked as paid without a payout.',
}

/**
 * Compares what the billing systems said, what the ledger booked, and what left by payments, for a month of the
 * program's time zone. Without feeds, there is nothing to compare with sales. @throws INVALID_INPUT
 */
export async function reconcile(ctx: ProgramCtx, month: string): Promise<Reconciliation> {
  if (!isMonth(month)) throw invalid([problem('month', 'must be a month such as 2026-10')])
  return reconcileWith(ctx.db.sql, ctx.program.id, await spanIn(ctx, month))
}

type Span = { month: string; fromAt: Date; untilAt: Date }

/** No moment is in two months, or in none, also if the program had another time zone before. */
async function spanIn({ db, program }: ProgramCtx, month: string): Promise<Span> {
  const where = { programId: program.id, month: { lte: month } }
  const last = await db.statementMonth.findFirst({ where, orderBy: { number: 'desc' } })
  if (last?.month === month) return { ...last, month }
  const { fromAt, untilAt } = spanOf(month, program.timeZone)
  return { month, fromAt: last && monthAfter(last.month) === month ? last.untilAt : fromAt, untilAt }
}

/** As `reconcile`, on a connection of the caller. */
export async function reconcileWith(
  sql: Pick<SqlTransaction, 'query'>,
  programId: string,
  { month, fromAt, untilAt }: Span,
): Promise<Reconciliation> {
  const values = [programId, fromAt, untilAt]
  const [sold, refunded, open, paid, kept] = [
    await sql.query(sales, values),
    await compareRefunds(sql, programId, { fromAt, untilAt }),
    await sql.query(openEvents, values),
    await sql.query(payments, values),
    await sql.query(withheld, values),
  ]
  const found = [
    ...differing(sold, 'sale'),
    ...differing(refunded, 'refund'),
    ...differing(paid, 'payment'),
    ...open.map(({ id, reason, outcome }) => ({
      kind: 'feed_event' as const,
      id,
      currency: null,
      differenceCents: null,
      reason: reason ?? `The event of the billing system is ${outcome}.`,
    })),
  ]
  const accepted = found.length === 0 ? () => null : await acceptedOf(sql, programId, month)
  const currencies = [...new Set([...sold, ...refunded, ...paid].map(({ currency }) => currency))].sort()
  return {
    month,
    currencies: currencies.map((currency) => {
      const [sale, refund, payment] = [sold, refunded, paid].map((all) => all.find((one) => one.currency === currency))
      const withheldCents = BigInt(kept.find((one) => one.currency === currency)?.cents ?? 0)
      return {
        currency,
        feedSalesCents: BigInt(sale?.said ?? 0),
        ledgerSalesCents: BigInt(sale?.booked ?? 0),
        feedRefundsCents: BigInt(refund?.said ?? 0),
        ledgerRefundsCents: BigInt(refund?.booked ?? 0),
        ledgerPaidCents: BigInt(payment?.booked ?? 0) + withheldCents,
        withheldCents,
        servicePaidCents: BigInt(payment?.said ?? 0),
      }
    }),
    differences: found.map((one) => ({ ...one, accepted: accepted(one) })),
  }
}

const differing = (compared: readonly Compared[], kind: keyof typeof reasons) =>
  compared
    .toSorted((a, b) => (a.currency < b.currency ? -1 : 1))
    .flatMap(({ currency, differing }) =>
      differing.map(({ id, cents }) => ({
        kind,
        id,
        currency,
        differenceCents: BigInt(cents),
        reason: reasons[kind],
      })),
    )

/** Those that no person has accepted. */
export const openOf = ({ differences }: Reconciliation): ReconciliationDifference[] =>
  differences.filter(({ accepted }) => accepted === null)

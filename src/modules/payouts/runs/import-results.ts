import { statement } from '../../../database/client/sql.ts'
import type { PayoutRun } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { groupBy } from '../../../kernel/group-by.ts'
import { parseInput } from '../../../kernel/input/parse.ts'
import type { ReportRow } from '../../payout-methods/report-row.ts'
import { readFacts } from '../payments/facts.ts'
import { findPayoutRun } from './find.ts'
import { importPayoutResultsInput } from './input.ts'
import { type LeftOutRow, type MatchedResult, matchRows, type ReportedItem } from './match-rows.ts'
import { isBack } from './outcome.ts'
import type { StateTotal } from './read-run.ts'
import { readReport } from './report.ts'
import { readAmount } from './report-values.ts'
import { applyResults, checkResults } from './results.ts'

export { type LeftOutRow, matchRows } from './match-rows.ts'

export type ImportedResults = {
  runId: string
  dryRun: boolean
  /** How many payments were changed, how many rows said what is known, and how many are left for another request. */
  changed: number
  unchanged: number
  remaining: number
  /** The payments that were changed, by their new state. */
  totals: StateTotal[]
  unmatched: LeftOutRow[]
}

/** A row about a whole run is one for each of its payments. */
const mostRows = 50_000

/** Rows have 64-bit integers as text. */
type Row = Omit<ReportedItem, 'facts' | 'amountCents' | 'goneCents'> & { amountCents: string; goneCents: string }
const itemsOfRun = statement<Row>(`
  select id::text, payout_id::text as "payoutId", state::text, currency, amount_cents as "amountCents", gone_cents as "goneCents"
  from payout_run_items where program_id = $1::uuid and run_id = $2::uuid`)

async function readItems({ db, program }: ProgramCtx, runId: string): Promise<ReportedItem[]> {
  const rows = await db.sql.query(itemsOfRun, [program.id, runId])
  const facts = await readFacts(
    db.sql,
    program.id,
    rows.map(({ id }) => id),
  )
  return rows.map(({ amountCents, goneCents, ...row }) => {
    return { ...row, amountCents: BigInt(amountCents), goneCents: BigInt(goneCents), facts: facts.get(row.id) ?? [] }
  })
}

/**
 * Records the results in a report of PayPal or Wise. A row is matched by our id, which the run's file gave to the
 * payment. The same file again changes nothing. A large file is applied for 20 seconds; the same request goes on after
 * that. A dry run records nothing.
 * @throws NOT_FOUND; INVALID_INPUT; REFUSED as `recordPayoutResults`
 */
export async function importPayoutResults(ctx: ProgramCtx, raw: unknown): Promise<ImportedResults> {
  const { runId: id, file, dryRun = false } = await parseInput(importPayoutResultsInput, raw)
  const run = await findPayoutRun(ctx, id)
  const items = await readItems(ctx, run.id)
  const rows: ReportRow[] = []
  for (const row of await readReport(ctx, file)) {
    for (const one of ofPayments(row, run, items)) rows.push(one)
    if (rows.length > mostRows)
      throw invalid([{ field: 'file', message: `File has more than ${mostRows} rows of payments. Split it.` }])
  }
  const { unmatched, unchanged, ...matched } = await matchRows(ctx, rows, items)
  // Payments that came back change much more, so they share transactions.
  const results = matched.results.toSorted((a, b) => Number(isBack(a.state)) - Number(isBack(b.state)))
  const news = [...lastOf(results).values()].filter(({ isNews }) => isNews)
  const count = new Set(results.map(({ payoutId }) => payoutId)).size
  const done = dryRun ? await checkResults(ctx, run, results) : await applyResults(ctx, run.id, results)
  const remaining = dryRun ? 0 : count - done
  const changed = Math.max(news.length - remaining, 0)
  const totals = totalsOf(news.slice(0, changed), items)
  return { runId: run.id, dryRun, changed, unchanged, totals, unmatched, remaining }
}

/** A row about a whole run is about each of its payments, if its amount is that of the run. */
function ofPayments(
  row: ReportRow,
  { id, currency, amountCents }: PayoutRun,
  items: readonly ReportedItem[],
): ReportRow[] {
  if (row.ofRun !== id.replaceAll('-', '')) return [row]
  const amount = readAmount(row.amount, currency)
  if (amount !== null && amount !== amountCents) return [row]
  return items.map(({ payoutId }) => ({ ...row, cells: [payoutId, ...row.cells], amount: '' }))
}

/** What each payment becomes. */
const lastOf = (results: readonly MatchedResult[]) => new Map(results.map((result) => [result.payoutId, result]))

function totalsOf(results: readonly MatchedResult[], items: readonly ReportedItem[]): StateTotal[] {
  const amounts = new Map(items.map(({ payoutId, amountCents }) => [payoutId, amountCents]))
  return [...groupBy(results, ({ becomes }) => becomes)].map(([state, ofState]) => ({
    state,
    payouts: ofState.length,
    amountCents: ofState.reduce((sum, { payoutId }) => sum + (amounts.get(payoutId) ?? 0n), 0n),
  }))
}

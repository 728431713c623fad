import { statement } from '../../../database/client/sql.ts'
import type { PayoutItemState } from '../../../generated/prisma/enums.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { groupBy } from '../../../kernel/group-by.ts'
import { parseInput } from '../../../kernel/input/parse.ts'
import { paypalReference, wiseReference } from '../payout-file.ts'
import { findPayoutRun } from './find.ts'
import { importPayoutResultsInput } from './input.ts'
import { isBack, outcomeOf } from './outcome.ts'
import type { StateTotal } from './read.ts'
import { type ReportRow, readReport } from './report.ts'
import { applyResults, checkResults, type Result } from './results.ts'

/** A row of the file that changed nothing, because it is of no payment of the run, or because of what the run knows. */
export type LeftOutRow = { line: number; text: string; reason: string }

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

const mostText = 200

/** Rows have 64-bit integers as text. */
type Item = { payoutId: string; state: PayoutItemState; amountCents: string }
const itemsOfRun = statement<Item>(`
  select payout_id::text as "payoutId", state::text, amount_cents as "amountCents" from payout_run_items
  where program_id = $1::uuid and run_id = $2::uuid`)

/**
 * Records the results in a report of PayPal or Wise. A row is matched by our id, which the run's file gave to the
 * payment. The same file again changes nothing. A large file is applied for 20 seconds; the same request goes on after
 * that. A dry run records nothing.
 * @throws NOT_FOUND; INVALID_INPUT; REFUSED as `recordPayoutResults`
 */
export async function importPayoutResults(ctx: ProgramCtx, raw: unknown): Promise<ImportedResults> {
  const { runId: id, file, dryRun = false } = await parseInput(importPayoutResultsInput, raw)
  const run = await findPayoutRun(ctx, id)
  const rows = readReport(file)
  const items = await ctx.db.sql.query(itemsOfRun, [ctx.program.id, run.id])
  const { unmatched, unchanged, ...matched } = matchRows(rows, items)
  // Payments that came back change much more, so they share transactions.
  const results = matched.results.toSorted((a, b) => Number(isBack(a.state)) - Number(isBack(b.state)))
  const changed = dryRun ? await checkResults(ctx, run, results) : await applyResults(ctx, run.id, results)
  const totals = totalsOf(results.slice(0, changed), items)
  return { runId: run.id, dryRun, changed, unchanged, totals, unmatched, remaining: results.length - changed }
}

function totalsOf(results: readonly Result[], items: readonly Item[]): StateTotal[] {
  const amounts = new Map(items.map(({ payoutId, amountCents }) => [payoutId, BigInt(amountCents)]))
  return [...groupBy(results, ({ state }) => state)].map(([state, ofState]) => ({
    state,
    payouts: ofState.length,
    amountCents: ofState.reduce((sum, { payoutId }) => sum + (amounts.get(payoutId) ?? 0n), 0n),
  }))
}

/** Where a row names a payment more than once, its last row counts: reports begin with the oldest. */
export function matchRows(rows: readonly ReportRow[], items: readonly Omit<Item, 'amountCents'>[]) {
  const byReference = new Map(
    items.flatMap((item) => {
      const payout = { id: item.payoutId }
      return [payout.id, payout.id.replaceAll('-', ''), paypalReference(payout), wiseReference(payout)].map(
        (reference) => [reference, item] as const,
      )
    }),
  )
  const results = new Map<string, Result>()
  const unmatched: LeftOutRow[] = []
  let unchanged = 0
  for (const { line, cells, word, state, reference, reason } of rows) {
    const leaveOut = (why: string) => unmatched.push({ line, text: cells.join(', ').slice(0, mostText), reason: why })
    const [item, other] = new Set(cells.flatMap((cell) => byReference.get(cell.toLowerCase()) ?? []))
    if (!item) {
      leaveOut('No payment of this run has an id of this row.')
      continue
    }
    if (other) {
      leaveOut(`The row has the ids of two payments, ${item.payoutId} and ${other.payoutId}. Correct the row.`)
      continue
    }
    if (state === null) {
      leaveOut(`The status "${word.slice(0, mostText)}" is not known.`)
      continue
    }
    if (state === 'sent' || item.state === state) {
      unchanged += 1
      continue
    }
    const outcome = outcomeOf(item.state, state)
    if (typeof outcome !== 'string') leaveOut(`The payout ${item.payoutId} ${outcome.refusal}`)
    else
      results.set(item.payoutId, {
        payoutId: item.payoutId,
        state,
        ...(reference !== undefined && { reference }),
        ...(reason !== undefined && { reason }),
      })
  }
  return { results: [...results.values()], unmatched, unchanged }
}

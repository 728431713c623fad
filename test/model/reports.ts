// What was said of payments, and what has left by it. It follows the contract, not the code.

/** Where the clock of tests stands. */
const now = Date.parse('2026-03-10T12:00:00Z')

type Kind = 'paid' | 'failed' | 'unclaimed' | 'returned' | 'reversed' | 'cancelled'
/** Without a time: after all that was reported before it. Without an amount: all of the payment. */
export type Report = { kind: Kind; at: number | null; cents: number | null }
export type Payment = {
  id: string
  runId: string
  payoutId: string
  cents: number
  isFetched: boolean
  reports: Report[]
}

/** What has left by the reports and is not back. */
export function goneBy({ reports, cents: asked }: Payment): number {
  const from = reports.findLastIndex(({ kind }) => kind === 'cancelled') + 1
  let latest = Number.NEGATIVE_INFINITY
  const timed = reports.slice(from).map((report) => {
    const position = report.at ?? latest
    latest = Math.max(latest, position)
    return { report, position }
  })
  // Nobody orders two times of "before all others".
  timed.sort((a, b) => (a.position === b.position ? 0 : a.position - b.position))
  return timed.reduce((gone, { report: { kind, cents } }) => {
    if (kind === 'paid') return cents ?? asked
    if (kind === 'failed') return 0
    return kind === 'returned' || kind === 'reversed' ? Math.max(gone - (cents ?? gone), 0) : gone
  }, 0)
}

/** Adds a report, unless it was made before: with its time, or as the same part of the amount. */
export function add({ reports }: Payment, report: Report): void {
  const { kind, at, cents } = report
  const from = reports.findLastIndex((one) => one.kind === 'cancelled') + 1
  // It stays cancelled until money leaves.
  if (kind === 'cancelled' && from > 0 && !reports.slice(from).some((one) => one.kind === 'paid')) return
  const within = at !== null ? reports : cents === null ? [] : reports.slice(from)
  if (within.some((one) => one.kind === kind && one.cents === cents && (at === null || one.at === at))) return
  // What comes back without a time comes back now. A payment without a time left at some time before.
  const isNow = at === null && kind !== 'paid' && kind !== 'cancelled'
  reports.push(isNow ? { ...report, at: now } : report)
}

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
  /** What is withheld if all of it leaves. */
  withheld: number
  isFetched: boolean
  reports: Report[]
}

type Standing = { state: Kind | 'open'; gone: number }

/** What a payment is by its reports, and what has left and is not back. */
function standing({ reports, cents: asked }: Payment): Standing {
  const from = reports.findLastIndex(({ kind }) => kind === 'cancelled') + 1
  let latest = Number.NEGATIVE_INFINITY
  const timed = reports.slice(from).map((report) => {
    const position = report.at ?? latest
    latest = Math.max(latest, position)
    return { report, position }
  })
  // Nobody orders two times of "before all others".
  timed.sort((a, b) => (a.position === b.position ? 0 : a.position - b.position))
  const start: Standing = { state: from > 0 ? 'cancelled' : 'open', gone: 0 }
  return timed.reduce(({ state, gone }, { report: { kind, cents } }): Standing => {
    if (kind === 'paid') return { state: 'paid', gone: cents ?? asked }
    if (kind === 'unclaimed') return { state: gone > 0 || state === 'open' || state === 'paid' ? kind : state, gone }
    const rest = kind === 'failed' ? 0 : Math.max(gone - (cents ?? gone), 0)
    if (rest > 0) return { state, gone: rest }
    return { state: state === 'cancelled' ? state : kind === 'failed' ? kind : 'returned', gone: 0 }
  }, start)
}

/** What has left by the reports and is not back. */
export const goneBy = (payment: Payment): number => standing(payment).gone

/** What is settled if so much of a payment has left: it, and the same share of the tax, rounded half up. */
export const settledBy = ({ cents, withheld }: Pick<Payment, 'cents' | 'withheld'>, gone: number): number =>
  gone + (withheld === 0 ? 0 : Math.floor((2 * withheld * gone + cents) / (2 * cents)))

/**
 * Adds a report, unless it was made before: with its time, or as the same part of the amount. Without a time, it is
 * only added if it says something new.
 */
export function add(payment: Payment, report: Report): void {
  const { reports } = payment
  const { kind, at, cents } = report
  const from = reports.findLastIndex((one) => one.kind === 'cancelled') + 1
  const within = at !== null ? reports : cents === null ? [] : reports.slice(from)
  if (within.some((one) => one.kind === kind && one.cents === cents && (at === null || one.at === at))) return
  // What comes back without a time comes back now. A payment without a time left at some time before.
  const isNow = at === null && kind !== 'paid' && kind !== 'cancelled'
  const added = isNow ? { ...report, at: now } : report
  const [before, after] = [standing(payment), standing({ ...payment, reports: [...reports, added] })]
  if (at === null && before.state === after.state && before.gone === after.gone) return
  reports.push(added)
}

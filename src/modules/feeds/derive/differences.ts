export const changes = ['sale', 'change', 'refund', 'reversal', 'hold', 'release'] as const
export type Change = (typeof changes)[number]

/** What would be done, for a dry run. */
export type Difference = { change: Change; what: string; saleExternalId: string }

/** How many differences are shown. All are counted. */
const mostShown = 500

/** Counts differences, and keeps the first ones, so that its memory does not grow with their number. */
export function createDifferences() {
  const shown: Difference[] = []
  const counts = new Map<Change, number>()
  return {
    shown,
    add(difference: Difference): void {
      counts.set(difference.change, (counts.get(difference.change) ?? 0) + 1)
      if (shown.length < mostShown) shown.push(difference)
    },
    totals: () => [...counts].map(([change, count]) => ({ change, count })),
  }
}

export type Differences = ReturnType<typeof createDifferences>
export type DifferenceTotal = ReturnType<Differences['totals']>[number]

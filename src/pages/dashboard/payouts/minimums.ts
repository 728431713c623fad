import {
  PayoutMinimumsDocument,
  type PayoutMinimumsQuery,
  type PayoutWhere,
} from '../../../generated/dashboard/payouts/graphql.ts'
import { useData } from '../api/use-data.ts'
import { texts } from '../texts.ts'

const states = texts.payouts.states

/** What the list of open payouts can be narrowed to. Without a choice it shows what can be paid. */
export const shownOptions = [
  { value: 'below', name: states.below },
  { value: 'sent', name: states.sent },
  { value: 'all', name: texts.list.all },
]

/** The most conditions that are asked for. A program with more different minimums sees all open payouts together. */
const mostMinimums = 20

/** The different minimums of the campaigns; null if there are too many; undefined while they are loading. */
export function useMinimums() {
  const { data, failure, retry } = useData(PayoutMinimumsDocument, {})
  return { minimums: data && minimumsOf(data), failure, retry }
}

function minimumsOf({ campaigns: { nodes, pageInfo } }: PayoutMinimumsQuery): readonly number[] | null {
  const minimums = [...new Set(nodes.map(({ minimumPayoutCents }) => minimumPayoutCents))]
  return pageInfo.hasNextPage || minimums.length > mostMinimums ? null : minimums
}

/** The condition for open payouts that are shown. @param show the choice that the address names */
export function shownWhere(minimums: readonly number[] | null, show: string | undefined): PayoutWhere {
  if (show === 'sent') return { sentAt: { not: null } }
  if (minimums === null || show === 'all') return {}
  const comparison = show === 'below' ? 'lt' : 'gte'
  return {
    sentAt: { equals: null },
    or: minimums.map((minimum) => ({
      affiliate: { campaign: { minimumPayoutCents: { equals: minimum } } },
      amountCents: { [comparison]: Math.max(minimum, 1) },
    })),
  }
}

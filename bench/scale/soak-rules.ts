import { kinds, quantile } from '../resilience/mixed-traffic.ts'
import type { Minute } from './soak-samples.ts'

type Rule = { text: string; holds: boolean }

const slowest = 3
const longestLagSeconds = 2
/** What the memory may be in the last sixth, of what it was in the second. In the first one, processes warm up. */
const mostGrowth = 1.15

/**
 * Whether the service stays as fast, as small and as current as it was.
 *
 * @param counts what must be zero
 */
export function judge(minutes: readonly Minute[], counts: Record<string, number>): Rule[] {
  const failed = minutes.reduce((sum, { failures }) => sum + failures.length, 0)
  const zeros = Object.entries({ 'requests that failed': failed, ...counts })
  return [
    ...judgeLatency(minutes),
    ...judgeMemory(minutes),
    judgeLag('replication lag', minutes, ({ replicationLag }) => replicationLag),
    judgeLag('delivery lag', minutes, ({ deliveryLag }) => deliveryLag),
    ...zeros.map(([name, count]) => ({ text: `${name}: ${count}`, holds: count === 0 })),
  ]
}

/** Parts of five minutes, or shorter ones if the run takes less than half an hour. */
export function partsOf(minutes: readonly Minute[]): Minute[][] {
  const length = Math.min(5, Math.max(1, Math.floor(minutes.length / 6)))
  const parts: Minute[][] = []
  for (let from = 0; from + length <= minutes.length; from += length) parts.push(minutes.slice(from, from + length))
  return parts
}

/** The 99th percentile of each part against that of the first. */
function judgeLatency(minutes: readonly Minute[]): Rule[] {
  const parts = partsOf(minutes)
  return [...kinds.map((kind) => [kind]), [...kinds]].map((some) => {
    const [first = 0, ...later] = parts.map((part) =>
      quantile(
        part.flatMap(({ times }) => some.flatMap((kind) => times[kind])),
        0.99,
      ),
    )
    const most = Math.max(first, ...later)
    return {
      text: `p99 of ${some.length > 1 ? 'all' : some[0]}: ${first.toFixed(0)} ms in the first ${parts[0]?.length} min, then ${later.map((ms) => ms.toFixed(0)).join(', ')}: at most ${(most / first).toFixed(2)} × (limit ${slowest})`,
      holds: most <= slowest * first,
    }
  })
}

function judgeMemory(minutes: readonly Minute[]): Rule[] {
  const sixth = Math.max(1, Math.floor(minutes.length / 6))
  return (minutes[0]?.residentMb ?? []).map((_, index) => {
    const sizes = minutes.map(({ residentMb }) => residentMb[index] ?? 0)
    const warm = quantile(sizes.slice(sixth, 2 * sixth).concat(sizes.length < 2 ? sizes : []), 0.5)
    const last = quantile(sizes.slice(-sixth), 0.5)
    return {
      text: `memory of instance ${index + 1}: ${warm.toFixed(0)} MB, then ${last.toFixed(0)} MB in the end (limit ${mostGrowth} ×)`,
      holds: last <= mostGrowth * warm,
    }
  })
}

function judgeLag(name: string, minutes: readonly Minute[], of: (minute: Minute) => number): Rule {
  const most = Math.max(...minutes.map(of))
  return { text: `${name}: at most ${most.toFixed(2)} s (limit ${longestLagSeconds})`, holds: most < longestLagSeconds }
}

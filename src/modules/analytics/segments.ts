import type { Span } from './range.ts'

export const grains = ['month', 'day', 'hour', 'quarter_hour'] as const
/** The length of time that a row of a rollup covers, in UTC. */
export type Grain = (typeof grains)[number]

/** A part of a bucket that consists of whole rollup rows of one grain. Null: a rest at the edge, to be read from the facts. */
export type Segment = Span & { bucket: number; grain: Grain | null }

const lengths: Record<Exclude<Grain, 'month'>, number> = { day: 86_400_000, hour: 3_600_000, quarter_hour: 900_000 }

/** Splits each bucket into as few rollup rows as possible: months in the middle, days around them, and so on to the edges. */
export function segmentsOf(buckets: readonly Span[], grains: readonly Grain[]): Segment[] {
  return buckets.flatMap((span, bucket) => split(span, grains).map((segment) => ({ ...segment, bucket })))
}

function split({ from, to }: Span, [grain, ...finer]: readonly Grain[]): (Span & { grain: Grain | null })[] {
  if (from >= to) return []
  if (grain === undefined) return [{ from, to, grain: null }]
  const [first, last] = [ceil(from, grain), floor(to, grain)]
  if (first >= last) return split({ from, to }, finer)
  return [...split({ from, to: first }, finer), { from: first, to: last, grain }, ...split({ from: last, to }, finer)]
}

function floor(ms: number, grain: Grain): number {
  if (grain !== 'month') return Math.floor(ms / lengths[grain]) * lengths[grain]
  const date = new Date(ms)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth())
}

function ceil(ms: number, grain: Grain): number {
  const start = floor(ms, grain)
  if (start === ms) return ms
  if (grain !== 'month') return start + lengths[grain]
  const date = new Date(start)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}

/** The spans that cover all edges: adjacent ones are joined, and more than `max` become one. */
export function edgesOf(segments: readonly Segment[], max = 4): Span[] {
  const spans: Span[] = []
  for (const { from, to, grain } of segments) {
    if (grain !== null) continue
    const last = spans.at(-1)
    if (last?.to === from) last.to = to
    else spans.push({ from, to })
  }
  const [first, last] = [spans[0], spans.at(-1)]
  return spans.length > max && first && last ? [{ from: first.from, to: last.to }] : spans
}

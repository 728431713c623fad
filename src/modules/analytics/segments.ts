import type { Span } from './range.ts'

export const grains = ['year', 'month', 'day', 'hour', 'quarter_hour'] as const
/** The length of time that a row of a rollup covers, in UTC. */
export type Grain = (typeof grains)[number]

/** Whole rollup rows of one grain that are added to a bucket, or taken away from it if the sign is -1. */
export type Segment = Span & { bucket: number; grain: Grain; sign: 1 | -1 }

/** The time of a bucket that its segments add up to. Regions are in order, and do not overlap. */
export type Region = Span & { bucket: number }

/** Single facts that are added to buckets, or taken away from them. Edges are in order, and do not overlap. */
export type Edge = Span & { of: { bucket: number; sign: 1 | -1 }[] }

const lengths: Record<Exclude<Grain, 'year' | 'month'>, number> = {
  day: 86_400_000,
  hour: 3_600_000,
  quarter_hour: 900_000,
}

/**
 * Covers each bucket with whole rollup rows, and corrects the ends, moved to the closest start of a row, with facts: at
 * most half a row of the finest grain at each end.
 */
export function partsOf(
  buckets: readonly Span[],
  grains: readonly [Grain, ...Grain[]],
): { segments: Segment[]; regions: Region[]; edges: Edge[] } {
  const finest = grains.at(-1) as Grain
  const regions: Region[] = []
  const apart: (Span & { bucket: number; sign: 1 | -1 })[] = []
  for (const [bucket, { from, to }] of buckets.entries()) {
    const [start, end] = [nearest(from, finest), nearest(to, finest)]
    if (start >= end) {
      apart.push({ from, to, bucket, sign: 1 })
      continue
    }
    regions.push({ from: start, to: end, bucket })
    if (start !== from) apart.push(difference(from, start, bucket))
    if (end !== to) apart.push(difference(end, to, bucket))
  }
  const segments = regions.flatMap(({ bucket, ...span }) => cover(span, grains, 1).map((part) => ({ ...part, bucket })))
  return { segments, regions, edges: disjoint(apart.filter(({ from, to }) => from < to)) }
}

/** What is added to a bucket between two times; taken away if they are in the wrong order. */
const difference = (from: number, to: number, bucket: number) =>
  from < to ? ({ from, to, bucket, sign: 1 } as const) : ({ from: to, to: from, bucket, sign: -1 } as const)

/** As few rows as possible: years with months that are added or taken away, and so on. */
function cover({ from, to }: Span, [grain, ...finer]: readonly Grain[], sign: 1 | -1): Omit<Segment, 'bucket'>[] {
  const [next] = finer
  if (from >= to || !grain) return []
  if (!next) return [{ from, to, grain, sign }]
  const [start, end] = [nearest(from, grain), nearest(to, grain)]
  if (start >= end) return cover({ from, to }, finer, sign)
  const opposite = sign === 1 ? -1 : 1
  return [
    ...(from < start ? cover({ from, to: start }, finer, sign) : cover({ from: start, to: from }, finer, opposite)),
    { from: start, to: end, grain, sign },
    ...(end < to ? cover({ from: end, to }, finer, sign) : cover({ from: to, to: end }, finer, opposite)),
  ]
}

function disjoint(spans: readonly (Span & { bucket: number; sign: 1 | -1 })[]): Edge[] {
  const cuts = [...new Set(spans.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b)
  const sorted = spans.toSorted((a, b) => a.from - b.from)
  let open: typeof sorted = []
  let next = 0
  return cuts.slice(0, -1).flatMap((from, index) => {
    open = open.filter((span) => span.to > from)
    for (let span = sorted[next]; span && span.from === from; span = sorted[next]) {
      open.push(span)
      next += 1
    }
    const of = open.map(({ bucket, sign }) => ({ bucket, sign }))
    return of.length === 0 ? [] : [{ from, to: cuts[index + 1] as number, of }]
  })
}

function nearest(ms: number, grain: Grain): number {
  const [before, after] = [floor(ms, grain), ceil(ms, grain)]
  return ms - before <= after - ms ? before : after
}

function floor(ms: number, grain: Grain): number {
  if (grain === 'year' || grain === 'month') return startOf(ms, grain, 0)
  return Math.floor(ms / lengths[grain]) * lengths[grain]
}

function ceil(ms: number, grain: Grain): number {
  const start = floor(ms, grain)
  if (start === ms) return ms
  return grain === 'year' || grain === 'month' ? startOf(start, grain, 1) : start + lengths[grain]
}

function startOf(ms: number, grain: 'year' | 'month', later: number): number {
  const date = new Date(ms)
  return grain === 'year'
    ? Date.UTC(date.getUTCFullYear() + later, 0)
    : Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later)
}

/** The spans that cover all edges: adjacent ones are joined, and more than `max` become one. */
export function spansOf(edges: readonly Edge[], max = 4): Span[] {
  const spans: Span[] = []
  for (const { from, to } of edges) {
    const last = spans.at(-1)
    if (last?.to === from) last.to = to
    else spans.push({ from, to })
  }
  const [first, last] = [spans[0], spans.at(-1)]
  return spans.length > max && first && last ? [{ from: first.from, to: last.to }] : spans
}

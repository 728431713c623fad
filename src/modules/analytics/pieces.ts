import type { Span } from './range.ts'

export const grains = ['month', 'day', 'hour', 'quarter_hour'] as const
/** How much time a row of the rollups is of, in UTC. */
export type Grain = (typeof grains)[number]

/** A part of a bucket that whole rows of one grain make up; null: the rest at its edges, which only the rows themselves tell. */
export type Piece = Span & { bucket: number; grain: Grain | null }

const lengths: Record<Exclude<Grain, 'month'>, number> = { day: 86_400_000, hour: 3_600_000, quarter_hour: 900_000 }

/** Each bucket in as few rows as the grains allow: months in the middle, around them days, and so on to the edges. */
export function piecesOf(buckets: readonly Span[], grains: readonly Grain[]): Piece[] {
  return buckets.flatMap((span, bucket) => split(span, grains).map((piece) => ({ ...piece, bucket })))
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

/** The least number of spans, at most `most`, that hold every edge. */
export function edgesOf(pieces: readonly Piece[], most = 4): Span[] {
  const spans: Span[] = []
  for (const { from, to, grain } of pieces) {
    if (grain !== null) continue
    const last = spans.at(-1)
    if (last?.to === from) last.to = to
    else spans.push({ from, to })
  }
  const [first, last] = [spans[0], spans.at(-1)]
  return spans.length > most && first && last ? [{ from: first.from, to: last.to }] : spans
}

import type { ProgramCtx } from '../../kernel/context.ts'
import { invalid, type Problem } from '../../kernel/errors.ts'
import { parseInput, problem } from '../../kernel/input/parse.ts'
import type { FactsQuery } from './facts.ts'
import { analyticsInput, rangeInput, zoneInput } from './input.ts'
import { presetSpan, type Span } from './range.ts'
import { readWhere, type Where } from './where.ts'

export type Analytics = Span & { timeZone: string; query: FactsQuery & { currency: string } }

/** Parses the arguments of analytics. No facts are read yet. @throws INVALID_INPUT with every problem */
export async function openAnalytics(
  ctx: ProgramCtx,
  raw: { range: unknown; timeZone?: unknown; currency?: unknown; where?: Where | null | undefined },
): Promise<Analytics> {
  const { timeZone = 'UTC', currency = ctx.program.currency } = await parseInput(analyticsInput, raw)
  const now = ctx.now()
  const span = await readRange(raw, now)
  const where = await readWhere(ctx, raw.where ?? {})
  return { ...span, timeZone, query: { programId: ctx.program.id, currency, where, now } }
}

/** @throws INVALID_INPUT unless the range is either a preset, or a time and a later one, and the time zone is known */
export async function readRange(raw: { range: unknown; timeZone?: unknown }, now: Date): Promise<Span> {
  const { timeZone = 'UTC' } = await parseInput(zoneInput, raw)
  const { preset, from, to } = await parseInput(rangeInput, raw.range, ({ preset, from, to }, problems): Problem[] => {
    if (problems.length > 0) return []
    if (preset && (from || to)) return [problem('preset', "can't be combined with from and to")]
    if (preset) return []
    if (!from && !to) return [problem('preset', "can't be blank when from and to are not given")]
    const missing = Object.entries({ from, to }).filter(([, time]) => !time)
    if (!from || !to)
      return missing.map(([field]) => problem(field, "can't be blank when the other end of the range is given"))
    return from < to ? [] : [problem('to', 'must be later than from')]
  })
  if (preset) return presetSpan(preset, now, timeZone)
  if (!from || !to) throw invalid([problem('range', "can't be blank")])
  return { from: from.getTime(), to: to.getTime() }
}

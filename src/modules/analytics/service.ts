import type { ProgramCtx } from '../../kernel/context.ts'
import { invalid, type Problem } from '../../kernel/errors.ts'
import { parseInput, problem } from '../../kernel/input/parse.ts'
import type { Question } from './facts.ts'
import { analyticsInput, rangeInput, zoneInput } from './input.ts'
import { presetSpan, type Span } from './range.ts'
import { readWhere, type Where } from './where.ts'

/** What is looked at: a program's facts in a range of time, as a question that every number is an answer to. */
export type Analytics = Span & { timeZone: string; question: Question & { currency: string } }

/**
 * Reads what analytics are asked for; nothing is counted yet.
 *
 * @throws INVALID_INPUT with every problem
 */
export async function openAnalytics(
  ctx: ProgramCtx,
  raw: { range: unknown; timeZone?: unknown; currency?: unknown; where?: Where | null | undefined },
): Promise<Analytics> {
  const { timeZone = 'UTC', currency = ctx.program.currency } = await parseInput(analyticsInput, raw)
  const now = ctx.now()
  const span = await readRange(raw, now)
  const where = await readWhere(ctx, raw.where ?? {})
  return { ...span, timeZone, question: { programId: ctx.program.id, currency, where, now } }
}

/** @throws INVALID_INPUT unless the range is either a preset, or a moment and a later one, and the zone is known */
export async function readRange(raw: { range: unknown; timeZone?: unknown }, now: Date): Promise<Span> {
  const { timeZone = 'UTC' } = await parseInput(zoneInput, raw)
  const { preset, from, to } = await parseInput(rangeInput, raw.range, ({ preset, from, to }, problems): Problem[] => {
    if (problems.length > 0) return []
    if (preset && (from || to)) return [problem('preset', 'excludes from and to: give either it, or both of them')]
    if (preset) return []
    if (!from && !to) return [problem('preset', "can't be blank where from and to are not given")]
    const missing = Object.entries({ from, to }).filter(([, moment]) => !moment)
    if (!from || !to) return missing.map(([field]) => problem(field, "can't be blank where the other is given"))
    return from < to ? [] : [problem('to', 'must be the later of the two')]
  })
  if (preset) return presetSpan(preset, now, timeZone)
  if (!from || !to) throw invalid([problem('range', "can't be blank")])
  return { from: from.getTime(), to: to.getTime() }
}

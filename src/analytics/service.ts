import type { ProgramCtx } from '../context.ts'
import { invalid, type Problem } from '../errors.ts'
import { parseInput, problem } from '../input/parse.ts'
import type { Question } from './facts.ts'
import { analyticsInput, rangeInput } from './input.ts'
import { presetSpan, type Span } from './range.ts'
import { checkWhere, type Where } from './where.ts'

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
  const span = await readRange(raw.range, now, timeZone)
  const where = checkWhere(raw.where ?? {})
  return { ...span, timeZone, question: { programId: ctx.program.id, currency, where, now } }
}

/** @throws INVALID_INPUT unless it is either a preset, or a moment and a later one */
export async function readRange(raw: unknown, now: Date, timeZone: string): Promise<Span> {
  const { preset, from, to } = await parseInput(rangeInput, raw, ({ preset, from, to }, problems): Problem[] => {
    if (problems.length > 0) return []
    if (preset && (from || to)) return [problem('preset', 'excludes from and to: give either it, or both of them')]
    if (preset) return []
    if (!from && !to) return [problem('preset', "can't be blank where from and to are not given")]
    if (!from) return [problem('from', "can't be blank where to is given")]
    if (!to) return [problem('to', "can't be blank where from is given")]
    return from < to ? [] : [problem('to', 'must be later than from')]
  })
  if (preset) return presetSpan(preset, now, timeZone)
  if (!from || !to) throw invalid([problem('range', "can't be blank")])
  return { from: from.getTime(), to: to.getTime() }
}

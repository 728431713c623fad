import type { ProgramCtx } from '../../kernel/context.ts'
import { addDays } from '../../kernel/dates.ts'
import { monthAfter, monthAt, spanOf } from './months.ts'
import { openOf, reconcile } from './reconcile.ts'

export type OpenMonth = {
  month: string
  /** When it ends. */
  untilAt: Date
  /** When the service closes it by itself. Null if a person does. */
  closesAt: Date | null
  state: 'open' | 'differences' | 'ready'
  /** How many nobody has accepted. */
  openDifferences: number
}

/** As many as are compared at once. */
const mostMonths = 24

/**
 * The months that are not closed, the earliest first, until the present one. At most 24: those that can be closed
 * first.
 */
export async function readOpenMonths(ctx: ProgramCtx): Promise<OpenMonth[]> {
  const { db, program } = ctx
  const present = monthAt(ctx.now(), program.timeZone)
  const months: string[] = []
  for (let month = await firstOpen(ctx); month <= present; month = monthAfter(month)) months.push(month)
  // The first month that is closed can be any.
  const isFirst = !(await db.statementMonth.findFirst({ where: { programId: program.id } }))
  const found: OpenMonth[] = []
  for (const month of isFirst ? months.slice(-mostMonths) : months.slice(0, mostMonths))
    found.push(await openMonth(ctx, month))
  return found
}

/**
 * The month whose closing waits for a person to accept differences: in a program that closes its months by itself, or
 * has closed one. Null: none does.
 */
export async function findBlockedMonth(ctx: ProgramCtx): Promise<OpenMonth | null> {
  const { db, program } = ctx
  const isUsed =
    program.closesMonthsAfterDays !== null || (await db.statementMonth.findFirst({ where: { programId: program.id } }))
  if (!isUsed || program.isShadow) return null
  const month = await openMonth(ctx, await firstOpen(ctx))
  return month.state === 'differences' ? month : null
}

/** The month after the last one that is closed, or is being closed. */
export async function firstOpen({ db, program }: Pick<ProgramCtx, 'db' | 'program'>): Promise<string> {
  const last = await db.statementMonth.findFirst({ where: { programId: program.id }, orderBy: { number: 'desc' } })
  return last ? monthAfter(last.month) : monthAt(program.createdAt, program.timeZone)
}

async function openMonth(ctx: ProgramCtx, month: string): Promise<OpenMonth> {
  const { closesMonthsAfterDays: days, timeZone } = ctx.program
  const { untilAt } = spanOf(month, timeZone)
  const known = { month, untilAt, closesAt: days === null ? null : addDays(untilAt, days) }
  if (untilAt > ctx.now()) return { ...known, state: 'open', openDifferences: 0 }
  const openDifferences = openOf(await reconcile(ctx, month)).length
  return { ...known, state: openDifferences > 0 ? 'differences' : 'ready', openDifferences }
}

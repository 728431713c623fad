import type { Logger } from 'pino'
import type { Program } from '../../generated/prisma/client.ts'
import { addDays } from '../../kernel/dates.ts'
import type { AppDb } from '../../kernel/db.ts'
import { TributaryError } from '../../kernel/errors.ts'
import { clockOf } from '../programs/clock.ts'
import { closeMonth, finishMonth } from './close.ts'
import type { KeyCtx } from './keys.ts'
import { spanOf } from './months.ts'
import { firstOpen } from './open-months.ts'

export type Closing = { db: AppDb; now: () => Date; log: Logger; key: Buffer }

/**
 * Closes the months of programs that say after how many days, and finishes those that a killed process has left. A
 * month that cannot be closed, such as one with differences, waits for a person. Any number of instances may do it.
 */
export async function closeDueMonths(closing: Closing): Promise<void> {
  const { db, log } = closing
  const left = await db.statementMonth.findMany({ where: { closedAt: null }, include: { program: true } })
  for (const { id, month, program } of left)
    if (!program.closedAt) await unlessRefused(log, program.id, month, () => finishMonth(ctxOf(closing, program), id))
  const programs = await db.program.findMany({
    where: { closesMonthsAfterDays: { not: null }, closedAt: null, isShadow: false },
  })
  for (const program of programs) {
    const ctx = ctxOf(closing, program)
    for (let month = await dueMonth(ctx); month !== null; month = await dueMonth(ctx)) {
      const due = { month }
      if (!(await unlessRefused(log, program.id, month, () => closeMonth(ctx, due)))) break
    }
  }
}

/** What one program cannot close, such as without its key, does not keep the others. @returns whether it was done */
async function unlessRefused(log: Logger, programId: string, month: string, close: () => Promise<unknown>) {
  try {
    await close()
    return true
  } catch (err) {
    if (!(err instanceof TributaryError)) throw err
    log.warn({ err, programId, month }, 'month could not be closed')
    return false
  }
}

const ctxOf = ({ db, now, log, key }: Closing, program: Program): KeyCtx => ({
  db: db.ofProgram(program.id),
  now: clockOf(program, now),
  log,
  actor: { kind: 'system' },
  requestId: 'statements',
  program,
  webhooks: { key },
})

/** The next month that is over for long enough. Null: none is. */
async function dueMonth({ db, program, now }: KeyCtx): Promise<string | null> {
  const month = await firstOpen({ db, program })
  const { untilAt } = spanOf(month, program.timeZone)
  return addDays(untilAt, program.closesMonthsAfterDays ?? 0) <= now() ? month : null
}

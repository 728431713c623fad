import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { withTransaction } from '../../../database/client/transaction.ts'
import type { PayoutSchedule, Prisma, Program, ScheduledRun } from '../../../generated/prisma/client.ts'
import type { PayoutMethod } from '../../../generated/prisma/enums.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import type { AppDb } from '../../../kernel/db.ts'
import { refused, TributaryError } from '../../../kernel/errors.ts'
import { readableAmount } from '../../../kernel/money/decimals.ts'
import type { PublicUrl } from '../../../kernel/public-url.ts'
import { fillRun } from '../../payouts/runs/create.ts'
import { readDraft } from '../../payouts/runs/draft.ts'
import { findPayoutRun } from '../../payouts/runs/find.ts'
import { clockOf } from '../../programs/clock.ts'
import { serviceOf } from '../kinds/all.ts'
import { sendPayoutRun } from '../runs/send.ts'
import type { ServiceSettings } from '../settings.ts'
import { dueDay, type ScheduledDay } from './days.ts'
import { queueMailsOfDay } from './mails.ts'

/** How long an instance may take for one run of a day before another one goes on. */
const takenMs = 5 * 60_000

export type Scheduling = { db: AppDb; log: Logger; settings: ServiceSettings; publicUrl: PublicUrl }

/**
 * Makes the runs of the days of schedules that have come, and sends those that an owner has allowed. Any number of
 * instances may do it, and each may die at any moment: the row of a day, method and currency is written with its run.
 */
export async function makeScheduledRuns(scheduling: Scheduling): Promise<void> {
  const { db, log } = scheduling
  const schedules = await db.payoutSchedule.findMany({
    where: { program: { closedAt: null, deletedAt: null, isShadow: false } },
    include: { program: true },
  })
  for (const { program, ...schedule } of schedules)
    await makeRunsOf(scheduling, program, schedule).catch((err: unknown) =>
      log.warn({ err, programId: program.id }, 'scheduled payout runs could not be made, retrying'),
    )
}

async function makeRunsOf(scheduling: Scheduling, program: Program, schedule: PayoutSchedule): Promise<void> {
  const { db, log, settings } = scheduling
  const programId = program.id
  const ctx: ProgramCtx = {
    db: db.ofProgram(programId),
    now: clockOf(program, settings.now),
    log,
    actor: { kind: 'system' },
    program,
    requestId: randomUUID(),
  }
  const due = dueDay(schedule, schedule.doneUntil, ctx.now(), program.timeZone)
  if (!due || !(await take(ctx, settings, schedule.takenUntil))) return
  for (const method of schedule.methods)
    for (const currency of schedule.currencies) {
      const takenUntil = new Date(settings.now().getTime() + takenMs)
      await ctx.db.payoutSchedule.updateMany({ where: { programId }, data: { takenUntil } })
      const row = await makeOnce(ctx, schedule, due, { method, currency })
      settings.onStep?.('after scheduled run')
      if (row.state === 'prepared' && row.reason === null) await sendIfAllowed(ctx, settings, row)
    }
  await finishDay(scheduling, ctx, due)
}

/** Whether no other instance works on the schedule. */
async function take({ db, program }: ProgramCtx, { now }: ServiceSettings, before: Date | null): Promise<boolean> {
  if (before !== null && before > now()) return false
  const { count } = await db.payoutSchedule.updateMany({
    where: { programId: program.id, takenUntil: before },
    data: { takenUntil: new Date(now().getTime() + takenMs) },
  })
  return count > 0
}

type Which = { method: PayoutMethod; currency: string }

/** The run of a day. It is made at most once, because its row is written in the same transaction. */
async function makeOnce(
  ctx: ProgramCtx,
  { minimumCents }: PayoutSchedule,
  { day }: ScheduledDay,
  { method, currency }: Which,
): Promise<ScheduledRun> {
  const key = { programId: ctx.program.id, day, method, currency }
  const where = { programId_day_method_currency: key }
  const known = await ctx.db.scheduledRun.findUnique({ where })
  if (known) return known
  const now = ctx.now()
  const dates = { createdAt: now, updatedAt: now }
  const without = (state: 'skipped' | 'failed', reason: string) =>
    ctx.db.scheduledRun.create({ data: { ...key, ...dates, state, reason } })
  let draft: Awaited<ReturnType<typeof readDraft>>
  try {
    draft = await readDraft(ctx, { method, currency })
  } catch (error) {
    if (error instanceof TributaryError) return without('failed', error.message)
    throw error
  }
  try {
    return await withTransaction(
      ctx.db,
      async (tx) => {
        const run = await fillRun(tx, ctx, draft)
        if (minimumCents !== null && run.amountCents < minimumCents) throw belowMinimum(run, minimumCents)
        return tx.scheduledRun.create({ data: { ...key, ...dates, state: 'prepared', runId: run.id } })
      },
      { isLong: true },
    )
  } catch (error) {
    if (error instanceof TributaryError) return without('skipped', error.message)
    throw error
  }
}

const belowMinimum = ({ amountCents, currency }: { amountCents: bigint; currency: string }, minimum: bigint) =>
  refused(
    `${readableAmount(amountCents, currency)} can be paid, below the minimum of ${readableAmount(minimum, currency)}.`,
  )

/** Sends a run if an owner allows it up to its sum, and nobody has to approve it. */
async function sendIfAllowed(ctx: ProgramCtx, settings: ServiceSettings, row: ScheduledRun): Promise<void> {
  const { db, program } = ctx
  const schedule = await db.payoutSchedule.findUnique({ where: { programId: program.id } })
  const most = schedule?.sendUpToCents ?? null
  if (most === null || row.runId === null) return
  const run = await findPayoutRun(ctx, row.runId)
  const set = (data: Prisma.ScheduledRunUpdateManyMutationInput) =>
    db.scheduledRun.updateMany({
      where: { programId: program.id, runId: run.id, state: 'prepared' },
      data: { ...data, updatedAt: ctx.now() },
    })
  if (!serviceOf(run.method)) {
    await set({ reason: 'No service sends runs of this method by its API. A person pays its file.' })
    return
  }
  if (run.amountCents > most) {
    const sums = [run.amountCents, most].map((cents) => readableAmount(cents, run.currency))
    await set({ reason: `${sums[0]} is above ${sums[1]}, up to which runs are sent without a person.` })
    return
  }
  if (run.needsApproval && !run.approvedAt) {
    await set({ reason: 'The run needs the approval of a person.' })
    return
  }
  try {
    await sendPayoutRun(ctx, settings, run.id)
  } catch (error) {
    if (!(error instanceof TributaryError)) throw error
    await set({ state: 'failed', reason: error.message })
    return
  }
  await set({ state: 'sent' })
}

/** Tells people what became of the day, once. */
async function finishDay(
  { db, publicUrl, settings }: Scheduling,
  ctx: ProgramCtx,
  { day, at }: ScheduledDay,
): Promise<void> {
  const { program } = ctx
  // The role of a program cannot read people, to whom mails go.
  await withTransaction(db, async (tx) => {
    const where = { programId: program.id, doneUntil: { lt: at } }
    const { count } = await tx.payoutSchedule.updateMany({ where, data: { doneUntil: at, takenUntil: null } })
    if (count === 0) return
    const rows = await tx.scheduledRun.findMany({
      where: { programId: program.id, day },
      include: { run: true },
      orderBy: [{ method: 'asc' }, { currency: 'asc' }],
    })
    await queueMailsOfDay(tx, { program, publicUrl: publicUrl(), key: settings.key }, day, rows, ctx.now())
  })
}

import { withTransaction } from '../../../database/client/transaction.ts'
import type { PayoutSchedule, ScheduledRun } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { parseInput, problem } from '../../../kernel/input/parse.ts'
import { recordProgramChange } from '../../history/record.ts'
import { byHand } from '../../payout-methods/manual.ts'
import { demandSecondFactor } from '../connect.ts'
import { updatePayoutScheduleInput } from './input.ts'

const mostShown = 50

const settingsOf = ({ daysOfMonth, weekdays, methods, currencies, minimumCents, sendUpToCents }: PayoutSchedule) => ({
  daysOfMonth,
  weekdays,
  methods,
  currencies,
  minimumCents,
  sendUpToCents,
})

/** What history shows: amounts as numbers. */
const recorded = ({ minimumCents, sendUpToCents, ...rest }: ReturnType<typeof settingsOf>) => ({
  ...rest,
  minimumCents: minimumCents === null ? null : Number(minimumCents),
  sendUpToCents: sendUpToCents === null ? null : Number(sendUpToCents),
})

/** The schedule of the program, or null if it was never set. */
export const findPayoutSchedule = ({ db, program }: ProgramCtx): Promise<PayoutSchedule | null> =>
  db.payoutSchedule.findUnique({ where: { programId: program.id } })

/** What became of the last days, the latest first. */
export const listScheduledRuns = ({ db, program }: ProgramCtx): Promise<ScheduledRun[]> =>
  db.scheduledRun.findMany({
    where: { programId: program.id },
    orderBy: [{ day: 'desc' }, { method: 'asc' }, { currency: 'asc' }],
    take: mostShown,
  })

/**
 * Changes on which days runs are made without a person. Days before now are not made up for.
 * @throws INVALID_INPUT; REFUSED without a second factor, if runs are to be sent without a person
 */
export async function updatePayoutSchedule(ctx: ProgramCtx, raw: unknown): Promise<PayoutSchedule> {
  const { program } = ctx
  const before = await findPayoutSchedule(ctx)
  const known = before
    ? settingsOf(before)
    : {
        daysOfMonth: [],
        weekdays: [],
        methods: [],
        currencies: [program.currency],
        minimumCents: null,
        sendUpToCents: null,
      }
  const given = await parseInput(updatePayoutScheduleInput, raw)
  const changed = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const after: typeof known = { ...known, ...changed }
  const hasDays = after.daysOfMonth.length + after.weekdays.length > 0
  const problems = [
    ...(after.methods.includes(byHand) ? [problem('methods', "can't be by hand: a person pays each of them")] : []),
    ...(hasDays && after.methods.length === 0 ? [problem('methods', "can't be empty while there are days")] : []),
    ...(hasDays && after.currencies.length === 0 ? [problem('currencies', "can't be empty while there are days")] : []),
  ]
  if (problems.length > 0) throw invalid(problems)
  // Sending without a person needs the second factor of an owner. Turning it off does not.
  if (after.sendUpToCents !== null) await demandSecondFactor(ctx)
  const now = ctx.now()
  const row = { ...after, doneUntil: now, updatedAt: now }
  return withTransaction(ctx.db, async (tx) => {
    const stored = await tx.payoutSchedule.upsert({
      where: { programId: program.id },
      create: { ...row, programId: program.id },
      update: row,
    })
    const [from, to] = [before && recorded(settingsOf(before)), recorded(after)]
    await recordProgramChange(tx, ctx, { payoutSchedule: from }, { payoutSchedule: to }, now)
    return stored
  })
}

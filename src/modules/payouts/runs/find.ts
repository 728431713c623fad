import type { PayoutRun, Prisma } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { isId } from '../../../kernel/ids.ts'
import { findById } from '../../../kernel/lookup.ts'
import { openItem } from '../open-runs.ts'

const noun = 'Payout run'

/** @throws NOT_FOUND */
export const findPayoutRun = (
  { db, program }: ProgramCtx,
  id: string,
  query: Prisma.PayoutRunDefaultArgs = {},
): Promise<PayoutRun> =>
  findById(noun, id, (id) =>
    db.payoutRun.findUnique({ ...query, where: { programId_id: { programId: program.id, id } } }),
  )

/** Locks the row of the run, so that its steps happen one after the other. Affiliates are locked after it. */
export async function lockRun(
  tx: Prisma.TransactionClient,
  { program }: Pick<ProgramCtx, 'program'>,
  id: string,
): Promise<PayoutRun> {
  await tx.$queryRaw`select 1 from payout_runs where program_id = ${program.id}::uuid and id = ${id}::uuid for no key update`
  const run = await tx.payoutRun.findUnique({ where: { programId_id: { programId: program.id, id } } })
  if (!run) throw notFound(noun, id)
  return run
}

export type RunOfPayout = { runId: string; isOpen: boolean }

/**
 * The run that pays or paid each payout: the newest one in which its payment was not cancelled. Each is looked up in an
 * index, whatever the planner knows.
 */
export async function runsOf(
  db: Prisma.TransactionClient,
  programId: string,
  payoutIds: readonly string[],
): Promise<Map<string, RunOfPayout>> {
  if (payoutIds.length === 0) return new Map()
  const items = await db.$queryRaw<(RunOfPayout & { payoutId: string })[]>`
    select named.id::text as "payoutId", item.run_id::text as "runId", item.is_open as "isOpen"
    from unnest(${payoutIds.filter(isId)}::uuid[]) named (id), lateral (
      select run_id, ${openItem} as is_open from payout_run_items item
      where program_id = ${programId}::uuid and payout_id = named.id and state <> 'cancelled' order by id desc limit 1
    ) item`
  return new Map(items.map(({ payoutId, runId, isOpen }) => [payoutId, { runId, isOpen }]))
}

/** The open run of each payout that is in one. */
export async function openRunsOf(
  db: Prisma.TransactionClient,
  programId: string,
  payoutIds: readonly string[],
): Promise<Map<string, string>> {
  const runs = await runsOf(db, programId, payoutIds)
  return new Map([...runs].flatMap(([payoutId, { runId, isOpen }]) => (isOpen ? [[payoutId, runId]] : [])))
}

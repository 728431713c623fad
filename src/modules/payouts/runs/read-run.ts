import type { Payout, PayoutRunItem } from '../../../generated/prisma/client.ts'
import type { PayoutItemState } from '../../../generated/prisma/enums.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { changedItems } from '../open-runs.ts'
import type { SkipReason } from '../skip.ts'

// What runs show beside their columns, each for several runs in one statement, in the order of their ids.

const mostSkips = 1_000
const mostChanged = 100

export type Skip = { payout: Payout; reason: SkipReason }

export async function readSkips({ db, program }: ProgramCtx, runIds: readonly string[]): Promise<Skip[][]> {
  const rows = await db.$queryRaw<{ runId: string; payoutId: string; reason: SkipReason }[]>`
    select run_id::text as "runId", payout_id::text as "payoutId", reason from (
      select *, row_number() over (partition by run_id order by payout_id) as place from payout_run_skips
      where program_id = ${program.id}::uuid and run_id = any (${[...runIds]}::uuid[])
    ) skips where place <= ${mostSkips} order by payout_id`
  const where = { programId: program.id, id: { in: rows.map(({ payoutId }) => payoutId) } }
  const payouts = new Map((await db.payout.findMany({ where })).map((payout) => [payout.id, payout]))
  return runIds.map((id) =>
    rows.flatMap(({ runId, payoutId, reason }) => {
      const payout = runId === id ? payouts.get(payoutId) : undefined
      return payout ? [{ payout, reason }] : []
    }),
  )
}

export async function countSkips({ db, program }: ProgramCtx, runIds: readonly string[]): Promise<number[]> {
  const where = { programId: program.id, runId: { in: [...runIds] } }
  const groups = await db.payoutRunSkip.groupBy({ by: ['runId'], where, _count: true })
  return runIds.map((id) => groups.find(({ runId }) => runId === id)?._count ?? 0)
}

export type StateTotal = { state: PayoutItemState; payouts: number; amountCents: bigint }

export async function readStateTotals({ db, program }: ProgramCtx, runIds: readonly string[]): Promise<StateTotal[][]> {
  const groups = await db.payoutRunItem.groupBy({
    by: ['runId', 'state'],
    where: { programId: program.id, runId: { in: [...runIds] } },
    _count: true,
    _sum: { amountCents: true },
    orderBy: { state: 'asc' },
  })
  return runIds.map((id) =>
    groups
      .filter(({ runId }) => runId === id)
      .map(({ state, _count, _sum }) => ({ state, payouts: _count, amountCents: _sum.amountCents ?? 0n })),
  )
}

export async function readWithheldOfRuns({ db, program }: ProgramCtx, runIds: readonly string[]): Promise<bigint[]> {
  const where = { programId: program.id, runId: { in: [...runIds] } }
  const groups = await db.payoutRunItem.groupBy({ by: ['runId'], where, _sum: { withheldCents: true } })
  return runIds.map((id) => groups.find(({ runId }) => runId === id)?._sum.withheldCents ?? 0n)
}

/** Open payments whose payout has changed since the run was made. */
export async function readChanged({ db, program }: ProgramCtx, runIds: readonly string[]): Promise<PayoutRunItem[][]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    select id::text from (
      select item.id, row_number() over (partition by item.run_id order by item.id) as place
      from ${changedItems} and item.program_id = ${program.id}::uuid and item.run_id = any (${[...runIds]}::uuid[])
    ) changed where place <= ${mostChanged}`
  const where = { programId: program.id, id: { in: rows.map(({ id }) => id) } }
  const items = await db.payoutRunItem.findMany({ where, orderBy: { id: 'asc' } })
  return runIds.map((id) => items.filter(({ runId }) => runId === id))
}

/** The files as they were written, without the byte-order mark, by the ids of their runs. */
export async function readRunContents({ db, program }: ProgramCtx, runIds: readonly string[]): Promise<string[]> {
  const where = { programId: program.id, runId: { in: [...runIds] } }
  const parts = await db.payoutRunFilePart.findMany({ where, orderBy: { number: 'asc' } })
  return runIds.map((id) =>
    parts
      .filter(({ runId }) => runId === id)
      .map(({ content }) => content)
      .join(''),
  )
}

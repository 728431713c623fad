import type { ProgramCtx } from '../../kernel/context.ts'

/** The number of recorded visits of each referral, in the order of the ids. Runs one statement. */
export async function countVisits({ db, program }: ProgramCtx, referralIds: readonly string[]): Promise<number[]> {
  const rows = await db.visit.groupBy({
    by: ['referralId'],
    where: { programId: program.id, referralId: { in: [...referralIds] } },
    _count: { _all: true },
  })
  const found = new Map(rows.map(({ referralId, _count }) => [referralId, _count._all]))
  return referralIds.map((id) => found.get(id) ?? 0)
}

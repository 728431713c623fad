import type { ProgramCtx } from '../../kernel/context.ts'

/**
 * With which API key each of these payouts was last marked as paid, in the order of their ids: null where it was an
 * operator, or before there was a history. One statement.
 */
export async function whoPaid({ db, program }: ProgramCtx, payoutIds: readonly string[]): Promise<(string | null)[]> {
  const changes = await db.change.findMany({
    where: { programId: program.id, subject: 'payout', subjectId: { in: [...payoutIds] }, action: 'paid' },
    select: { subjectId: true, actorKind: true, actorId: true },
    orderBy: { id: 'asc' },
  })
  const keys = new Map(
    changes.map((change) => [change.subjectId, change.actorKind === 'api_key' ? change.actorId : null]),
  )
  return payoutIds.map((id) => keys.get(id) ?? null)
}

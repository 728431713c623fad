import type { ProgramCtx } from '../../kernel/context.ts'

/**
 * The ids of the API keys that marked payouts as paid, in order, in one statement; null for the operator, or if
 * unknown.
 */
export async function readPayingKeyIds(
  { db, program }: ProgramCtx,
  payoutIds: readonly string[],
): Promise<(string | null)[]> {
  const changes = await db.change.findMany({
    where: { programId: program.id, subject: 'payout', subjectId: { in: [...payoutIds] }, action: 'paid' },
    select: { subjectId: true, actorKind: true, actorId: true },
    orderBy: { id: 'asc' },
  })
  const keyIds = new Map(
    changes.map((change) => [change.subjectId, change.actorKind === 'api_key' ? change.actorId : null]),
  )
  return payoutIds.map((id) => keyIds.get(id) ?? null)
}

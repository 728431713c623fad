import type { Db } from '../context.ts'
import type { ImportKind } from '../generated/prisma/enums.ts'
import { isStorable } from '../input/fields.ts'

/**
 * Says what a record that was imported is called here, by its id at the source: clients, and the cookies of browsers,
 * still name it so.
 */
export const idOfFormer =
  ({ db, program }: { db: Db; program: { id: string } }, kind: ImportKind) =>
  async (externalId: string): Promise<string | null> => {
    if (!isStorable(externalId)) return null
    const programId_kind_externalId = { programId: program.id, kind, externalId }
    const record = await db.importedRecord.findUnique({ where: { programId_kind_externalId }, select: { id: true } })
    return record?.id ?? null
  }

/** What each of these rows is called on the server that it was imported from, in their order. */
export async function externalIdsOf(
  { db, programId }: { db: Db; programId: string },
  ids: readonly string[],
): Promise<(string | null)[]> {
  const where = { programId, id: { in: [...ids] } }
  const records = await db.importedRecord.findMany({ where, select: { id: true, externalId: true, kind: true } })
  const byId = new Map(records.filter(({ kind }) => kind !== 'payout_line').map((one) => [one.id, one.externalId]))
  return ids.map((id) => byId.get(id) ?? null)
}

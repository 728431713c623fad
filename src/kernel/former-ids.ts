import type { ImportKind } from '../generated/prisma/enums.ts'
import type { Db } from './context.ts'
import { ownCase } from './ids.ts'
import { isStorable } from './input/fields.ts'

/**
 * Says what a record that was imported is called here, by its id at the source: clients, and the cookies of browsers,
 * still name it so.
 */
export const idOfFormer =
  ({ db, program }: { db: Db; program: { id: string } }, kind: ImportKind) =>
  async (externalId: string): Promise<string | null> => {
    if (!isStorable(externalId)) return null
    const where = { programId: program.id, kind, externalId: { in: [externalId, ownCase(externalId)] } }
    const record = await db.importedRecord.findFirst({ where, select: { id: true } })
    return record?.id ?? null
  }

const references = { affiliateId: 'affiliate', campaignId: 'campaign' } as const

/** An input in which what another server called an affiliate or a campaign is named as it is here; one statement at most. */
export async function withOwnIds<T extends object>(
  { db, program }: { db: Db; program: { id: string } },
  input: T,
): Promise<T> {
  const named = Object.entries(references).flatMap(([field, kind]) => {
    const externalId = (input as Record<string, unknown>)[field]
    return typeof externalId === 'string' && externalId && isStorable(externalId) ? [{ field, kind, externalId }] : []
  })
  if (named.length === 0) return input
  const where = {
    programId: program.id,
    OR: named.map(({ kind, externalId }) => ({ kind, externalId: { in: [externalId, ownCase(externalId)] } })),
  }
  const records = await db.importedRecord.findMany({ where, select: { kind: true, id: true } })
  const own = named.flatMap(({ field, kind }) => {
    const id = records.find((record) => record.kind === kind)?.id
    return id ? [[field, id]] : []
  })
  return { ...input, ...Object.fromEntries(own) }
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

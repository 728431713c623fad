import type { ImportKind } from '../generated/prisma/enums.ts'
import type { Db } from './db.ts'
import { isId, ownCase } from './ids.ts'
import { isStorable } from './text.ts'

/** Ids that records had on the server that they came from. Clients and cookies of browsers still send them. */

/** A program, and the database or transaction in which to look. */
export type ProgramScope = { db: Db; program: { id: string } }
type ImportedId = { kind: ImportKind; importedId: string }

/** The texts to look up a client's id by. Null for what it cannot be, or what cannot be stored. */
export function idSpellings(id: string): { ownId: string | null; given: string | null; inOwnCase: string | null } {
  const own = ownCase(id)
  const isImportable = id !== '' && isStorable(id)
  return { ownId: isId(own) ? own : null, given: isImportable ? id : null, inOwnCase: isImportable ? own : null }
}

/** Returns the own id of each imported id, in order; null if no record has it. It runs at most one statement. */
async function ownIdsOf({ db, program }: ProgramScope, importedIds: readonly ImportedId[]): Promise<(string | null)[]> {
  const conditions = importedIds
    .filter(({ importedId }) => importedId && isStorable(importedId))
    .map(({ kind, importedId }) => ({ kind, externalId: { in: [importedId, ownCase(importedId)] } }))
  if (conditions.length === 0) return importedIds.map(() => null)
  const records = await db.importedRecord.findMany({
    where: { programId: program.id, OR: conditions },
    select: { kind: true, externalId: true, id: true },
  })
  return importedIds.map(({ kind, importedId }) => {
    const spellings = [importedId, ownCase(importedId)]
    return records.find((record) => record.kind === kind && spellings.includes(record.externalId))?.id ?? null
  })
}

/** Returns the own id of an imported record; null if no record has the imported id. */
export async function ownIdOf(scope: ProgramScope, kind: ImportKind, importedId: string): Promise<string | null> {
  const [id] = await ownIdsOf(scope, [{ kind, importedId }])
  return id ?? null
}

const referenceKinds: Record<string, ImportKind> = { affiliateId: 'affiliate', campaignId: 'campaign' }

/** Replaces imported ids of affiliates and campaigns in an input with own ids, in a program. */
export async function withOwnIds<T extends object>(
  { db, program }: { db: Db; program: ProgramScope['program'] | null },
  input: T,
): Promise<T> {
  const references = Object.entries(input).flatMap(([field, value]) => {
    const kind = Object.hasOwn(referenceKinds, field) ? referenceKinds[field] : undefined
    return kind && typeof value === 'string' ? [{ field, kind, importedId: value }] : []
  })
  if (!program || references.length === 0) return input
  const ownIds = await ownIdsOf({ db, program }, references)
  const replaced = references.flatMap(({ field }, index) => (ownIds[index] ? [[field, ownIds[index]]] : []))
  return { ...input, ...Object.fromEntries(replaced) }
}

/** Returns the imported id of each record, in order; null if the record was not imported. */
export async function importedIdsOf(
  { db, programId }: { db: Db; programId: string },
  ids: readonly string[],
): Promise<(string | null)[]> {
  const where = { programId, id: { in: [...ids] } }
  const records = await db.importedRecord.findMany({ where, select: { id: true, externalId: true, kind: true } })
  const byId = new Map(records.filter(({ kind }) => kind !== 'payout_line').map((one) => [one.id, one.externalId]))
  return ids.map((id) => byId.get(id) ?? null)
}

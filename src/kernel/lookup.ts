import type { ImportKind } from '../generated/prisma/enums.ts'
import { notFound } from './errors.ts'
import { isId, ownCase } from './ids.ts'
import { ownIdOf, type ProgramScope } from './imported-ids.ts'

/** Finds a record by its id. @param resource in words, for the error: "API key" @throws NOT_FOUND */
export async function findById<T>(resource: string, id: string, read: (id: string) => Promise<T | null>): Promise<T> {
  const row = await readIfId(id, read)
  if (row === null) throw notFound(resource, id)
  return row
}

type ProgramKey = { programId_id: { programId: string; id: string } }

/** Finds a record of the program by its id or, if no record has the id, by its imported id. @throws NOT_FOUND */
export async function findByIdOrImportedId<T>(
  ctx: ProgramScope,
  kind: ImportKind,
  id: string,
  read: (where: ProgramKey) => Promise<T | null>,
): Promise<T> {
  const row = await readByIdOrImportedId(ctx, kind, id, read)
  if (row === null) throw notFound(inWords(kind), id)
  return row
}

export async function readByIdOrImportedId<T>(
  ctx: ProgramScope,
  kind: ImportKind,
  id: string,
  read: (where: ProgramKey) => Promise<T | null>,
): Promise<T | null> {
  const readOwn = (ownId: string) => read({ programId_id: { programId: ctx.program.id, id: ownId } })
  const row = await readIfId(id, readOwn)
  if (row !== null) return row
  const ownId = await ownIdOf(ctx, kind, id)
  return ownId === null ? null : readOwn(ownId)
}

async function readIfId<T>(id: string, read: (id: string) => Promise<T | null>): Promise<T | null> {
  const own = ownCase(id)
  return isId(own) ? read(own) : null
}

const inWords = (kind: ImportKind) => kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll('_', ' ')

/** Sorts rows in the order of the ids. Ids without a row are left out. */
export function inOrder<T extends { id: string }>(ids: readonly string[], rows: readonly T[]): T[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

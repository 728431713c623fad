import { notFound } from './errors.ts'
import { isId, ownCase } from './ids.ts'

/**
 * The row with this id. An id of no valid form is looked up nowhere: no row has it, and the database would answer an error.
 *
 * @param resource in words, as a sentence begins: "Affiliate link"
 * @param idOfFormer the id of what had this one on another server, asked where nothing has it here
 * @throws NOT_FOUND
 */
export async function findById<T>(
  resource: string,
  id: string,
  read: (id: string) => Promise<T | null>,
  idOfFormer: (formerId: string) => Promise<string | null> = async () => null,
): Promise<T> {
  const own = ownCase(id)
  const row = isId(own) ? await read(own) : null
  if (row !== null) return row
  const ownId = await idOfFormer(id)
  const found = ownId === null ? null : await read(ownId)
  if (found === null) throw notFound(resource, id)
  return found
}

/** Rows in the order of these ids; one that is not there is left out. */
export function inOrder<T extends { id: string }>(ids: readonly string[], rows: readonly T[]): T[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

import { notFound } from './errors.ts'
import { isId } from './ids.ts'

/**
 * The row with this id. An id of no valid form is looked up nowhere: no row has it, and the database would answer an error.
 *
 * @param resource in words, as a sentence begins: "Affiliate link"
 * @throws NOT_FOUND
 */
export async function findById<T>(resource: string, id: string, read: () => Promise<T | null>): Promise<T> {
  const row = isId(id) ? await read() : null
  if (row === null) throw notFound(resource, id)
  return row
}

/** Rows in the order of these ids; one that is not there is left out. */
export function inOrder<T extends { id: string }>(ids: readonly string[], rows: readonly T[]): T[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

import { isObject, type Row } from '../../parts/result/values.ts'
import type { Operation, Result } from '../send-operation.ts'
import { type Connection, pageKey, totalKey } from './paging.ts'

/** More rows would make the browser slow. Exports have no limit. */
export const maxAllRows = 100_000

const pageSize = 100

type Send = (operation: Operation) => Promise<Result>

/** Reads the number of rows on all pages. Returns null if the service does not give it. */
export async function readTotal({ countQuery, path }: Connection, send: Send): Promise<number | null> {
  const total = at(await send(countQuery).then(({ data }) => data), path)?.[totalKey]
  return typeof total === 'number' ? total : null
}

/** All rows as a connection, and whether there are more than the limit. */
export type AllRows = { connection: Row; count: number; isCut: boolean }

/**
 * Reads every page of a connection, from the first row on.
 * @param onProgress called after each page with the number of rows so far
 * @returns null if the signal aborts
 * @throws with the service's message, and without any rows
 */
export async function readAllRows(
  connection: Connection,
  send: Send,
  {
    signal,
    onProgress,
    limit = maxAllRows,
  }: { signal: AbortSignal; onProgress: (rows: number) => void; limit?: number },
): Promise<AllRows | null> {
  const pages: Row[] = []
  let [size, after, count] = [pageSize, null as string | null, 0]
  for (;;) {
    const result = await send(connection.pageQuery(size, after))
    if (signal.aborted) return null
    const page = at(result.data, connection.path)
    if (result.errors?.length || !page) {
      // A page of the query's own size is known to be cheap enough.
      const isTooLarge = result.errors?.[0]?.extensions?.code === 'QUERY_TOO_COMPLEX' && size > connection.size
      if (!isTooLarge) throw new Error(result.errors?.[0]?.message ?? 'The service returned no rows.')
      size = connection.size
      continue
    }
    pages.push(page)
    count += rowsOf(page).length
    onProgress(count)
    const { hasNextPage, endCursor } = (page[pageKey] ?? {}) as { hasNextPage?: boolean; endCursor?: string | null }
    const isCut = count >= limit && Boolean(hasNextPage)
    if (!hasNextPage || !endCursor || isCut) return { connection: joined(pages), count, isCut }
    after = endCursor
  }
}

const rowsOf = ({ nodes, edges }: Row): unknown[] => (Array.isArray(nodes) ? nodes : Array.isArray(edges) ? edges : [])

function joined(pages: Row[]): Row {
  const [first = {}] = pages
  const lists = ['nodes', 'edges'].filter((name) => Array.isArray(first[name]))
  return Object.fromEntries(lists.map((name) => [name, pages.flatMap((page) => page[name] as unknown[])]))
}

function at(data: unknown, path: string[]): Row | null {
  const [key, ...rest] = path
  if (!isObject(data)) return null
  return key === undefined ? data : at(data[key], rest)
}

/** The data of the result with other rows in one connection. */
export function replaceRows(data: unknown, [key, ...rest]: string[], rows: Row): unknown {
  if (!isObject(data)) return data
  return key === undefined ? { ...data, ...rows } : { ...data, [key]: replaceRows(data[key], rest, rows) }
}

const exported = new Set(['affiliates', 'customers', 'referrals', 'sales', 'refunds', 'commissions', 'payouts'])

/** The address that returns all rows of a list as one file. Null if the list has no export. */
export const exportPathOf = ({ noun }: Connection): string | null => (exported.has(noun) ? `/v1/exports/${noun}` : null)

import { useEffect, useMemo, useRef, useState } from 'react'
import { formatNumber } from '../../parts/locale.ts'
import type { Table } from '../../parts/result/tables.ts'
import { showNotice } from '../notice.tsx'
import { createSendOperation, type Operation, type Result } from '../send-operation.ts'
import { useSentOperation } from '../sent-operations.ts'
import { currentSession } from '../session.ts'
import { type AllRows, exportPathOf, readAllRows, readTotal, replaceRows } from './all-rows.ts'
import { type Connection, findConnection } from './paging.ts'

export type Paging = {
  /** The number of rows on all pages. Undefined if it is unknown, or if the table is not a page. */
  total: number | undefined
  /** True if the table has only some of the rows, as far as is known. */
  isPartial: boolean
  /** The number of rows read so far, while all rows are read. */
  progress: number | null
  /** What is said when there are more rows than the page can hold. */
  limitNote: string | null
  readAll(): void
  stop(): void
}

/** Reads further pages with the key of the session. Only queries are sent, so there is one result. */
const send = async (operation: Operation): Promise<Result> =>
  (await createSendOperation(currentSession(), () => {})(operation)) as Result

/**
 * Returns how many rows a table's list has, and reads all of them on demand.
 * @param table the table as it is in the response
 * @returns the data of the response, with all rows once they are read, and the state
 */
export function usePaging(
  tab: string,
  response: string,
  data: unknown,
  table: Table | undefined,
): { data: unknown; paging: Paging } {
  const operation = useSentOperation(tab, response)
  const tableName = table?.name
  const connection = useMemo(
    () => (operation && tableName ? findConnection(operation, tableName) : null),
    [operation, tableName],
  )
  const [all, setAll] = useState<Record<string, { response: string; path: string[]; rows: AllRows }>>({})
  const read = all[tab]?.response === response && all[tab]?.path.join('.') === tableName ? all[tab] : undefined
  const merged = useMemo(() => (read ? replaceRows(data, read.path, read.rows.connection) : data), [data, read])
  const rows = table?.rows.length ?? 0
  const isFullPage = connection !== null && (rows >= connection.size || connection.isLaterPage)
  const counted = useTotal(isFullPage && table?.total === undefined ? connection : null)
  const total = table?.total ?? counted
  const { progress, start, stop } = useReading(connection, (found, allRows) =>
    setAll((others) => ({ ...others, [tab]: { response, path: found.path, rows: allRows } })),
  )
  const exportPath = connection && exportPathOf(connection)
  const isPartial = connection !== null && (total === undefined ? isFullPage : rows < total)
  const limitNote = read?.rows.isCut
    ? `The page holds no more rows. ${exportPath ? `GET ${exportPath} returns all of them as one file.` : 'Narrow the query with where.'}`
    : null
  return {
    data: merged,
    paging: { total, isPartial: isPartial && !read, progress, limitNote, readAll: start, stop },
  }
}

/** The number of rows of a connection, for queries that do not ask for it. */
function useTotal(connection: Connection | null): number | undefined {
  const [counted, setCounted] = useState<{ connection: Connection; total: number | null }>()
  useEffect(() => {
    if (!connection) return
    let isCurrent = true
    readTotal(connection, send).then(
      (total) => isCurrent && setCounted({ connection, total }),
      () => {},
    )
    return () => {
      isCurrent = false
    }
  }, [connection])
  return counted && counted.connection === connection ? (counted.total ?? undefined) : undefined
}

/** Reads all rows once at a time. Another result or tab stops it, and then no rows are kept. */
function useReading(connection: Connection | null, onRead: (connection: Connection, rows: AllRows) => void) {
  const [progress, setProgress] = useState<number | null>(null)
  const abort = useRef<AbortController>(null)
  const stop = () => {
    abort.current?.abort()
    abort.current = null
    setProgress(null)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the connection only triggers the cleanup
  useEffect(() => stop, [connection])
  const start = async () => {
    if (!connection) return
    const own = new AbortController()
    abort.current = own
    setProgress(0)
    try {
      const rows = await readAllRows(connection, send, { signal: own.signal, onProgress: setProgress })
      if (!rows) return
      onRead(connection, rows)
      showNotice(`${formatNumber(rows.count)} rows read.`)
    } catch (error) {
      if (own.signal.aborted) return
      const reason = error instanceof Error ? error.message : String(error)
      showNotice(`Not all rows could be read: ${reason} The page still shows the first rows.`)
    }
    if (abort.current === own) stop()
  }
  return { progress, start: () => void start(), stop }
}

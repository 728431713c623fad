import type pg from 'pg'
import type { SqlDatabase, TextRow } from '../../kernel/db.ts'
import { submit } from '../seams/pg.ts'
import { type Read, ReadBatch } from './read-batch.ts'

type Pending = Read & { rows: Promise<TextRow[]>; resolve(rows: TextRow[]): void; reject(error: unknown): void }

/** Short reads in one message. More would let the last ones wait for many others. */
const maximumShared = 16

/**
 * Reads whose rows are text. Short ones that begin in one turn of the event loop share a message and a connection. A
 * read that can take long has its own message, so that no other waits for it.
 */
export function createTextReads(pool: pg.Pool): Pick<SqlDatabase, 'textRows' | 'sharedTextRows'> {
  let own: Pending[] = []
  /** By statement and values. */
  let shared = new Map<string, Pending>()

  const send = (reads: Pending[]) => {
    const batch = new ReadBatch(reads)
    submit(pool, batch, (error) => {
      // What is left of a query must lead to no rows: they would stay in memory until a full collection.
      const results = batch.results.splice(0)
      const ended = reads.splice(0, results.length)
      for (const [index, { resolve }] of ended.entries()) resolve(results[index] as TextRow[])
      // Those after the one that failed were not run.
      const [failed, ...skipped] = reads.splice(0)
      failed?.reject(error)
      if (error && skipped.length > 0) send(skipped)
    })
  }

  const sendAll = () => {
    const short = [...shared.values()]
    const long = own
    shared = new Map()
    own = []
    // The key of a request, and its page.
    if (short.length === 1 && long.length === 1) return send([...short, ...long])
    for (let start = 0; start < short.length; start += maximumShared) send(short.slice(start, start + maximumShared))
    for (const read of long) send([read])
  }

  const add = (statement: Read['statement'], values: readonly unknown[]): Pending => {
    if (own.length === 0 && shared.size === 0) setImmediate(sendAll)
    let settle: Pick<Pending, 'resolve' | 'reject'> | undefined
    const rows = new Promise<TextRow[]>((resolve, reject) => {
      settle = { resolve, reject }
    })
    return { statement, values, rows, ...(settle as NonNullable<typeof settle>) }
  }

  return {
    textRows: (statement, values = []) => {
      const read = add(statement, values)
      own.push(read)
      return read.rows
    },
    sharedTextRows: (statement, values = []) => {
      const key = `${statement.name} ${JSON.stringify(values, withBigints)}`
      const read = shared.get(key) ?? add(statement, values)
      shared.set(key, read)
      return read.rows
    },
  }
}

/** JSON has no 64-bit integers. */
const withBigints = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? { bigint: `${value}` } : value

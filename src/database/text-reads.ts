import type pg from 'pg'
import { type Read, ReadBatch } from './read-batch.ts'
import type { SqlDatabase, TextRow } from './sql.ts'

type Pending = Read & { resolve(rows: TextRow[]): void; reject(error: unknown): void }

/** Reads whose rows are text. Reads that wait for the next one are sent with it. */
export function createTextReads(pool: pg.Pool): Pick<SqlDatabase, 'textRows' | 'textRowsWithNext'> {
  let waiting: Pending[] = []

  const send = (reads: Pending[]) => {
    const batch = new ReadBatch(reads)
    // The types of pg do not know queries of one's own.
    const query = pool.query.bind(pool) as unknown as (
      batch: ReadBatch,
      done: (error: Error | undefined) => void,
    ) => void
    query(batch, (error) => {
      const { results } = batch
      for (const [index, { resolve, reject }] of reads.entries()) {
        const rows = results[index]
        if (rows) resolve(rows)
        else if (index === results.length) reject(error)
      }
      // Those after the one that failed were not run.
      const skipped = reads.slice(results.length + 1)
      if (error && skipped.length > 0) send(skipped)
    })
  }

  const sendWaiting = () => {
    if (waiting.length === 0) return
    const reads = waiting
    waiting = []
    send(reads)
  }

  const read = (statement: Read['statement'], values: readonly unknown[], add: (read: Pending) => void) =>
    new Promise<TextRow[]>((resolve, reject) => add({ statement, values, resolve, reject }))

  return {
    textRows: (statement, values = []) =>
      read(statement, values, (pending) => {
        const reads = [...waiting, pending]
        waiting = []
        send(reads)
      }),
    textRowsWithNext: (statement, values = []) =>
      read(statement, values, (pending) => {
        waiting.push(pending)
        if (waiting.length === 1) afterThisTurn(sendWaiting)
      }),
  }
}

/** Calls back after the promises and ticks that follow from the current event, and before the next event. */
function afterThisTurn(callback: () => void, rounds = 2): void {
  // Ticks run before promises, and promises until none is left.
  const next = rounds === 0 ? callback : () => queueMicrotask(() => afterThisTurn(callback, rounds - 1))
  process.nextTick(next)
}

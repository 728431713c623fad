import type pg from 'pg'
import type { SqlDatabase, Statement, TextRow } from '../../kernel/db.ts'
import { statement } from '../client/sql.ts'
import { prepareValue, submit, type Wire } from '../seams/pg.ts'

export type Read = { statement: Statement<unknown>; values: readonly unknown[] }

/** A batch is one transaction, so the setting ends with it. */
const planOnce: Read = {
  statement: statement(`select set_config('plan_cache_mode', 'force_generic_plan', true)`),
  values: [],
}

type Callback = (error: Error | null, batch: ReadBatch) => void

/** Prepared statements in one round trip, with rows of text. pg takes it as a query, and calls the methods. */
export class ReadBatch {
  /** The rows of each statement that is complete; fewer than statements if one has failed. */
  readonly results: TextRow[][] = []
  /** The tag of each complete statement: "COMMIT". */
  readonly tags: string[] = []
  callback: Callback | undefined
  /** The names that the connection keeps track of. */
  readonly names: readonly string[]
  /** Set where the session is not the connection's own: every statement is parsed again. */
  isUnnamed = false
  isEnded = false
  query_timeout = 0
  #reads: readonly Read[]
  /** How many statements the batch adds before the caller's. */
  #settings: number
  #rows: TextRow[] = []

  constructor(reads: readonly Read[]) {
    const isPlannedOnce = reads.some(({ statement }) => statement.isPlannedOnce)
    this.#reads = isPlannedOnce ? [planOnce, ...reads] : reads
    this.#settings = isPlannedOnce ? 1 : 0
    this.names = this.#reads.map(({ statement }) => statement.name)
  }

  submit(connection: Wire): null {
    const { stream, parsedStatements } = connection
    stream.cork()
    try {
      for (const { statement, values } of this.#reads) {
        const { text } = statement
        const name = this.isUnnamed ? '' : statement.name
        if (this.isUnnamed || parsedStatements[name] === undefined) {
          connection.parse({ name, text })
          if (!this.isUnnamed) parsedStatements[name] = text
        }
        connection.bind({ statement: name, values, valueMapper: prepareValue })
        connection.execute({})
      }
      connection.sync()
    } finally {
      stream.uncork()
    }
    this.#reads = []
    return null
  }

  handleDataRow({ fields }: { fields: TextRow }): void {
    this.#rows.push(fields)
  }

  handleCommandComplete({ text }: { text: string }): void {
    if (this.#settings > 0) this.#settings -= 1
    else {
      this.tags.push(text)
      this.results.push(this.#rows)
    }
    this.#rows = []
  }

  handleReadyForQuery(): void {
    this.isEnded = true
    this.callback?.(null, this)
  }

  /** The connection is closed after an error, so what it has prepared does not matter any more. */
  handleError(error: Error): void {
    this.isEnded = true
    this.callback?.(error, this)
  }

  /** Ends it without the server. What arrives later is ignored. */
  fail(error: Error): void {
    this.handleError(error)
    this.callback = undefined
  }

  handleRowDescription(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
}

type Pending = Read & { rows: Promise<TextRow[]>; resolve(rows: TextRow[]): void; reject(error: unknown): void }

/** Short reads in one message. More would let the last ones wait for many others. */
const maximumShared = 16

/**
 * Reads whose rows are text. Short ones that begin in one turn of the event loop share a message and a connection. A
 * read that can take long has its own message, so that no other waits for it.
 */
export function createTextReads(pool: pg.Pool): Pick<SqlDatabase, 'textRows' | 'sharedTextRows'> {
  let own: Pending[] = []
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

import type { Statement, TextRow } from '../../kernel/db.ts'
import { statement } from '../client/sql.ts'
import { prepareValue, type Wire } from '../seams/pg.ts'

export type Read = { statement: Statement<unknown>; values: readonly unknown[] }

/** A batch is one transaction, so the setting ends with it. */
const planOnce: Read = {
  statement: statement(`select set_config('plan_cache_mode', 'force_generic_plan', true)`),
  values: [],
}

type Callback = (error: Error | null, batch: ReadBatch) => void

/**
 * Prepared statements in one round trip. Their rows are arrays of text, so columns need not be described. pg takes it
 * as a query, and calls the methods.
 */
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
  /** For pg: how long it may take, in milliseconds. */
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

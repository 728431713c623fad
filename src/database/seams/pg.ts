import pg from 'pg'
import type { Statement, TextRow } from '../../kernel/db.ts'
import { requireDetails } from '../../kernel/library-details.ts'
import { statement } from '../client/sql.ts'

/** The connection below a client. */
export type Wire = {
  stream: { bytesRead: number; destroyed: boolean; cork(): void; uncork(): void; destroy(): void }
  /** The text of each statement that was prepared, by its name. */
  parsedStatements: Record<string, string | undefined>
  parse(message: { name: string; text: string }): void
  bind(message: { statement: string; values: readonly unknown[]; valueMapper: (value: unknown) => unknown }): void
  execute(message: object): void
  sync(): void
  close(message: { type: 'S'; name: string }): void
  on(event: string, listener: (message: object) => void): void
  emit(event: string, message: object): void
}

type Place = { host: string; port: number }

type Details = Place & {
  connection: Wire
  connectionParameters: Place
  processID: number | null
  secretKey: number | null
  unref(): void
}

const detailsOf = (client: pg.ClientBase) => client as unknown as Details
const { utils } = pg as unknown as { utils?: { prepareValue(value: unknown): unknown } }

export const wireOf = (client: pg.ClientBase): Wire => detailsOf(client).connection

/** Closes a connection whose server does not respond, without waiting for the server. */
export const destroySocket = (client: pg.ClientBase): void => wireOf(client).stream.destroy()

/** A connection that keeps no process alive. */
export const unref = (client: pg.ClientBase): void => detailsOf(client).unref()

/** What identifies a connection to the server. */
export function backendOf(client: pg.ClientBase): Pick<Details, 'host' | 'port' | 'processID' | 'secretKey'> {
  return detailsOf(client)
}

/** Makes a client that is not connected connect to this server. */
export function pointAt(client: pg.ClientBase, { host, port }: Place): void {
  Object.assign(detailsOf(client).connectionParameters, { host, port })
  Object.assign(client, { host, port })
}

export const prepareValue = (value: unknown): unknown => utils?.prepareValue(value)

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

/** Sends a batch. pg calls its methods, and then `done`. */
export function submit(
  to: pg.Pool | pg.ClientBase,
  batch: ReadBatch,
  done: (error: Error | null | undefined) => void,
): void {
  const query = to.query.bind(to) as unknown as (given: ReadBatch, settled: typeof done) => void
  query(batch, done)
}

export const poolWith = (options: pg.PoolConfig, Client: new (config?: pg.ClientConfig) => pg.Client): pg.Pool =>
  new pg.Pool({ ...options, Client: Client as never })

const wireMethods = ['parse', 'bind', 'execute', 'sync', 'close', 'on', 'emit'] as const

/** @throws if an upgrade of pg has removed a detail */
export function checkPg(client: pg.ClientBase = new pg.Client()): void {
  const { connection, connectionParameters, unref } = detailsOf(client)
  requireDetails('pg', 'src/database/seams/pg.ts', {
    'client.connection': connection !== undefined,
    'connection.stream': typeof connection?.stream?.destroy === 'function',
    'connection.parsedStatements': typeof connection?.parsedStatements === 'object',
    ...Object.fromEntries(
      wireMethods.map((name) => [`connection.${name}()`, typeof connection?.[name] === 'function']),
    ),
    'client.connectionParameters.host': connectionParameters?.host !== undefined,
    'client.host': 'host' in client,
    'client.processID': 'processID' in client,
    'client.secretKey': 'secretKey' in client,
    'client.unref()': typeof unref === 'function',
    'utils.prepareValue()': typeof utils?.prepareValue === 'function',
  })
}

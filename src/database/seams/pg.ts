import pg from 'pg'
import { requireDetails } from '../../kernel/library-details.ts'

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
  attachListeners(stream: NodeJS.ReadableStream): void
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

/** A query of one's own: pg calls its methods. */
export type Submitted = { submit(connection: Wire): null; callback: unknown }

export function submit<B extends Submitted>(
  to: pg.Pool | pg.ClientBase,
  batch: B,
  done: (error: Error | null | undefined) => void,
): void {
  const query = to.query.bind(to) as unknown as (batch: B, done: (error: Error | null | undefined) => void) => void
  query(batch, done)
}

export const poolWith = (options: pg.PoolConfig, Client: new (config?: pg.ClientConfig) => pg.Client): pg.Pool =>
  new pg.Pool({ ...options, Client: Client as never })

const wireMethods = ['parse', 'bind', 'execute', 'sync', 'close', 'attachListeners', 'on', 'emit'] as const

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

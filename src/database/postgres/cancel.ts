import { connect } from 'node:net'
import type pg from 'pg'
import type { Logger } from 'pino'

const cancelRequestCode = 80_877_102
const patienceMs = 2_000

/** What identifies a connection to the server. The types of pg do not declare it. */
type Identified = pg.ClientBase & { host: string; port: number; processID: number | null; secretKey: number | null }

const leftRunning = new WeakSet<pg.ClientBase>()

/** PgBouncer 1.18 and some later versions crash after many requests to cancel, and lose every connection. */
export const neverCancel = (client: pg.ClientBase): void => void leftRunning.add(client)

/**
 * Asks the server to cancel the running statement, by the protocol's request, which poolers know. It may arrive after
 * the statement has ended, so the connection must not be used by anybody else afterwards.
 */
export function cancelStatement(client: pg.ClientBase, log: Logger): void {
  const { host, port, processID, secretKey } = client as Identified
  if (leftRunning.has(client) || processID === null || secretKey === null) return
  const request = Buffer.alloc(16)
  for (const [index, value] of [16, cancelRequestCode, processID, secretKey].entries())
    request.writeInt32BE(value, index * 4)
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
  socket.setTimeout(patienceMs, () => socket.destroy())
  socket.on('error', (err) => log.warn({ err }, 'database statement not cancelled'))
  socket.end(request)
}

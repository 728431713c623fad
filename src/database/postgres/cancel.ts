import { connect } from 'node:net'
import type pg from 'pg'
import type { Logger } from 'pino'
import { backendOf } from '../seams/pg.ts'
import { PooledClient } from './connection.ts'

const cancelRequestCode = 80_877_102
const patienceMs = 2_000

/**
 * Asks the server to cancel the running statement, by the protocol's request, which poolers know. It may arrive after
 * the statement has ended, so the connection must not be used by anybody else afterwards.
 */
export function cancelStatement(client: pg.ClientBase, log: Logger): void {
  const { host, port, processID, secretKey } = backendOf(client)
  if (processID === null || secretKey === null) return
  // PgBouncer before 1.21 crashes after many requests to cancel, and loses every connection.
  if (client instanceof PooledClient && !client.keepsPrepared) return
  const request = Buffer.alloc(16)
  for (const [index, value] of [16, cancelRequestCode, processID, secretKey].entries())
    request.writeInt32BE(value, index * 4)
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
  socket.setTimeout(patienceMs, () => socket.destroy())
  socket.on('error', (err) => log.warn({ err }, 'database statement not cancelled'))
  socket.end(request)
}

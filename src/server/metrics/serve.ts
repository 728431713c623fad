import { createServer } from 'node:http'
import { isRead } from '../../http/incoming.ts'
import { failure } from '../../http/statuses.ts'
import { unauthenticated } from '../../kernel/errors.ts'
import { isSameSecret } from '../../kernel/same-secret.ts'
import type { Handler } from '../handler.ts'
import type { Metrics } from './metrics.ts'

/** `/metrics` for callers with the token. Without a token, the path does not exist. */
export function createMetricsHandler({ read }: Pick<Metrics, 'read'>, token: string | undefined): Handler {
  return async (incoming) => {
    if (token === undefined || incoming.path !== '/metrics' || !isRead(incoming)) return null
    if (!isBearer(incoming.header('authorization'), token)) throw unauthenticated(invalidToken)
    const { contentType, text } = await read()
    return { status: 200, headers: { 'Content-Type': contentType, 'Cache-Control': 'no-store' }, body: text }
  }
}

/** `/metrics` on the main port, without the setting that serves them there. @param isElsewhere on METRICS_PORT */
export const createMetricsHint =
  (isElsewhere: boolean): Handler =>
  (incoming) => {
    if (incoming.path !== '/metrics' || !isRead(incoming)) return null
    const error = isElsewhere
      ? 'Metrics are served on METRICS_PORT, not here.'
      : 'Set METRICS_TOKEN, or METRICS_PORT, to serve metrics: see docs/monitoring.md.'
    return failure('NOT_FOUND', { error })
  }

/** A server for `/metrics` on a separate port. With a token, callers need it there too. */
export function createMetricsServer(read: Metrics['read'], token: string | undefined) {
  return createServer(async (request, response) => {
    const { url = '', method, headers } = request
    if (method !== 'GET' || url.split('?')[0] !== '/metrics') return response.writeHead(404).end()
    if (token !== undefined && !isBearer(headers.authorization ?? null, token))
      return response.writeHead(401, { 'WWW-Authenticate': 'Bearer' }).end()
    try {
      const { contentType, text } = await read()
      response.writeHead(200, { 'Content-Type': contentType }).end(text)
    } catch {
      response.writeHead(500).end()
    }
  })
}

const invalidToken = 'Invalid metrics token. Send METRICS_TOKEN in the header: Authorization: Bearer TOKEN'

const bearer = /^bearer +(\S+)\s*$/i

const isBearer = (header: string | null, token: string): boolean => {
  const [, given = ''] = bearer.exec(header ?? '') ?? []
  return isSameSecret(given, token)
}

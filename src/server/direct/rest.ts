import type { GraphQLContext } from '../../graphql/context.ts'
import { etagOf, includesEtag } from '../../http/conditional.ts'
import { failureOf } from '../../http/statuses.ts'
import { answerError, type MatchedRoute, readRoute, writeRoute } from '../../rest/gateway.ts'
import { basePath, matchRoute } from '../../rest/routes.ts'
import { toTributaryError } from '../error-report.ts'
import { directReads } from './reads.ts'
import type { DirectAnswer, DirectOperation, DirectRequest } from './request.ts'

/** A path without escapes, which needs no decoding, and a query. */
const targetForm = /^\/v1(\/[a-z_]+(?:\/[\w-]+)?)(\?[^#]*)?$/

/** The paths of the writes that are answered directly: those that clients send often. */
export const directWrites: ReadonlySet<string> = new Set([`${basePath}/conversions`])

const jsonForm = /^application\/json(?: *; *charset=utf-8)?$/i

/** Understands a REST request that reads a resource or a list, or reports a sale. */
export function understandRest(request: DirectRequest): DirectOperation | null {
  if (request.method === 'POST') return understandWrite(request)
  const [, path, search = ''] = targetForm.exec(request.target) ?? []
  const match = path === undefined ? null : matchRoute('GET', path)
  if (!match || !('route' in match)) return null
  const { operation, parent } = match.route
  if (parent || !directReads.has(operation.replace(/^Query\./, ''))) return null
  return {
    path: `${basePath}${path}`,
    route: '/v1',
    operation,
    run: async (context) => {
      try {
        return answerText(await readRoute(match, search, context), request.header('if-none-match'))
      } catch (error) {
        return await answerOf(error, match, context)
      }
    },
  }
}

/** A write with a JSON body, and nothing in the query, such as `dry_run`, or an `Idempotency-Key`. */
function understandWrite(request: DirectRequest): DirectOperation | null {
  const { target } = request
  if (!directWrites.has(target) || !jsonForm.test(request.header('content-type') ?? '')) return null
  if (request.header('idempotency-key') !== null) return null
  const body = request.body()
  const match = matchRoute('POST', target.slice(basePath.length))
  // Yoga handles a byte order mark.
  if (body === null || body.startsWith('\ufeff') || !match || !('route' in match)) return null
  return {
    path: target,
    route: '/v1',
    operation: match.route.operation,
    writes: true,
    run: async (context) => {
      try {
        const { data, status } = await writeRoute(match, body, context)
        const headers = { 'Content-Type': jsonType, 'Cache-Control': 'no-store' }
        return { status, headers, body: JSON.stringify(data) }
      } catch (error) {
        return await answerOf(error, match, context)
      }
    },
  }
}

const jsonType = 'application/json; charset=utf-8'

function answerText(body: string, ifNoneMatch: string | null): DirectAnswer {
  const etag = etagOf(body)
  const cached = { ETag: etag, 'Cache-Control': 'private, no-cache', Vary: 'Authorization' }
  if (ifNoneMatch !== null && includesEtag(ifNoneMatch, etag)) return { status: 304, headers: cached, body: null }
  return { status: 200, headers: { 'Content-Type': jsonType, ...cached }, body }
}

async function answerOf(error: unknown, match: MatchedRoute, context: GraphQLContext): Promise<DirectAnswer> {
  const response = answerError(toTributaryError(error, context.log), match)
  response.headers.set('Cache-Control', 'no-store')
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
    failure: failureOf(response),
  }
}

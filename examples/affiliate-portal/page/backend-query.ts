import { createClient, TributaryError } from '../../../clients/typescript/src/index.ts'
import { QueryError, type RunQuery } from '../../../src/pages/portal/query.ts'

type Session = { token: string; url: string }
/** Only in this variable: the token is in no storage and in no address. */
let session: Promise<Session> | undefined

/** Runs an operation with a token from the backend. When the token has expired, the client asks for a new one, once. */
export const queryWithBackendToken: RunQuery = async (operation, variables) => {
  const { url, token } = await currentSession()
  const key = async (isRefused: boolean) => {
    // Several queries can be refused. Only the first one requests a new token.
    if (isRefused && (await currentSession()).token === token) session = undefined
    return (await currentSession()).token
  }
  try {
    return await createClient({ url, key }).graphql(operation, variables)
  } catch (error) {
    if (error instanceof QueryError) throw error
    if (!(error instanceof TributaryError)) throw new QueryError('unreachable')
    const failure = error.status === 401 ? 'unauthorized' : error.status >= 500 ? 'unreachable' : 'rejected'
    const isExplained = error.code === 'INVALID_INPUT' || error.code === 'REFUSED'
    throw new QueryError(failure, isExplained ? { message: error.message, problems: [] } : undefined)
  }
}

/** A failed request is not cached, so that the next query tries again. */
function currentSession(): Promise<Session> {
  session ??= requestSession().catch((error) => {
    session = undefined
    throw error
  })
  return session
}

async function requestSession(): Promise<Session> {
  const response = await fetch('/token', { method: 'POST' }).catch(() => {
    throw new QueryError('unreachable')
  })
  if (response.ok) return response.json()
  if (response.status === 401) throw new QueryError('unauthorized')
  throw new QueryError(response.status === 403 ? 'disabled' : 'unreachable')
}

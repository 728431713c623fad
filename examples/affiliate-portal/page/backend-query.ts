import { QueryError, type RunQuery, sendQuery } from '../../../src/pages/portal/query.ts'

type Session = { token: string; endpoint: string }
/** Only in this variable: the token is in no storage and in no address. */
let session: Promise<Session> | undefined

/** Runs an operation with a token from the backend. When the token has expired, it gets a new one and retries once. */
export const queryWithBackendToken: RunQuery = async (operation, variables) => {
  session ??= requestSession()
  const used = session
  const { token, endpoint } = await used
  try {
    return await sendQuery(endpoint, token, operation, variables)
  } catch (error) {
    if (!(error instanceof QueryError && error.failure === 'unauthorized')) throw error
    // Several queries can get a 401. Only the first one requests a new token.
    if (session === used) session = requestSession()
    session ??= requestSession()
    const renewed = await session
    return sendQuery(renewed.endpoint, renewed.token, operation, variables)
  }
}

/** A failed request is not cached, so that the next query tries again. */
function requestSession(): Promise<Session> {
  const requested = fetchSession()
  requested.catch(() => {
    if (session === requested) session = undefined
  })
  return requested
}

async function fetchSession(): Promise<Session> {
  const response = await fetch('/token', { method: 'POST' }).catch(() => {
    throw new QueryError('unreachable')
  })
  if (response.ok) return response.json()
  if (response.status === 401) throw new QueryError('unauthorized')
  throw new QueryError(response.status === 403 ? 'disabled' : 'unreachable')
}

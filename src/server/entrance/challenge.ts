import type { Answer } from '../../http/answer.ts'
import type { Incoming } from '../../http/incoming.ts'
import { authorizationForm } from './authenticate.ts'

const unsent = 'No API key was sent. Send it in the Authorization header: as Bearer, or as the user name of Basic.'
const unreadable = 'The Authorization header is neither Bearer nor Basic. Send: Authorization: Bearer YOUR_KEY'
const unknown = 'No program has this API key: it is mistyped, revoked, or of another service.'

/**
 * Says in `WWW-Authenticate` why a caller was not authenticated; the body is the same for all. Source: RFC 6750, section 3,
 * by which a request without credentials gets no error code.
 */
export function withChallenge(incoming: Incoming, { status, headers, failure }: Answer): Answer['headers'] {
  if (status !== 401 || headers['WWW-Authenticate'] !== 'Bearer') return headers
  const authorization = incoming.header('authorization')
  if (authorization === null) return { ...headers, 'WWW-Authenticate': challenge(unsent) }
  if (!authorizationForm.test(authorization)) return { ...headers, 'WWW-Authenticate': challenge(unreadable) }
  const problem = failure?.problem ?? ''
  const description = problem === 'Invalid API key.' ? unknown : problem
  return { ...headers, 'WWW-Authenticate': challenge(description, 'error="invalid_token", ') }
}

/** A description has no quotes: RFC 6750 allows printable ASCII without them. */
const challenge = (description: string, error = '') =>
  `Bearer ${error}error_description="${description.replace(/[^ !#-[\]-~]/g, '')}"`

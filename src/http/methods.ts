import { failure } from './statuses.ts'

/** HEAD is answered as GET, without the body. */
export const isRead = ({ method }: Pick<Request, 'method'>): boolean => method === 'GET' || method === 'HEAD'

/** @param allow the methods that the path supports, as the Allow header lists them: "GET, HEAD" */
export function methodNotAllowed(allow: string): Response {
  const response = failure('METHOD_NOT_ALLOWED', { error: 'Method not allowed.' })
  response.headers.set('Allow', allow)
  return response
}

/** The response for a path that does not exist. */
export const pathNotFound = (): Response => failure('NOT_FOUND', { error: 'Not found.' })

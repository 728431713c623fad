import type { Answer } from './answer.ts'
import { failure } from './statuses.ts'

/** @param allow the methods that the path supports, as the Allow header lists them: "GET, HEAD" */
export const methodNotAllowed = (allow: string): Answer =>
  failure('METHOD_NOT_ALLOWED', { error: 'Method not allowed.' }, { Allow: allow })

/** The response for a path that does not exist. @param similar a path that the caller probably meant */
export const pathNotFound = (similar?: string): Answer =>
  failure('NOT_FOUND', { error: 'Not found.' }, similar === undefined ? {} : { 'X-Did-You-Mean': similar })

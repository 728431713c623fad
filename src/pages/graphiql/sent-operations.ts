import { useRef } from 'react'
import type { Operation } from './send-operation.ts'

let last: Operation | null = null

/** Remembers the operation that GraphiQL sent last. Its own query for the schema is not a user's. */
export function rememberOperation(operation: Operation): void {
  if (operation.operationName !== 'IntrospectionQuery') last = operation
}

/**
 * The operation that a tab's response belongs to. The text in the editor can have changed since, so it cannot be used
 * to read further pages.
 */
export function useSentOperation(tab: string, response: string): Operation | null {
  const sent = useRef<Record<string, { response: string; operation: Operation | null }>>({})
  if (sent.current[tab]?.response !== response) sent.current[tab] = { response, operation: response ? last : null }
  return sent.current[tab].operation
}

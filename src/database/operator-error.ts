/**
 * A failure the person who runs the service can do something about. Its message names the cause, the place and the
 * remedy in one line, and is meant to be printed without a stack trace.
 */
export class OperatorError extends Error {
  override name = 'OperatorError'
}

/** One line about any thrown value, for messages that quote a cause. */
export function describeCause(error: unknown): string {
  // A refused connection to a name with several addresses is an AggregateError whose own message is empty.
  const cause = error instanceof AggregateError && error.errors.length > 0 ? error.errors[0] : error
  const text = cause instanceof Error ? cause.message : String(cause)
  return (text || 'unknown cause').split('\n', 1).join('').trim()
}

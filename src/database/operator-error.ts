/** An error that the operator can fix: cause, place and remedy in one line, printed without a stack trace. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}

/** A one-line description of any thrown value, for messages that quote a cause. */
export function describeCause(error: unknown): string {
  // A refused connection to a host with several addresses is an AggregateError with an empty message.
  const cause = error instanceof AggregateError && error.errors.length > 0 ? error.errors[0] : error
  const text = cause instanceof Error ? cause.message : String(cause)
  return (text || 'unknown cause').split('\n', 1).join('').trim()
}

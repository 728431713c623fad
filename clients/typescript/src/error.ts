type Problem = { field?: string; message: string }
type GraphqlError = { message: string; extensions?: { code?: string; problems?: Problem[] } }

/** A request that the service refused. The message is the service's, and says what to do. */
export class TributaryError extends Error {
  override readonly name = 'TributaryError'

  constructor(
    message: string,
    /** The status of the response. */
    readonly status: number,
    /** The code of a GraphQL error: `NOT_FOUND`. REST has only the status. */
    readonly code: string | undefined,
    /** What is wrong with the input, in words. */
    readonly problems: readonly string[],
    /** Name it when you ask the operator: the log has it. */
    readonly requestId: string | null,
    /** When to try again, if the service says so: after a rate limit, or while the database is not there. */
    readonly retryAfterSeconds: number | null,
  ) {
    super(message)
  }

  static ofRest(response: Response, body: unknown): TributaryError {
    const { error, details } = (typeof body === 'object' && body !== null ? body : {}) as {
      error?: string
      details?: string[]
    }
    return make(response, error ?? statusText(response), undefined, details ?? [])
  }

  static ofGraphql(response: Response, errors: unknown): TributaryError {
    const [first] = (errors ?? []) as GraphqlError[]
    const { code, problems = [] } = first?.extensions ?? {}
    return make(
      response,
      first?.message ?? statusText(response),
      code,
      problems.map(({ field, message }) => (field ? `${field} ${message}` : message)),
    )
  }
}

function make(response: Response, message: string, code: string | undefined, problems: string[]): TributaryError {
  const { status, headers } = response
  const retryAfter = headers.get('retry-after')
  const seconds = retryAfter === null ? null : Number(retryAfter)
  return new TributaryError(message, status, code, problems, headers.get('x-request-id'), seconds)
}

const statusText = ({ status, statusText: text }: Response) =>
  `The service responded ${status} ${text}.`.replace(' .', '.')

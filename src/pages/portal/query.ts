import { type Document, postOperation, type Result, readResult } from '../parts/graphql.ts'

/**
 * Why a query failed. `unauthorized`: the token has expired or was revoked. `disabled`: the affiliate has no access.
 */
export type QueryFailure = 'unauthorized' | 'disabled' | 'unreachable' | 'rejected'

/** What the service said about what was entered. `field` is the name of an input field. */
export type Rejection = { message: string; reason: string | undefined; problems: readonly ServiceProblem[] }

/** `code` and `limit`: see `ProblemCode` of the schema. */
export type ServiceProblem = { field?: string; message: string; code?: string; limit?: string | number }

export class QueryError extends Error {
  constructor(
    readonly failure: QueryFailure,
    readonly rejection?: Rejection,
  ) {
    super(failure)
  }
}

/** Runs an operation as the signed-in affiliate. @throws QueryError */
export type RunQuery = <Data, Variables>(operation: Document<Data, Variables>, variables: Variables) => Promise<Data>

/** Sends an operation to a GraphQL endpoint with an affiliate token. @throws QueryError */
export async function sendQuery<Data, Variables>(
  endpoint: string,
  token: string,
  operation: Document<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const headers = { Authorization: `Bearer ${token}` }
  const response = await postOperation(endpoint, { query: operation.toString(), variables }, { headers }).catch(() => {
    throw new QueryError('unreachable')
  })
  const { data, errors } = await readResult<Data>(response)
  if (response.status === 401) throw new QueryError(isOfDisabled(errors) ? 'disabled' : 'unauthorized')
  if (errors || !data) throw new QueryError(response.status >= 500 ? 'unreachable' : 'rejected', rejectionOf(errors))
  return data
}

const isOfDisabled = ([error]: Result['errors'] & {} = []): boolean =>
  (error?.extensions?.reasons as readonly string[] | undefined)?.[0] === 'AFFILIATE_NOT_ACTIVE'

/** Undefined for errors that say nothing to the person. */
function rejectionOf([error]: Result['errors'] & {} = []): Rejection | undefined {
  const {
    code,
    reasons,
    problems = [],
  } = (error?.extensions ?? {}) as Partial<Pick<Rejection, 'problems'>> & {
    code?: string
    reasons?: readonly string[]
  }
  if (!error || (code !== 'INVALID_INPUT' && code !== 'REFUSED')) return undefined
  return { message: error.message, reason: reasons?.[0], problems }
}

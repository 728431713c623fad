/** Why a query failed. `unauthorized`: the token has expired or was revoked. `disabled`: the affiliate has no access. */
export type QueryFailure = 'unauthorized' | 'disabled' | 'unreachable' | 'rejected'

export class QueryError extends Error {
  constructor(readonly failure: QueryFailure) {
    super(failure)
  }
}

/** An operation with the types of its result and its variables, as scripts/typed-client.ts generates it. */
export type Operation<Data, Variables> = { __apiType?: (variables: Variables) => Data; toString(): string }

/** Runs an operation as the signed-in affiliate. @throws QueryError */
export type RunQuery = <Data, Variables>(operation: Operation<Data, Variables>, variables: Variables) => Promise<Data>

/** Sends an operation to a GraphQL endpoint with an affiliate token. @throws QueryError */
export async function sendQuery<Data, Variables>(
  endpoint: string,
  token: string,
  operation: Operation<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: operation.toString(), variables }),
  }).catch(() => {
    throw new QueryError('unreachable')
  })
  if (response.status === 401) throw new QueryError('unauthorized')
  const { data, errors } = (await response.json().catch(() => ({}))) as { data?: Data; errors?: object[] }
  if (errors || !data) throw new QueryError(response.status >= 500 ? 'unreachable' : 'rejected')
  return data
}

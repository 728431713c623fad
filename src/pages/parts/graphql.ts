/** An operation with the types of its result and its variables, as scripts/typed-client.ts generates it. */
export type Document<Data, Variables> = { __apiType?: (variables: Variables) => Data; toString(): string }

export type Operation = { query: string; variables?: unknown; operationName?: string | null }
type GraphqlError = { message: string; extensions?: Record<string, unknown> }
export type Result<Data = unknown> = { data?: Data | null; errors?: GraphqlError[] }

/** Sends an operation to a GraphQL endpoint. Rejects if that cannot be reached. */
export const postOperation = (
  address: string | URL,
  operation: Operation,
  { headers, ...init }: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
): Promise<Response> =>
  fetch(address, {
    method: 'POST',
    headers: { Accept: 'application/json', 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(operation),
    ...init,
  })

/** The result in a response. What is not JSON, such as the page of a proxy, becomes an error. */
export async function readResult<Data>(response: Response): Promise<Result<Data>> {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    return { errors: [{ message: `The response is not JSON (${response.status} ${response.statusText}).` }] }
  }
}

import type { createApp } from '../src/server/app.ts'

/** Returns a function that runs a query with an API key, and throws when the response has errors. */
export function graphqlClient(app: Pick<ReturnType<typeof createApp>, 'fetch'>, secret: string) {
  const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' }
  return async (query: string): Promise<void> => {
    const body = JSON.stringify({ query })
    const response = await app.fetch(new Request('http://localhost/graphql', { method: 'POST', headers, body }))
    const { errors } = (await response.json()) as { errors?: { message: string }[] }
    if (errors) throw new Error(errors[0]?.message)
  }
}

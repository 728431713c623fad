import type { TypedDocumentString } from './gql/graphql.ts'

/** Where to ask, and with what: the answer of the portal's backend to whoever is logged in. */
export type Session = { endpoint: string; token: string; expiresAt: string }

export class PortalError extends Error {}

/** Asks the portal's own backend who is logged in. */
export async function openSession(): Promise<Session> {
  const response = await fetch('/session', { method: 'POST' })
  if (!response.ok) throw new PortalError('You are not logged in.')
  return (await response.json()) as Session
}

/** Runs a typed operation with the affiliate's token; its result has the type that the schema gives it. */
export async function ask<Result, Variables>(
  { endpoint, token }: Session,
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
): Promise<Result> {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: document.toString(), variables }),
  })
  const { data, errors } = (await response.json()) as { data?: Result | null; errors?: { message: string }[] }
  if (errors?.[0]) throw new PortalError(errors[0].message)
  if (!data) throw new PortalError('The service did not answer.')
  return data
}

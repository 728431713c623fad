import { ViewerDocument, type ViewerQuery } from '../../../generated/dashboard/session/graphql.ts'
import { serviceAddress } from '../address.ts'
import { texts } from '../texts.ts'

/** The signed-in person, and the programs that they can open. */
export type Session = NonNullable<ViewerQuery['viewer']>
export type Program = Session['programs'][number]['program']
export type Role = Session['programs'][number]['role']

let current: Promise<Session | null> | undefined

/** The session of the cookie, which is requested once. Null if nobody is signed in. */
export function readSession(): Promise<Session | null> {
  current ??= load().catch((error: unknown) => {
    current = undefined
    throw error
  })
  return current
}

/** After a sign-in, a sign-out, or a change of one's own programs. */
export function forgetSession(): void {
  current = undefined
}

type Answer = { data?: ViewerQuery; errors?: { extensions?: { code?: string } }[] }

/** @throws Error with a message for people */
async function load(): Promise<Session | null> {
  const response = await fetch(serviceAddress('graphql'), {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ query: `${ViewerDocument}` }),
  }).catch(() => {
    throw new Error(texts.failures.unreachable)
  })
  if (response.status === 401) return null
  const { data, errors } = (await response.json().catch(() => ({}))) as Answer
  if (errors?.some(({ extensions }) => extensions?.code === 'UNAUTHENTICATED')) return null
  if (!data) throw new Error(response.status >= 500 ? texts.failures.unreachable : texts.failures.internal)
  return data.viewer
}

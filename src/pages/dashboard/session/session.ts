import { ViewerDocument, type ViewerQuery } from '../../../generated/dashboard/session/graphql.ts'
import { postOperation, readResult } from '../../parts/graphql.ts'
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

/** @throws Error with a message for people */
async function load(): Promise<Session | null> {
  const operation = { query: `${ViewerDocument}` }
  const response = await postOperation(serviceAddress('graphql'), operation, { credentials: 'same-origin' }).catch(
    () => {
      throw new Error(texts.failures.unreachable)
    },
  )
  if (response.status === 401) return null
  const { data, errors } = await readResult<ViewerQuery>(response)
  if (errors?.some(({ extensions }) => extensions?.code === 'UNAUTHENTICATED')) return null
  if (!data) throw new Error(response.status >= 500 ? texts.failures.unreachable : texts.failures.internal)
  return data.viewer
}

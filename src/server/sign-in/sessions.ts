import type { Person } from '../../generated/prisma/client.ts'
import type { Incoming } from '../../http/incoming.ts'
import { isJson, isSameOrigin } from '../../http/same-origin.ts'
import { memoize } from '../../kernel/memoize.ts'
import type { Auth, AuthOptions } from '../../modules/people/auth.ts'

export type Sessions = {
  /** The sign-in library, loaded at first use: that takes time, and the service's address is known then. */
  auth(): Promise<Auth>
  /** The person whose session the cookie names. Null without a session, or if it has ended. */
  readPerson(headers: Headers): Promise<Person | null>
  /** The person whose session a response begins. */
  readPersonOfResponse(response: Response): Promise<Person | null>
  /** As `readPerson`, but null unless a page of ours sent JSON: other pages send the cookie too. */
  readPersonOfPage(incoming: Incoming): Promise<Person | null>
}

type Options = Omit<AuthOptions, 'publicUrl'> & { publicUrl: () => string }

export function createSessions({ publicUrl, ...options }: Options): Sessions {
  const authOf = memoize(async (url: string) => {
    const { createAuth } = await import('../../modules/people/auth.ts')
    return createAuth({ ...options, publicUrl: url })
  })
  const auth = () => authOf(publicUrl())
  const readPerson = async (headers: Headers): Promise<Person | null> => {
    if (!hasSessionCookie(headers)) return null
    const { api } = await auth()
    const session = await api.getSession({ headers })
    return session ? options.db.person.findUnique({ where: { id: session.user.id } }) : null
  }
  return {
    auth,
    readPerson,
    readPersonOfResponse: ({ headers }) => {
      const cookies = headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0])
      return readPerson(new Headers({ cookie: cookies.join('; ') }))
    },
    readPersonOfPage: async (incoming) =>
      incoming.method === 'POST' && isJson(incoming) && isSameOrigin(incoming, publicUrl())
        ? readPerson(incoming.toRequest().headers)
        : null,
  }
}

const hasSessionCookie = (headers: Headers): boolean =>
  (headers.get('cookie') ?? '').includes('tributary.session_token=')

/** Makes a request one without a session. Its other cookies stay. */
export function removeSessionCookie(headers: Headers): void {
  const cookies = (headers.get('cookie') ?? '').split(/;\s*/)
  headers.set('cookie', cookies.filter((cookie) => !hasSessionCookie(new Headers({ cookie }))).join('; '))
}

import type { AppDb } from '../../kernel/db.ts'
import type { Mailer } from '../../kernel/mail.ts'
import { changeEmail, readEmailChange, requestEmailChange } from '../../modules/people/email-change.ts'
import type { Fields } from './read-json.ts'
import type { Sessions } from './sessions.ts'

type Asked = { request: Request; state: { requestId: string } }

type Options<A extends Asked> = {
  db: AppDb
  now: () => Date
  sessions: Sessions
  publicUrl: () => string
  mailer?: Mailer | undefined
  /** Counts a mail to an address, and an attempt with the password of an account, which is forgotten if it succeeds. */
  limited(asked: A, account: string, mailTo: string, run: () => Promise<void>): Promise<void>
  deviceCookieOf(email: string): string
}

/** A person asks for a new e-mail address, and confirms it with the link that was mailed to it. */
export function emailChangeHandlers<A extends Asked>(options: Options<A>) {
  const { db, now, sessions, publicUrl, mailer } = options
  return {
    '/dashboard/email-change/request': async (asked: A, fields: Fields) => {
      const person = await sessions.readPerson(asked.request.headers)
      const ctx = { db, now, requestId: asked.state.requestId, auth: await sessions.auth() }
      await options.limited(asked, person?.email ?? '', String(fields.email ?? ''), () =>
        requestEmailChange(ctx, { publicUrl: publicUrl(), mailer }, person, fields),
      )
      return Response.json({})
    },
    '/dashboard/email-change/read': async (_asked: A, { token }: Fields) => {
      const { person, newEmail } = await readEmailChange(db, now(), token)
      return Response.json({ email: person.email, newEmail })
    },
    '/dashboard/email-change': async ({ request, state }: A, fields: Fields) => {
      const signedIn = await sessions.readPerson(request.headers)
      const { id, email } = await changeEmail({ db, now: now(), requestId: state.requestId }, mailer, fields)
      // The device stays a known one under the new address.
      const headers: [string, string][] = signedIn?.id === id ? [['Set-Cookie', options.deviceCookieOf(email)]] : []
      return Response.json({ email }, { headers })
    },
  }
}

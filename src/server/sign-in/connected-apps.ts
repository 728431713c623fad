import type { Person } from '../../generated/prisma/client.ts'
import type { AppDb } from '../../kernel/db.ts'
import { refused, unauthenticated } from '../../kernel/errors.ts'
import { type OAuthClient, readRegisteredClient } from '../../modules/people/connected-apps/clients.ts'
import { OAuthError } from '../../modules/people/connected-apps/oauth-error.ts'
import { placeOfRedirect, withParameters } from '../../modules/people/connected-apps/redirects.ts'
import { readRequest, redirectOf } from '../../modules/people/connected-apps/request.ts'
import { endApp, listApps } from '../../modules/people/connected-apps/service.ts'
import { connectApp } from '../../modules/people/connected-apps/tokens.ts'
import { listOwnPrograms } from '../../modules/people/members.ts'
import type { Targets } from '../../modules/webhooks/targets.ts'
import { createClientDocuments, isDocumentAddress } from '../oauth/client-document.ts'
import type { Fields } from './read-json.ts'
import type { Sessions } from './sessions.ts'

type Asked = { request: Request; state: { requestId: string } }

export type ConnectedAppOptions = {
  db: AppDb
  key: Buffer
  now: () => Date
  sessions: Sessions
  publicUrl: () => string
  /** Where documents of clients may be read. */
  targets: Targets
}

/** A person lets an application act as them, and ends that. The page sends what is asked back as it is. */
export function connectedAppHandlers({ db, key, now, sessions, publicUrl, targets }: ConnectedAppOptions) {
  const readClientDocument = createClientDocuments(targets)
  const ctxOf = ({ state }: Asked) => ({ db, now: now(), requestId: state.requestId })

  /** @throws UNAUTHENTICATED */
  async function demandPerson({ request }: Asked): Promise<Person> {
    const person = await sessions.readPerson(request.headers)
    if (!person) throw unauthenticated('Your session has ended. Sign in again.')
    return person
  }

  /** The client and its address. @throws REFUSED: with a wrong one, nobody may be sent anywhere */
  async function findClient(fields: Fields): Promise<{ client: OAuthClient; redirectUri: string }> {
    try {
      const id = String(fields.client_id ?? '')
      const client = isDocumentAddress(id) ? await readClientDocument(id) : readRegisteredClient(key, id)
      if (!client) throw new OAuthError('invalid_client', 'The client_id is unknown here.')
      return { client, redirectUri: redirectOf(client, fields) }
    } catch (error) {
      throw error instanceof OAuthError ? refused(error.message) : error
    }
  }

  return {
    '/dashboard/connect/read': async (asked: Asked, fields: Fields) => {
      await demandPerson(asked)
      const { client, redirectUri } = await findClient(fields)
      try {
        const { asksToPropose } = readRequest(client, redirectUri, fields, publicUrl())
        const { name, host } = client
        return Response.json({ name, host, goesTo: placeOfRedirect(redirectUri), asksToPropose })
      } catch (error) {
        if (!(error instanceof OAuthError)) throw error
        return Response.json({ redirectTo: answerWith(redirectUri, fields, errorOf(error)) })
      }
    },
    '/dashboard/connect': async (asked: Asked, fields: Fields) => {
      const person = await demandPerson(asked)
      const { client, redirectUri } = await findClient(fields)
      try {
        if (fields.isAllowed !== true) throw new OAuthError('access_denied', 'The person has not allowed it.')
        const request = readRequest(client, redirectUri, fields, publicUrl())
        const programs = await listOwnPrograms({ db }, person)
        const own = programs.find(({ program }) => program.id === fields.programId)
        if (!own) throw refused('You have no role in this program.')
        const canPropose = request.asksToPropose && fields.canPropose === true
        const code = await connectApp(ctxOf(asked), person, own.program, request, canPropose)
        return Response.json({ redirectTo: answerWith(redirectUri, fields, { code }) })
      } catch (error) {
        if (!(error instanceof OAuthError)) throw error
        return Response.json({ redirectTo: answerWith(redirectUri, fields, errorOf(error)) })
      }
    },
    '/dashboard/apps/read': async (asked: Asked) =>
      Response.json({ apps: await listApps(ctxOf(asked), await demandPerson(asked)) }),
    '/dashboard/apps/end': async (asked: Asked, { id }: Fields) => {
      await endApp(ctxOf(asked), await demandPerson(asked), id)
      return Response.json({})
    },
  }

  /** With the issuer, so that a client of several services knows whose answer it is (RFC 9207). */
  function answerWith(redirectUri: string, { state }: Fields, parameters: Record<string, string>): string {
    const given = typeof state === 'string' ? state : undefined
    return withParameters(redirectUri, { ...parameters, state: given, iss: publicUrl() })
  }
}

const errorOf = ({ code, message }: OAuthError) => ({ error: code, error_description: message })

import { type Answer, emptyAnswer, jsonAnswer } from '../../http/answer.ts'
import { readFields } from '../../http/body.ts'
import { clientAddress } from '../../http/client-address.ts'
import { type Incoming, isRead } from '../../http/incoming.ts'
import { methodNotAllowed } from '../../http/methods.ts'
import type { AppDb } from '../../kernel/db.ts'
import { registerClient } from '../../modules/people/connected-apps/clients.ts'
import { OAuthError } from '../../modules/people/connected-apps/oauth-error.ts'
import { checkResource } from '../../modules/people/connected-apps/request.ts'
import {
  type AppsCtx,
  type AppTokens,
  exchangeCode,
  renewTokens,
  revokeToken,
} from '../../modules/people/connected-apps/tokens.ts'
import type { Handler, RequestState } from '../handler.ts'
import type { RequestLimits } from '../limits/rate-limits.ts'
import { createTurns, inTurn, maxTurnsWithoutKey } from '../limits/turns.ts'
import { resourceMetadata, resourceMetadataPath, serverMetadata } from './metadata.ts'

export type OAuthOptions = {
  db: AppDb
  /** The key of the installation, which signs the ids of registered clients. */
  key: Buffer
  now: () => Date
  publicUrl: () => string
  limits: RequestLimits
  trustedProxies: number
}

const noStore = { 'Cache-Control': 'no-store' }
const maxBodyBytes = 16 * 1024

/** `/.well-known`: what clients read before they ask for tokens. */
export function createOAuthMetadata(publicUrl: () => string): Handler {
  const documents: Record<string, (publicUrl: string) => object> = {
    [resourceMetadataPath]: resourceMetadata,
    [`${resourceMetadataPath}/mcp`]: resourceMetadata,
    '/.well-known/oauth-authorization-server': serverMetadata,
  }
  return (incoming) => {
    const document = documents[incoming.path]
    if (!document) return null
    if (!isRead(incoming)) return methodNotAllowed('GET, HEAD')
    return jsonAnswer(document(publicUrl()), 200, { 'Cache-Control': 'public, max-age=300' })
  }
}

type Fields = Record<string, unknown>

/** `/oauth`: issues and ends the tokens of applications that people have connected, and registers such applications. */
export function createOAuth({ db, key, now, publicUrl, limits, trustedProxies }: OAuthOptions): Handler {
  const turns = createTurns(maxTurnsWithoutKey)

  const endpoints: Record<string, (ctx: AppsCtx, fields: Fields) => Promise<Answer>> = {
    '/oauth/token': async (ctx, fields) => {
      checkResource(fields.resource, publicUrl())
      return tokensAnswer(await issue(ctx, fields))
    },
    '/oauth/revoke': async (ctx, fields) => {
      await revokeToken(ctx, textOf(fields, 'token'))
      return emptyAnswer(200, noStore)
    },
    '/oauth/register': async (_ctx, fields) => {
      const { id, name, redirectUris } = registerClient(key, fields)
      const registered = {
        client_id: id,
        client_id_issued_at: Math.floor(now().getTime() / 1000),
        client_name: name,
        redirect_uris: redirectUris,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      }
      return jsonAnswer(registered, 201, noStore)
    },
  }

  /** Guesses count as those of API keys. */
  async function admitted(incoming: Incoming, state: RequestState, run: () => Promise<Answer>): Promise<Answer> {
    const address = clientAddress(incoming, trustedProxies)
    await limits.admitAddress(address, false)
    try {
      return await inTurn(turns, run, { signal: incoming.signal })
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error
      if (error.code === 'invalid_grant') await limits.noteFailure(address, state.log)
      return jsonAnswer({ error: error.code, error_description: error.message }, 400, noStore)
    }
  }

  return async (incoming, state) => {
    const endpoint = endpoints[incoming.path]
    if (!endpoint) return null
    if (incoming.method !== 'POST') return methodNotAllowed('POST')
    const fields = readFields(await incoming.body(maxBodyBytes), incoming.header('content-type'))
    return admitted(incoming, state, () => endpoint({ db, now: now(), requestId: state.requestId }, fields))
  }
}

function issue(ctx: AppsCtx, fields: Fields): Promise<AppTokens> {
  const clientId = textOf(fields, 'client_id')
  if (fields.grant_type === 'refresh_token') return renewTokens(ctx, textOf(fields, 'refresh_token'), clientId)
  if (fields.grant_type !== 'authorization_code')
    throw new OAuthError('unsupported_grant_type', 'The grant_type is authorization_code or refresh_token.')
  const [code, codeVerifier] = [textOf(fields, 'code'), textOf(fields, 'code_verifier')]
  return exchangeCode(ctx, { code, codeVerifier, redirectUri: textOf(fields, 'redirect_uri'), clientId })
}

function textOf(fields: Fields, name: string): string {
  const value = fields[name]
  if (typeof value !== 'string' || value === '')
    throw new OAuthError('invalid_request', `The field ${name} is missing.`)
  return value
}

const tokensAnswer = ({ accessToken, refreshToken, expiresInSeconds, canPropose }: AppTokens): Answer =>
  jsonAnswer(
    {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: expiresInSeconds,
      refresh_token: refreshToken,
      scope: canPropose ? 'read propose' : 'read',
    },
    200,
    { ...noStore, Pragma: 'no-cache' },
  )

import type { OAuthClient } from './clients.ts'
import { OAuthError } from './oauth-error.ts'
import { isSameRedirect } from './redirects.ts'

export const scopes = ['read', 'propose'] as const

/** What a client asks a person for. Everything in it was checked. */
export type AuthorizationRequest = {
  client: OAuthClient
  redirectUri: string
  codeChallenge: string
  state: string | undefined
  asksToPropose: boolean
  resource: string
}

/** What `/mcp` is called in requests and tokens (RFC 8707). */
export const resourceOf = (publicUrl: string): string => `${publicUrl}/mcp`

/** @throws OAuthError if the client asks for another resource */
export function checkResource(asked: unknown, publicUrl: string): void {
  const resource = resourceOf(publicUrl)
  if (asked !== undefined && asked !== resource && asked !== `${resource}/`)
    throw new OAuthError('invalid_target', `Tokens of this service are for ${resource} only.`)
}

/** The address to which the answer goes. Only an address of the client may get any. @throws OAuthError */
export function redirectOf(client: OAuthClient, { redirect_uri: asked }: Record<string, unknown>): string {
  if (typeof asked !== 'string' || !client.redirectUris.some((uri) => isSameRedirect(uri, asked)))
    throw new OAuthError('invalid_request', 'The redirect_uri is not one of the application.')
  return asked
}

/** @throws OAuthError, which is for the redirect address */
export function readRequest(
  client: OAuthClient,
  redirectUri: string,
  fields: Record<string, unknown>,
  publicUrl: string,
): AuthorizationRequest {
  const { response_type: type, code_challenge: challenge, code_challenge_method: method, scope, state } = fields
  if (type !== 'code') throw new OAuthError('unsupported_response_type', 'The response_type must be code.')
  if (method !== 'S256' || typeof challenge !== 'string' || !/^[\w-]{43}$/.test(challenge))
    throw new OAuthError('invalid_request', 'PKCE is needed: a code_challenge with the code_challenge_method S256.')
  checkResource(fields.resource, publicUrl)
  const asked = typeof scope === 'string' ? scope.split(' ').filter(Boolean) : scopes
  const known = scopes.filter((one) => asked.includes(one))
  if (known.length === 0) throw new OAuthError('invalid_scope', `The scopes are ${scopes.join(' and ')}.`)
  return {
    client,
    redirectUri,
    codeChallenge: challenge,
    state: typeof state === 'string' ? state : undefined,
    asksToPropose: known.includes('propose'),
    resource: resourceOf(publicUrl),
  }
}

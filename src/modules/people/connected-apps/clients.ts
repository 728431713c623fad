import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { isStorable } from '../../../kernel/text.ts'
import { OAuthError } from './oauth-error.ts'
import { isAllowedRedirect } from './redirects.ts'

/** An application that asks to act as a person. */
export type OAuthClient = {
  id: string
  /** As it calls itself. */
  name: string
  redirectUris: readonly string[]
  /** The host that its document is on. Null for one that registered: nobody knows whose it is. */
  host: string | null
}

const longestName = 100
const mostRedirects = 10

/** The parts of a client's metadata that are used (RFC 7591). @throws OAuthError */
export function readMetadata(raw: Record<string, unknown>): Pick<OAuthClient, 'name' | 'redirectUris'> {
  const { client_name: name, redirect_uris: uris } = raw
  const redirectUris: unknown[] = Array.isArray(uris) ? uris : []
  if (redirectUris.length === 0 || redirectUris.length > mostRedirects || !redirectUris.every(isAllowedRedirect))
    throw new OAuthError(
      'invalid_redirect_uri',
      `redirect_uris must have 1 to ${mostRedirects} addresses: with https, of the own device with http, or with a scheme of an application.`,
    )
  const given = typeof name === 'string' && isStorable(name) ? name.trim() : ''
  return { name: given.slice(0, longestName) || 'An application without a name', redirectUris }
}

const prefix = 'app.'
/** With it, an id stays below what addresses can have. */
const longestId = 1_500

/**
 * Registers a client. Nothing is stored: its id has what it registered, and a signature, so that anybody can register
 * without filling a table. @throws OAuthError
 */
export function registerClient(key: Buffer, raw: Record<string, unknown>): OAuthClient {
  const { name, redirectUris } = readMetadata(raw)
  const body = Buffer.from(JSON.stringify([name, ...redirectUris])).toString('base64url')
  const id = `${prefix}${body}.${signature(key, body)}`
  if (id.length > longestId)
    throw new OAuthError('invalid_client_metadata', 'The name and the addresses are too long. Register fewer of them.')
  return { id, name, redirectUris, host: null }
}

/** A client that has registered here. Null for another id. */
export function readRegisteredClient(key: Buffer, id: string): OAuthClient | null {
  const [, body = '', given = ''] = /^app\.([\w-]+)\.([\w-]+)$/.exec(id) ?? []
  const expected = signature(key, body)
  if (given.length !== expected.length || !timingSafeEqual(Buffer.from(given), Buffer.from(expected))) return null
  const [name = '', ...redirectUris] = JSON.parse(Buffer.from(body, 'base64url').toString()) as string[]
  return { id, name, redirectUris, host: null }
}

const signature = (key: Buffer, body: string) =>
  createHmac('sha256', Buffer.from(hkdfSync('sha256', key, '', 'registered oauth clients', 32)))
    .update(body)
    .digest('base64url')

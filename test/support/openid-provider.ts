import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll } from 'vitest'

type Person = { sub: string; email: string; email_verified?: unknown }

/** Starts a provider of OpenID Connect. It signs in `person` without asking. */
export async function createProvider() {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const person: Person = { sub: 'person-1', email: 'mia@example.com' }
  const provider = { url: '', person }
  const claims = () => ({ name: 'Mia', email_verified: true, ...provider.person })
  /** The client and the nonce of a sign-in, by its code. */
  const codes = new Map<string, { clientId: string; nonce: string | null }>()

  const sign = (audience: string, nonce: string | null) =>
    new SignJWT({ ...claims(), ...(nonce === null ? {} : { nonce }) })
      .setProtectedHeader({ alg: 'RS256', kid: 'key-1' })
      .setIssuer(provider.url)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(privateKey)

  const endpoints: Record<string, (query: URLSearchParams, request: IncomingMessage) => unknown> = {
    '/.well-known/openid-configuration': () => ({
      issuer: provider.url,
      authorization_endpoint: `${provider.url}/authorize`,
      token_endpoint: `${provider.url}/token`,
      userinfo_endpoint: `${provider.url}/userinfo`,
      jwks_uri: `${provider.url}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    }),
    '/jwks': async () => ({ keys: [{ ...(await exportJWK(publicKey)), alg: 'RS256', use: 'sig', kid: 'key-1' }] }),
    '/authorize': (query) => {
      const code = `code-${codes.size + 1}`
      codes.set(code, { clientId: query.get('client_id') ?? '', nonce: query.get('nonce') })
      const target = new URL(query.get('redirect_uri') ?? '')
      target.searchParams.set('code', code)
      target.searchParams.set('state', query.get('state') ?? '')
      return target
    },
    '/token': async (_, request) => {
      const code = new URLSearchParams(await text(request)).get('code') ?? ''
      const signIn = codes.get(code)
      if (!signIn) throw new Error(`unknown code ${code}`)
      const token = await sign(signIn.clientId, signIn.nonce)
      return { access_token: token, id_token: token, token_type: 'Bearer', expires_in: 3600, scope: 'openid' }
    },
    '/userinfo': claims,
  }

  const server = createServer(async (request, response) => {
    try {
      const { pathname, searchParams } = new URL(request.url ?? '', provider.url)
      const answer = await endpoints[pathname]?.(searchParams, request)
      if (answer instanceof URL) response.writeHead(302, { location: answer.href }).end()
      else if (answer === undefined) response.writeHead(404).end()
      else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    } catch (error) {
      response.writeHead(400).end(String(error))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  provider.url = `http://localhost:${(server.address() as AddressInfo).port}`
  afterAll(() => new Promise((resolve) => server.close(resolve)))
  return provider
}

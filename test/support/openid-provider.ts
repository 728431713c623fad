import { OAuth2Server } from 'oauth2-mock-server'
import { afterAll } from 'vitest'

type Person = { sub: string; email: string; email_verified?: unknown }

/** Starts a provider of OpenID Connect. It signs in whoever `person` is, without asking. */
export async function createProvider() {
  const server = new OAuth2Server()
  await server.issuer.keys.generate('RS256')
  await server.start(0, '127.0.0.1')
  const url = `http://localhost:${server.address().port}`
  server.issuer.url = url
  afterAll(() => server.stop())
  const person: Person = { sub: 'person-1', email: 'mia@example.com' }
  const provider = { url, person }
  const claims = () => ({ name: 'Mia', email_verified: true, ...provider.person })
  server.service.on('beforeTokenSigning', (token) => Object.assign(token.payload, claims()))
  server.service.on('beforeUserinfo', (response) => {
    response.body = claims()
  })
  return provider
}

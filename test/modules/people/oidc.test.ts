import { OAuth2Server } from 'oauth2-mock-server'
import { afterAll, expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { addMember, createBrowser, setUpOperator } from '../../support/people.ts'

const provider = new OAuth2Server()
await provider.issuer.keys.generate('RS256')
await provider.start(0, '127.0.0.1')
provider.issuer.url = `http://127.0.0.1:${provider.address().port}`
afterAll(() => provider.stop())

const person = { sub: 'person-1', email: 'mia@example.com', email_verified: true, name: 'Mia' }
provider.service.on('beforeTokenSigning', (token) => Object.assign(token.payload, person))
provider.service.on('beforeUserinfo', (response) => {
  response.body = person
})

const test = await createTestApp({
  oidc: { issuer: provider.issuer.url, clientId: 'tributary', clientSecret: 'secret', name: 'Acme accounts' },
})
const olga = await setUpOperator(test)
const program = await test.createProgram()

/** Signs in at the provider as a browser does. Returns the address at which the browser arrives. */
async function signInAtProvider() {
  const browser = createBrowser(test)
  const { body } = await browser.post('/auth/sign-in/social', { provider: 'oidc', callbackURL: '/dashboard' })
  const atProvider = await fetch(body.url, { redirect: 'manual' })
  const callback = new URL(atProvider.headers.get('location') ?? '')
  const answer = await browser.get(`${callback.pathname.replace('/dashboard', '')}${callback.search}`)
  return { browser, location: answer.headers.get('location') ?? '' }
}

it('the sign-in page is told what to call the provider', async () => {
  expect((await createBrowser(test).get('/auth/options')).body).toEqual({ oidc: { name: 'Acme accounts' } })
})

it('a person without an account is not signed in, and none is made', async () => {
  const { browser, location } = await signInAtProvider()
  expect(location).toMatch(/\/dashboard\/sign-in\?.*error=/)
  await expect(browser.graphql()('{ viewer { role } }')).rejects.toThrow('Invalid API key')
  expect(await test.database.db.person.count()).toBe(1)
})

it('a member is signed in, found by the e-mail address', async () => {
  await addMember(test, olga, program.slug, { email: person.email, role: 'MANAGER' })
  const { browser, location } = await signInAtProvider()
  expect(location).toMatch(/\/dashboard$/)
  expect(await browser.graphql(program.slug)('{ viewer { role person { email } } }')).toEqual({
    viewer: { role: 'MANAGER', person: { email: person.email } },
  })
})

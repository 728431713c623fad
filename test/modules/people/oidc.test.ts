import { expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { createProvider } from '../../support/openid-provider.ts'
import { addMember, createBrowser, setUpOperator } from '../../support/people.ts'

const provider = await createProvider()
const { person } = provider

const test = await createTestApp({
  oidc: { issuer: provider.url, clientId: 'tributary', clientSecret: 'secret', name: 'Acme accounts' },
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
  expect((await createBrowser(test).get('/auth/options')).body).toEqual({
    oidc: { name: 'Acme accounts' },
    canMail: false,
  })
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

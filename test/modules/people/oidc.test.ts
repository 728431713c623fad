import { afterEach, describe, expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { codeOf } from '../../support/one-time-code.ts'
import { createProvider } from '../../support/openid-provider.ts'
import { addMember, createBrowser, password, setUpOperator } from '../../support/people.ts'

const provider = await createProvider()
const { person } = provider

const test = await createTestApp({
  oidc: { issuer: provider.url, clientId: 'tributary', clientSecret: 'secret', name: 'Acme accounts' },
})
const olga = await setUpOperator(test)
const program = await test.createProgram()

/** Signs in at the provider as a browser does. Returns the address at which the browser arrives. */
async function signInAtProvider(browser = createBrowser(test), path = '/auth/sign-in/social') {
  const { body } = await browser.post(path, { provider: 'oidc', callbackURL: '/dashboard' })
  const atProvider = await fetch(body.url, { redirect: 'manual' })
  const callback = new URL(atProvider.headers.get('location') ?? '')
  const answer = await browser.get(`${callback.pathname.replace('/dashboard', '')}${callback.search}`)
  return { browser, location: answer.headers.get('location') ?? '' }
}

it('the sign-in page gets the name of the provider', async () => {
  expect((await createBrowser(test).get('/auth/options')).body).toMatchObject({
    oidc: { name: 'Acme accounts' },
    canMail: false,
  })
})

it('a person without an account is not signed in, and no account is made', async () => {
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

const viewer = '{ viewer { person { email } } }'

describe.each(['member', 'operator'])('the account of a %s', (kind) => {
  const [email, sub] = [`${kind}@example.com`, `sub of the ${kind}`]
  const asPerson = (claims: object = {}) => Object.assign(person, { sub, email, email_verified: true }, claims)
  afterEach(() => asPerson({}))
  const isRefused = async ({ browser, location }: Awaited<ReturnType<typeof signInAtProvider>>, error: string) => {
    expect(location).toContain(`error=${error}`)
    await expect(browser.graphql()(viewer)).rejects.toThrow('Invalid API key')
  }

  it('is not opened by an address that is not verified', async () => {
    if (kind === 'operator') await setUpOperator(test, email)
    else await addMember(test, olga, program.slug, { email, role: 'OWNER' })
    for (const email_verified of [false, 'false', undefined, null, 0, 'no']) {
      asPerson({ email_verified })
      await isRefused(await signInAtProvider(), 'email_not_verified')
    }
    expect(await test.database.db.personAccount.count({ where: { accountId: sub } })).toBe(0)
  })

  it('is bound to the first account of the provider, also when the address changes there', async () => {
    asPerson()
    expect((await signInAtProvider()).location).toMatch(/\/dashboard$/)
    asPerson({ sub: `another sub of the ${kind}` })
    await isRefused(await signInAtProvider(), 'account_not_linked')
    asPerson({ sub: `another sub of the ${kind}`, email: email.toUpperCase() })
    await isRefused(await signInAtProvider(), 'account_not_linked')
    asPerson({ email: `renamed-${email}` })
    const { browser } = await signInAtProvider()
    expect(await browser.graphql()(viewer)).toEqual({ viewer: { person: { email } } })
    asPerson({ email_verified: false })
    await isRefused(await signInAtProvider(), 'email_not_verified')
  })

  it('gets another account of the provider from the signed-in person', async () => {
    const second = { sub: `a second sub of the ${kind}` }
    const [own, stranger] = [createBrowser(test), createBrowser(test)]
    await own.post('/auth/sign-in/email', { email, password })
    asPerson(second)
    expect((await stranger.post('/auth/link-social', { provider: 'oidc', callbackURL: '/dashboard' })).status).toBe(401)
    expect((await signInAtProvider(own, '/auth/link-social')).location).toMatch(/\/dashboard$/)
    const { browser } = await signInAtProvider()
    expect(await browser.graphql()(viewer)).toEqual({ viewer: { person: { email } } })
  })

  it('asks for the code of a second factor after the provider', async () => {
    const own = createBrowser(test)
    await own.post('/auth/sign-in/email', { email, password })
    const { body } = await own.post('/auth/two-factor/enable', { password })
    expect((await own.post('/auth/two-factor/verify-totp', { code: codeOf(body.totpURI) })).status).toBe(200)
    asPerson()
    const { browser, location } = await signInAtProvider()
    expect(location).toBe(`${test.origin}/dashboard/sign-in?code=needed`)
    await expect(browser.graphql()(viewer)).rejects.toThrow('Invalid API key')
    expect((await browser.post('/auth/two-factor/verify-totp', { code: '000000' })).status).toBe(401)
    await expect(browser.graphql()(viewer)).rejects.toThrow('Invalid API key')
    expect((await browser.post('/auth/two-factor/verify-totp', { code: codeOf(body.totpURI) })).status).toBe(200)
    expect(await browser.graphql()(viewer)).toEqual({ viewer: { person: { email } } })
  })
})

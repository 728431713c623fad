import { beforeEach, describe, expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { createProvider } from '../../support/openid-provider.ts'
import { addMember, createBrowser, password, setUpOperator } from '../../support/people.ts'

const provider = await createProvider()
const test = await createTestApp({
  oidc: { issuer: provider.url, clientId: 'tributary', clientSecret: 'secret', name: 'Acme accounts' },
})
const olga = await setUpOperator(test)
const program = await test.createProgram()

// An address may try a limited number of credentials in a quarter of an hour.
beforeEach(() => test.clock.advanceMinutes(16))

const viewer = '{ viewer { person { email } } }'
const invite = (email: string) =>
  olga.graphql(program.slug)('mutation ($input: InviteMemberInput!) { inviteMember(input: $input) { url } }', {
    input: { email, role: 'ANALYST' },
  })

describe.each([
  ['an internationalised domain', 'mia@bücher.example', 'Mia@XN--BCHER-KVA.example'],
  ['its form in ASCII', 'noa@xn--bcher-kva.example', 'noa@BÜCHER.example'],
  ['decomposed letters in the domain', 'ida@mu\u0308ller.example', 'ida@m\u00fcller.example'],
  ['full-width letters', 'ｅｖａ@example.com', 'eva@example.com'],
])('an account of %s', async (_name, given, other) => {
  const sub = `sub of ${given}`

  it('is opened with both spellings, by password and by OpenID Connect', async () => {
    const member = await addMember(test, olga, program.slug, { email: given, role: 'ANALYST' })
    const own = await member.graphql(program.slug)(viewer)
    for (const email of [given, other, ` ${other}`]) {
      const browser = createBrowser(test)
      expect((await browser.post('/auth/sign-in/email', { email, password })).status).toBe(200)
      expect(await browser.graphql(program.slug)(viewer)).toEqual(own)
    }
    Object.assign(provider.person, { sub, email: other, email_verified: true })
    const browser = createBrowser(test)
    const { body } = await browser.post('/auth/sign-in/social', { provider: 'oidc', callbackURL: '/dashboard' })
    const atProvider = await fetch(body.url, { redirect: 'manual' })
    const callback = new URL(atProvider.headers.get('location') ?? '')
    await browser.get(`${callback.pathname.replace('/dashboard', '')}${callback.search}`)
    expect(await browser.graphql(program.slug)(viewer)).toEqual(own)
  })

  it('is one: the other spelling is neither invited nor another operator', async () => {
    await expect(invite(other)).rejects.toThrow('This person is a member of the program')
    await expect(setUpOperator(test, other)).rejects.toThrow('has an account')
  })

  it('counts wrong passwords of both spellings together', async () => {
    const attempts = []
    for (let count = 0; count < 11; count += 1) {
      const email = count % 2 ? given : other
      const { status } = await createBrowser(test).post('/auth/sign-in/email', { email, password: 'wrong' })
      attempts.push(status)
    }
    expect(attempts).toEqual([...Array(10).fill(401), 429])
  })
})

it.each(['josé@example.com', 'a/b@example.com', 'mia@localhost'])(
  'an address that could not sign in gets no account: %s',
  async (email) => {
    await expect(invite(email)).rejects.toThrow(/cannot be used to sign in|not a valid e-mail/)
    await expect(setUpOperator(test, email)).rejects.toThrow(/cannot be used to sign in|not a valid e-mail/)
  },
)

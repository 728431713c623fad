import { scryptSync } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { createSetUpToken } from '../../../src/modules/people/set-up.ts'
import { createTestApp } from '../../support/app.ts'
import { addMember, createBrowser, password, setUpOperator } from '../../support/people.ts'

// With the service's own hashes of passwords.
const test = await createTestApp({ passwords: undefined })
const { origin } = test
const olga = await setUpOperator(test)
const program = await test.createProgram()
const viewer = `{ viewer { person { name email isOperator hasSecondFactor } role programs { role program { slug } } } }`
const credentials = { email: 'olga@example.com', password }

describe('a set-up link', () => {
  it('makes an operator and signs them in', async () => {
    expect(await olga.graphql()(viewer)).toMatchObject({
      viewer: { person: { name: 'Olga Operator', email: 'olga@example.com', isOperator: true }, role: null },
    })
  })

  it('works once', async () => {
    const token = await createSetUpToken(test.database.db, test.clock.now)
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((name) =>
        createBrowser(test).post('/setup', { token, name, email: `${name}@example.com`, password }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401])
  })

  it('is not used up by an input with mistakes, and reports all of them', async () => {
    const token = await createSetUpToken(test.database.db, test.clock.now)
    const refused = await createBrowser(test).post('/setup', { token, name: '', email: 'x', password: 'Password1234!' })
    expect(refused).toMatchObject({ status: 422, body: { code: 'INVALID_INPUT' } })
    expect(refused.body.problems.map(({ field }: { field: string }) => field).sort()).toEqual([
      'email',
      'name',
      'password',
    ])
    const accepted = await createBrowser(test).post('/setup', { token, name: 'D', email: 'd@example.com', password })
    expect(accepted.status).toBe(201)
  })

  it('is refused an hour later', async () => {
    const anHourAgo = new Date(test.clock.now.getTime() - 3_600_001)
    const token = await createSetUpToken(test.database.db, anHourAgo)
    expect(await createBrowser(test).post('/setup', { token, ...credentials, name: 'E' })).toMatchObject({
      status: 401,
    })
  })
})

describe('signing in', () => {
  it('needs the e-mail address, in any case, and the password', async () => {
    const browser = createBrowser(test)
    const answer = await browser.post('/auth/sign-in/email', { ...credentials, email: 'OLGA@example.com' })
    expect(answer.status).toBe(200)
    expect(await browser.graphql()(viewer)).toMatchObject({ viewer: { person: { email: 'olga@example.com' } } })
  })

  it('checks a scrypt hash with a salt of the account: equal passwords have different hashes', async () => {
    await addMember(test, olga, program.slug, { email: 'same@example.com', role: 'ANALYST' })
    const accounts = await test.database.db.personAccount.findMany({
      where: { person: { email: { in: ['olga@example.com', 'same@example.com'] } } },
    })
    const hashes = accounts.map((account) => String(account.password))
    expect(new Set(hashes.map((hash) => hash.split(':')[0])).size).toBe(2)
    for (const hash of hashes) {
      const [salt = '', key] = hash.split(':')
      expect(scryptSync(password, salt, 64, { N: 16_384, r: 16, maxmem: 2 ** 26 }).toString('hex')).toBe(key)
    }
  })

  it('refuses text that the database cannot store', async () => {
    const answer = await createBrowser(test).post('/auth/sign-in/email', { email: 'olga\u0000@example.com', password })
    expect(answer).toMatchObject({ status: 422, body: { problems: [{ field: 'email' }] } })
  })

  it('answers a wrong password and an unknown account alike', async () => {
    const browser = createBrowser(test)
    const wrong = await browser.post('/auth/sign-in/email', { ...credentials, password: 'another four random words' })
    const unknown = await browser.post('/auth/sign-in/email', { ...credentials, email: 'nobody@example.com' })
    expect(wrong.status).toBe(401)
    expect([unknown.status, unknown.body]).toEqual([wrong.status, wrong.body])
  })

  it('gives the cookie HttpOnly and SameSite=Lax, and a new session each time', async () => {
    const browser = createBrowser(test)
    const first = await browser.post('/auth/sign-in/email', credentials)
    const before = browser.cookieHeader()
    await browser.post('/auth/sign-in/email', credentials)
    expect(browser.cookieHeader()).not.toBe(before)
    const cookie = first.headers.getSetCookie().find((one) => one.includes('session_token'))
    expect(cookie).toMatch(/HttpOnly/i)
    expect(cookie).toMatch(/SameSite=Lax/i)
  })

  it('ignores a session that the browser was given before: a fixed session stays unknown', async () => {
    const attacker = createBrowser(test)
    attacker.cookies.set('tributary.session_token', 'chosen-by-an-attacker.signature')
    await attacker.post('/auth/sign-in/email', credentials)
    expect(attacker.cookies.get('tributary.session_token')).not.toContain('chosen-by-an-attacker')
  })

  it('is limited for each account, whether it exists or not', async () => {
    for (const email of ['limited@example.com', 'unknown@example.com']) {
      if (email.startsWith('limited')) await addMember(test, olga, program.slug, { email, role: 'ANALYST' })
      const browser = createBrowser(test)
      const statuses = []
      for (let n = 0; n < 11; n += 1)
        statuses.push((await browser.post('/auth/sign-in/email', { email, password: 'wrong wrong wrong' })).status)
      expect(statuses).toEqual([...Array(10).fill(401), 429])
      const limited = await browser.post('/auth/sign-in/email', { email, password })
      expect(limited).toMatchObject({ status: 429, body: { code: 'TOO_MANY_ATTEMPTS' } })
      expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
    }
  })
})

describe('a session', () => {
  it('is ended by signing out', async () => {
    const browser = createBrowser(test)
    await browser.post('/auth/sign-in/email', credentials)
    const stolen = browser.cookieHeader()
    expect((await browser.post('/auth/sign-out')).status).toBe(200)
    await expect(createBrowser(test).graphql(undefined, { Cookie: stolen })(viewer)).rejects.toThrow('Invalid API key')
  })

  it('is listed to its owner, who can end it', async () => {
    const [one, other] = [createBrowser(test), createBrowser(test)]
    await one.post('/auth/sign-in/email', credentials)
    await other.post('/auth/sign-in/email', credentials)
    const own = (await other.get('/auth/get-session')).body.session.token
    expect((await one.get('/auth/list-sessions')).body.map(({ token }: { token: string }) => token)).toContain(own)
    expect((await one.post('/auth/revoke-session', { token: own })).status).toBe(200)
    await expect(other.graphql()(viewer)).rejects.toThrow('Invalid API key')
  })

  it('is ended by a new password, except the one that changed it', async () => {
    await addMember(test, olga, program.slug, { email: 'changes@example.com', role: 'MANAGER' })
    const account = { email: 'changes@example.com', password }
    const [one, other] = [createBrowser(test), createBrowser(test)]
    await one.post('/auth/sign-in/email', account)
    await other.post('/auth/sign-in/email', account)
    const common = await one.post('/auth/change-password', { currentPassword: password, newPassword: 'qwertyqwerty12' })
    expect(common).toMatchObject({ status: 400, body: { code: 'PASSWORD_REJECTED' } })
    const change = { currentPassword: password, newPassword: 'four other random words' }
    expect((await one.post('/auth/change-password', change)).status).toBe(200)
    await expect(other.graphql()(viewer)).rejects.toThrow('Invalid API key')
    expect(await one.graphql()(viewer)).toMatchObject({ viewer: { person: { email: 'changes@example.com' } } })
  })
})

describe('a password-reset link', () => {
  // All tests of the file have one address, whose attempts are limited.
  beforeEach(() => test.database.db.signInAttempt.deleteMany())
  const newPassword = 'four other random words'
  const createLink = async (email: string, who = olga) => {
    const mutation = `mutation ($email: EmailAddress!) { createPasswordResetLink(input: { email: $email }) { url person { name } } }`
    return (await who.graphql(program.slug)(mutation, { email })).createPasswordResetLink as { url: string }
  }
  const tokenOf = async (email: string) => (await createLink(email)).url.split('#token=')[1] as string
  const reset = (token: string, password = newPassword) =>
    createBrowser(test).post('/password-reset', { token, password })

  it('gives a new password once, and ends all sessions of the person', async () => {
    const email = 'forgets@example.com'
    const person = await addMember(test, olga, program.slug, { email, role: 'MANAGER' })
    for (let n = 0; n < 11; n += 1)
      await createBrowser(test).post('/auth/sign-in/email', { email, password: 'wrong wrong wrong' })
    const token = await tokenOf(email.toUpperCase())
    expect((await createBrowser(test).post('/password-reset/read', { token })).body).toEqual({ email })
    expect(await reset(token, 'qwertyqwerty12')).toMatchObject({
      status: 422,
      body: { problems: [{ field: 'password' }] },
    })
    const answers = await Promise.all([reset(token), reset(token)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
    expect(answers.flatMap(({ headers }) => headers.getSetCookie())).toEqual([])
    await expect(person.graphql()(viewer)).rejects.toThrow('Invalid API key')
    const signIn = (password: string) => createBrowser(test).post('/auth/sign-in/email', { email, password })
    expect((await signIn(password)).status).toBe(401)
    expect((await signIn(newPassword)).status).toBe(200)
    expect(await olga.graphql()(viewer)).toMatchObject({ viewer: { person: { email: 'olga@example.com' } } })
  })

  it('that was used or replaced, is unknown, or is older than an hour gets one and the same answer', async () => {
    const email = 'late@example.com'
    await addMember(test, olga, program.slug, { email, role: 'ANALYST' })
    const replaced = await tokenOf(email)
    const used = await tokenOf(email)
    expect((await reset(used)).status).toBe(200)
    const setUp = await createSetUpToken(test.database.db, test.clock.now)
    const expired = await tokenOf(email)
    const change = { expiresAt: new Date(test.clock.now.getTime() - 1) }
    await test.database.db.personVerification.updateMany({
      where: { identifier: { startsWith: 'password-reset ' } },
      data: change,
    })
    for (const path of ['/password-reset', '/password-reset/read'])
      for (const token of [replaced, used, expired, 'unknown', '', setUp])
        expect(await createBrowser(test).post(path, { token, password: newPassword })).toMatchObject({
          status: 401,
          body: { code: 'UNAUTHENTICATED', message: expect.stringContaining('This link is not valid') },
        })
  })

  it('is made only by operators, for people with an account', async () => {
    const owner = await addMember(test, olga, program.slug, { email: 'reset-owner@example.com', role: 'OWNER' })
    await expect(createLink('olga@example.com', owner)).rejects.toThrow('operator')
    await expect(createLink('nobody@example.com')).rejects.toThrow('Nobody has an account with this e-mail address.')
  })
})

describe('requests of other pages', () => {
  const query = (headers: Record<string, string>, body: string | URLSearchParams = JSON.stringify({ query: viewer })) =>
    test.app.fetch(
      new Request(`${origin}/graphql`, { method: 'POST', headers: { Cookie: olga.cookieHeader(), ...headers }, body }),
    )
  const json = { 'Content-Type': 'application/json' }

  it.each([
    ['from another origin', { ...json, Origin: 'https://evil.test' }],
    ['without an origin', json],
    ['from a sandboxed frame', { ...json, Origin: 'null' }],
    ['of another port', { ...json, Origin: 'http://localhost:4001' }],
    ['as a text, which a form can send', { 'Content-Type': 'text/plain', Origin: origin }],
  ])('are not signed in to GraphQL: %s', async (_name, headers) => {
    expect((await query(headers)).status).toBe(401)
  })

  it('are not signed in to GraphQL: a form', async () => {
    const form = new URLSearchParams({ query: viewer })
    expect((await query({ Origin: 'https://evil.test' }, form)).status).toBe(401)
    expect((await query({ Origin: origin }, form)).status).toBe(401)
  })

  it('are not signed in to GraphQL: a link', async () => {
    const url = `${origin}/graphql?query=${encodeURIComponent(viewer)}`
    const response = await test.app.fetch(new Request(url, { headers: { Cookie: olga.cookieHeader() } }))
    expect(response.status).toBe(401)
  })

  it('can neither sign in, nor sign out, nor use a link', async () => {
    for (const path of ['/auth/sign-in/email', '/auth/sign-out', '/setup', '/invitation', '/password-reset']) {
      const answer = await olga.post(path, credentials, { Origin: 'https://evil.test' })
      expect([path, answer.status, answer.body.code]).toEqual([path, 403, 'FORBIDDEN'])
      const form = await olga.post(path, 'a=1', { 'Content-Type': 'application/x-www-form-urlencoded' })
      expect([path, form.status]).toEqual([path, 415])
    }
  })

  it('a session is not an API key: REST refuses it', async () => {
    const headers = { Cookie: olga.cookieHeader(), Origin: origin, 'X-Program-Id': program.id }
    expect((await test.app.fetch(new Request(`${origin}/v1/affiliates`, { headers }))).status).toBe(401)
  })

  it('find no endpoint of the library that is not needed', async () => {
    for (const path of [
      '/auth/sign-up/email',
      '/auth/delete-user',
      '/auth/ok',
      '/auth/update-session',
      '/auth/request-password-reset',
    ])
      expect((await olga.post(path, {})).status).toBe(404)
  })
})

describe('a change of the own name', () => {
  it('is checked like that of an invitation, and nothing else can be changed with it', async () => {
    const browser = createBrowser(test)
    await browser.post('/auth/sign-in/email', credentials)
    const statuses = []
    for (const name of ['', ' ', 'x'.repeat(256), 'a\u0000'])
      statuses.push((await browser.post('/auth/update-user', { name })).status)
    expect(statuses).toEqual([400, 400, 400, 422])
    expect((await browser.post('/auth/update-user', { image: 'x'.repeat(10_000) })).status).toBe(400)
    expect((await browser.post('/auth/update-user', { name: ' Olga O. ' })).status).toBe(200)
    const where = { email: credentials.email }
    expect(await test.database.db.person.findUnique({ where })).toMatchObject({ name: 'Olga O.', image: null })
  })
})

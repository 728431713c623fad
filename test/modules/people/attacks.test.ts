import { beforeEach, describe, expect, it } from 'vitest'
import { authEndpoints } from '../../../src/modules/people/auth-endpoints.ts'
import { createTestApp } from '../../support/app.ts'
import { codeOf } from '../../support/one-time-code.ts'
import { addMember, createBrowser, password, setUpOperator, type TestBrowser } from '../../support/people.ts'

const test = await createTestApp({ tracking: { trustedProxies: 1 } })
const olga = await setUpOperator(test)
const program = await test.createProgram()
const db = test.database.db
beforeEach(() => db.signInAttempt.deleteMany())

const viewer = '{ viewer { role person { email } } }'
const from = (address: string) => ({ 'X-Forwarded-For': address })

describe('the sign-in library', () => {
  it('gets no field that the pages do not send, on any path', async () => {
    const extras = [
      'trustDevice',
      'rememberMe',
      'callbackURL2',
      'idToken',
      'requestSignUp',
      'scopes',
      'loginHint',
      'method',
      'issuer',
    ]
    for (const [path, { method, fields }] of authEndpoints) {
      if (method === 'GET') continue
      const valid = Object.fromEntries(fields.map((name) => [name, 'value']))
      for (const extra of [
        ...extras,
        'disableRedirect',
        'additionalData',
        'revokeOtherSessions',
        'image',
        'isOperator',
      ]) {
        const answer = await olga.post(`/auth${path}`, { ...valid, [extra]: true })
        expect([path, extra, answer.status, answer.body.code]).toEqual([path, extra, 400, 'FIELD_REJECTED'])
      }
    }
    expect(await olga.graphql()(viewer)).toMatchObject({ viewer: { person: { email: 'olga@example.com' } } })
  })

  it('serves only the paths that the pages use, and only with their method', async () => {
    for (const path of [
      ...[
        '/two-factor/generate-backup-codes',
        '/two-factor/get-totp-uri',
        '/two-factor/send-otp',
        '/two-factor/verify-otp',
      ],
      ...[
        '/list-accounts',
        '/unlink-account',
        '/revoke-sessions',
        '/change-email',
        '/verify-password',
        '/refresh-token',
      ],
    ])
      expect([path, (await olga.post(`/auth${path}`, {})).status]).toEqual([path, 404])
    expect((await olga.get('/auth/sign-out')).status).toBe(405)
    expect((await olga.post('/auth/get-session')).status).toBe(405)
  })

  it('trusts no device: each sign-in asks for a code', async () => {
    const account = { email: 'factor@example.com', password }
    const mia = await addMember(test, olga, program.slug, { email: account.email, role: 'ANALYST' })
    const { body } = await mia.post('/auth/two-factor/enable', { password })
    await mia.post('/auth/two-factor/verify-totp', { code: codeOf(body.totpURI) })
    const browser = createBrowser(test)
    await browser.post('/auth/sign-in/email', account)
    const trusting = { code: codeOf(body.totpURI), trustDevice: true }
    expect((await browser.post('/auth/two-factor/verify-totp', trusting)).status).toBe(400)
    expect((await browser.post('/auth/two-factor/verify-totp', { code: trusting.code })).status).toBe(200)
    expect([...browser.cookies.keys()].join()).not.toContain('trust_device')
    expect((await browser.post('/auth/sign-in/email', account)).body).toMatchObject({ twoFactorRedirect: true })
  })
})

describe('an invitation', () => {
  const invite = async (inviter: TestBrowser, email: string, role = 'OWNER') => {
    const { inviteMember } = await inviter.graphql(program.slug)(
      `mutation ($input: InviteMemberInput!) { inviteMember(input: $input) { url } }`,
      { input: { email, role } },
    )
    return inviteMember.url.split('#token=')[1] as string
  }
  const accept = (token: string) => createBrowser(test).post('/invitation', { token, name: 'Accomplice', password })
  const idOf = async (email: string) => (await db.person.findUniqueOrThrow({ where: { email } })).id
  const owner = (email: string) => addMember(test, olga, program.slug, { email, role: 'OWNER' })
  const change = (mutation: string) => olga.graphql(program.slug)(mutation)

  const endings: [string, (id: string) => Promise<unknown>][] = [
    ['removed', (id) => change(`mutation { removeMember(input: { personId: "${id}" }) { member { id } } }`)],
    [
      'a manager',
      (id) => change(`mutation { updateMember(input: { personId: "${id}", role: MANAGER }) { member { id } } }`),
    ],
    [
      'an analyst',
      (id) => change(`mutation { updateMember(input: { personId: "${id}", role: ANALYST }) { member { id } } }`),
    ],
    // As if an import or a migration had left the invitation.
    ['removed by a statement', (id) => db.member.deleteMany({ where: { personId: id } })],
    ['demoted by a statement', (id) => db.member.updateMany({ where: { personId: id }, data: { role: 'manager' } })],
  ]
  it.each(endings)('ends when its maker is %s', async (how, end) => {
    const email = `${how.replaceAll(' ', '-')}@example.com`
    const xavier = await owner(email)
    const tokens = [await invite(xavier, `one-${email}`), await invite(xavier, `two-${email}`, 'ANALYST')]
    const other = await invite(olga, `other-${email}`, 'ANALYST')
    await end(await idOf(email))
    for (const token of tokens) {
      expect((await createBrowser(test).post('/invitation/read', { token })).status).toBe(401)
      expect((await accept(token)).status).toBe(401)
    }
    expect((await accept(other)).status).toBe(201)
    expect(await db.member.count({ where: { person: { email: { in: [`one-${email}`, `two-${email}`] } } } })).toBe(0)
  })

  it('of an operator stays when they are removed as a member, because they can still invite', async () => {
    const token = await invite(olga, 'of-operator@example.com')
    expect((await accept(token)).status).toBe(201)
  })
})

describe('wrong passwords of strangers', () => {
  const account = { email: 'locked@example.com', password }
  const wrong = { email: account.email, password: 'wrong wrong wrong' }
  const addressOf = (n: number) => from(`198.51.${100 + Math.floor(n / 250)}.${n % 250}`)

  it('from ten addresses lock no person out', async () => {
    await addMember(test, olga, program.slug, { email: account.email, role: 'ANALYST' })
    for (let n = 0; n < 10; n += 1) await createBrowser(test).post('/auth/sign-in/email', wrong, addressOf(n))
    const mia = createBrowser(test)
    expect((await mia.post('/auth/sign-in/email', account, from('203.0.113.1'))).status).toBe(200)
  })

  it('are limited for an account, from one address and from all; a known device passes both limits', async () => {
    const known = createBrowser(test)
    expect((await known.post('/auth/sign-in/email', account, from('203.0.113.1'))).status).toBe(200)
    const statuses = []
    for (let n = 0; n < 11; n += 1)
      statuses.push((await createBrowser(test).post('/auth/sign-in/email', wrong, from('203.0.113.1'))).status)
    expect(statuses).toEqual([...Array(10).fill(401), 429])
    // Many addresses: as if ninety more had tried, without their hashing.
    await db.signInAttempt.updateMany({ where: { count: 10 }, data: { count: 100 } })
    expect((await createBrowser(test).post('/auth/sign-in/email', account, from('203.0.113.77'))).status).toBe(429)
    expect((await known.post('/auth/sign-in/email', account, from('203.0.113.1'))).status).toBe(200)
    expect((await known.post('/auth/sign-in/email', account, from('203.0.113.99'))).status).toBe(200)
    const guess = async (n: number) => (await known.post('/auth/sign-in/email', wrong, addressOf(n))).status
    expect([await guess(1), await guess(2)]).toEqual([401, 401])
    // As if 27 more had been sent, without their hashing.
    await db.signInAttempt.updateMany({ where: { count: 2 }, data: { count: 29 } })
    expect([await guess(30), await guess(31)]).toEqual([401, 429])
  })

  it('a device is known for its own account only, and cannot be made up', async () => {
    const known = createBrowser(test)
    await known.post('/auth/sign-in/email', account)
    const other = { email: 'other@example.com', password }
    await addMember(test, olga, program.slug, { email: other.email, role: 'ANALYST' })
    const device = known.cookies.get('tributary.device') as string
    for (const cookie of [device, `${device.split('.')[0]}.${'A'.repeat(43)}`, `${device}x`]) {
      await db.signInAttempt.deleteMany()
      const stranger = createBrowser(test)
      const statuses: number[] = []
      const guess = async () => {
        stranger.cookies.set('tributary.device', cookie)
        const body = { ...wrong, email: cookie === device ? other.email : account.email }
        statuses.push((await stranger.post('/auth/sign-in/email', body, from('203.0.113.5'))).status)
      }
      await guess()
      // As if nine more had been sent, without their hashing.
      await db.signInAttempt.updateMany({ where: { count: 1 }, data: { count: 10 } })
      await guess()
      expect([cookie.length, ...statuses]).toEqual([cookie.length, 401, 429])
    }
  })
})

describe('a page of another origin', () => {
  const origins: [string, number][] = [
    ['http://localhost:4000', 200],
    ['https://localhost:4000', 403],
    ['chrome-extension://localhost:4000', 403],
    ['ftp://localhost:4000', 403],
    ['http://localhost:4001', 403],
    ['http://localhost', 403],
    ['http://localhost:4000.evil.test', 403],
    ['http://evil.test', 403],
    ['null', 403],
    ['', 403],
    // The service under another name of its own, as the proxy hands it on.
    ['http://affiliates.acme.test', 200],
    ['https://affiliates.acme.test', 403],
  ]
  it.each(origins)('%s gets %i', async (origin, status) => {
    const host = origin.includes('acme') ? 'affiliates.acme.test' : 'localhost:4000'
    const browser = createBrowser(test)
    await browser.post('/auth/sign-in/email', { email: 'olga@example.com', password })
    const answer = await browser.post('/auth/revoke-other-sessions', {}, { Origin: origin, Host: host })
    expect(answer.status).toBe(status)
  })
})

import { decodeJwt, SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { secretOfRow } from '../../../../src/modules/access/affiliate-tokens/signing-secret.ts'
import { createSupersetKey } from '../../../rest/convention/keys.ts'
import { sso } from '../../../rest/convention/schemas.ts'
import { createTestApp, graphqlClient, restClient, type TestProgram, testKey } from '../../../support/app.ts'
import { createAffiliate, unknownId } from '../../../support/factories.ts'

const test = await createTestApp()
let program: TestProgram
let ada: { id: string; email: string }

beforeAll(async () => {
  program = await test.createProgram()
  ada = await createAffiliate(program, { email: 'ada@example.com' })
})

const ticketOf = (url: string) => new URL(url).hash.replace('#ticket=', '')
const ask = async (of = program, id = ada.id) => (await of.get(`/affiliates/${id}/sso`)).body
const issue = async (of = program, id = ada.id) => ticketOf((await ask(of, id)).sso.url)

async function redeem(ticket: unknown) {
  const response = await test.app.fetch(
    new Request('http://localhost:4000/portal/session', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ticket }),
    }),
  )
  return { status: response.status, headers: response.headers, body: (await response.json()) as any }
}
const own = (token: string) => graphqlClient(test.app.fetch, { Authorization: `Bearer ${token}` })
const wrong = { status: 401, body: { error: 'This link is not valid.' } }
const used = { status: 401, body: { error: 'This link has already been used: it works only once.' } }
const over = { status: 401, body: { error: 'This link has expired. Ask for a new one.' } }
const rowOf = (id: string) => test.database.db.affiliate.findFirstOrThrow({ where: { id } })

/** A ticket as the service creates it, except for the given changes. */
async function forge(change: (jwt: SignJWT) => SignJWT, claims: object = {}) {
  await issue()
  const row = await test.database.db.affiliateTokenSecret.findUniqueOrThrow({ where: { programId: program.id } })
  const secret = secretOfRow({ key: testKey }, row) ?? ''
  const jwt = new SignJWT({ program: program.id, jti: crypto.randomUUID(), ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(ada.id)
    .setAudience('tributary:sso')
    .setIssuedAt(test.clock.now)
    .setExpirationTime(new Date(test.clock.now.getTime() + 60_000))
  return `trib_sso_${await change(jwt).sign(Buffer.from(secret, 'base64url'))}`
}

describe('GET /affiliates/{id}/sso', () => {
  it('200 returns a link, its expiry and the affiliate', async () => {
    const { status, body, headers } = await program.get(`/affiliates/${ada.id}/sso`)
    expect(status).toBe(200)
    expect(body).toEqual({
      sso: {
        url: expect.stringMatching(
          /^http:\/\/localhost:4000\/portal\?program=[\w-]+&from=site#ticket=trib_sso_[\w-]+\.[\w-]+\.[\w-]+$/,
        ),
        expires: '2026-03-10T12:01:00.000Z',
      },
      affiliate: { id: ada.id, email: 'ada@example.com' },
    })
    expect([headers.get('cache-control'), headers.get('etag')]).toEqual(['no-store', null])
  })

  it.each(['disabled', 'suspicious'])(
    '422 for a %s affiliate, whose earlier link and tokens are not made good either',
    async (state) => {
      const somebody = await createAffiliate(program)
      const earlier = await issue(program, somebody.id)
      await program.put(`/affiliates/${somebody.id}`, { state })
      const { status, body } = await program.get(`/affiliates/${somebody.id}/sso`)
      expect([status, body.error]).toEqual([
        422,
        `The affiliate is ${state} and cannot sign in. Activate the affiliate first.`,
      ])
      expect((await redeem(earlier)).status).toBe(401)
      const token = 'mutation ($id: ID!) { createAffiliateToken(input: { affiliateId: $id }) { token } }'
      await expect(program.graphql(token, { id: somebody.id })).rejects.toThrow(`The affiliate is ${state}`)
      await program.put(`/affiliates/${somebody.id}`, { state: 'active' })
      expect((await redeem(earlier)).status).toBe(201)
    },
  )

  it('returns the same fields for both profiles, and only superset affiliates have a sign-in count', async () => {
    const fresh = await createAffiliate(program)
    for (const words of ['contract', 'convention'] as const) {
      const superset = await createSupersetKey(test, program, words)
      const [plain, other] = [await ask(program, fresh.id), (await superset.get(`/affiliates/${fresh.id}/sso`)).body]
      expect(sso.parse(other)).toEqual({ ...plain, sso: { ...plain.sso, url: other.sso.url } })
      const count = async () => (await superset.get(`/affiliates/${fresh.id}`)).body.sign_in_count
      const before = await count()
      await redeem(ticketOf(other.sso.url))
      expect(await count()).toBe(before + 1)
    }
    expect((await program.get(`/affiliates/${fresh.id}`)).body).not.toHaveProperty('sign_in_count')
  })

  it('returns another link each time, even with If-None-Match; HEAD returns the same headers', async () => {
    expect(await issue()).not.toBe(await issue())
    const again = await program.send(`/affiliates/${ada.id}/sso`, { headers: { 'If-None-Match': '*' } })
    expect(again.status).toBe(200)
    const head = await program.send(`/affiliates/${ada.id}/sso`, { method: 'HEAD' })
    expect([head.status, head.headers.get('cache-control'), head.body]).toEqual([200, 'no-store', undefined])
  })

  it.each(['application/json', 'application/x-www-form-urlencoded', 'text/nonsense'])(
    'a content type %s without a body is ignored, and so are a slash at the end, expand and what a query says',
    async (type) => {
      for (const path of ['sso/', 'sso?expand[]=campaign', `sso?affiliate_id=${unknownId}`]) {
        const answer = await program.send(`/affiliates/${ada.id}/${path}`, { headers: { 'Content-Type': type } })
        expect([path, answer.status, answer.body.affiliate?.id]).toEqual([path, 200, ada.id])
      }
    },
  )

  it('404 for an id that is unknown, of another program, or invalid', async () => {
    const other = await createAffiliate(await test.createProgram())
    for (const id of [unknownId, other.id, 'nonsense']) {
      const { status, body, headers } = await program.get(`/affiliates/${id}/sso`)
      expect([status, body]).toEqual([404, { error: `Affiliate not found: ${id}` }])
      expect(headers.get('cache-control')).toBe('no-store')
    }
  })

  it('422 for a disabled affiliate', async () => {
    const { id } = await createAffiliate(program)
    await program.put(`/affiliates/${id}`, { state: 'disabled' })
    const { status, body } = await program.get(`/affiliates/${id}/sso`)
    expect([status, body]).toEqual([
      422,
      { error: 'The affiliate is disabled and cannot sign in. Activate the affiliate first.' },
    ])
  })

  it('403 for a key with read access; 401 without a key, and with an affiliate token', async () => {
    const { createApiKey } = await test.operator(
      'mutation ($id: ID!) { createApiKey(input: { programId: $id, name: "Reads", access: READ }) { secret } }',
      { id: program.id },
    )
    const statusWith = async (secret: string) =>
      (await restClient(test.app.fetch, { Authorization: `Bearer ${secret}` }).get(`/affiliates/${ada.id}/sso`)).status
    expect(await statusWith(createApiKey.secret)).toBe(403)
    expect(await statusWith((await redeem(await issue())).body.token)).toBe(401)
    expect(await statusWith('nobody')).toBe(401)
  })

  it('405 for another method', async () => {
    const { status, headers } = await program.delete(`/affiliates/${ada.id}/sso`)
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
  })

  it('writes nothing, so an unused link leaves no trace', async () => {
    await issue()
    const before = await rowOf(ada.id)
    await Promise.all([issue(), issue()])
    expect(await rowOf(ada.id)).toEqual(before)
  })
})

describe('createSsoLink', () => {
  const mutation = `mutation ($id: ID!) {
    createSsoLink(input: { affiliateId: $id }) { url expiresAt affiliate { email signInCount campaign { name } } }
  }`

  it('returns the same in GraphQL, for a key and for the operator', async () => {
    const fresh = await createAffiliate(program, { email: 'fresh@example.com' })
    const { createSsoLink } = await program.graphql(mutation, { id: fresh.id })
    expect(createSsoLink.expiresAt).toBe('2026-03-10T12:01:00.000Z')
    expect(createSsoLink.affiliate).toMatchObject({ email: 'fresh@example.com', signInCount: 0 })
    expect((await redeem(ticketOf(createSsoLink.url))).status).toBe(201)
    const asked = await test.operator(mutation, { id: fresh.id }, { 'X-Program-Id': program.id })
    expect(asked.createSsoLink.affiliate.signInCount).toBe(1)
    expect((await redeem(ticketOf(asked.createSsoLink.url))).status).toBe(201)
  })

  it('is forbidden for an affiliate token', async () => {
    const { token } = (await redeem(await issue())).body
    await expect(own(token)(mutation, { id: ada.id })).rejects.toThrow('An affiliate token cannot read')
  })
})

describe('a ticket', () => {
  it('201 returns an affiliate token for a day, and counts the sign-in', async () => {
    const { signInCount, updatedAt } = await rowOf(ada.id)
    const { status, body, headers } = await redeem(await issue())
    expect([status, Object.keys(body)]).toEqual([201, ['token', 'expires_at', 'in_cookie']])
    expect(body.expires_at).toBe('2026-03-11T12:00:00.000Z')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(await own(body.token)('{ me { email } }')).toEqual({ me: { email: 'ada@example.com' } })
    expect(await rowOf(ada.id)).toMatchObject({ signInCount: signInCount + 1, updatedAt })
  })

  it('works once', async () => {
    const ticket = await issue()
    expect((await redeem(ticket)).status).toBe(201)
    const { signInCount } = await rowOf(ada.id)
    for (let times = 0; times < 2; times++) expect(await redeem(ticket)).toMatchObject(used)
    expect((await rowOf(ada.id)).signInCount).toBe(signInCount)
  })

  it('works for one minute in true time, also in a sandbox', async () => {
    const sandbox = await test.createProgram({ isSandbox: true })
    const { id } = await createAffiliate(sandbox)
    await sandbox.graphql(
      `mutation { advanceClock(input: { programId: "${sandbox.id}", days: 30 }) { program { clock } } }`,
    )
    const tickets = [await issue(sandbox, id), await issue(sandbox, id)]
    test.clock.advanceMinutes(0.99)
    expect((await redeem(tickets[0])).status).toBe(201)
    test.clock.advanceMinutes(0.01)
    expect(await redeem(tickets[1])).toMatchObject(over)
  })

  it('stays used for as long as any instance could accept it, then its use is deleted', async () => {
    const kept = () => test.database.db.ssoRedemption.findMany({ where: { programId: program.id } })
    const ticket = await issue()
    await redeem(ticket)
    const { jti } = decodeJwt(ticket.slice('trib_sso_'.length))
    const isKept = async () => (await kept()).some(({ ticketId }) => ticketId === jti)
    test.clock.advanceMinutes(25 * 60)
    await redeem(await issue())
    expect(await isKept()).toBe(true)
    test.clock.advanceMinutes(2)
    await redeem(await issue())
    expect(await isKept()).toBe(false)
    expect(await redeem(ticket)).toMatchObject(over)
  })

  it('is rejected once the affiliate is disabled', async () => {
    const { id } = await createAffiliate(program)
    const ticket = await issue(program, id)
    await program.put(`/affiliates/${id}`, { state: 'disabled' })
    expect(await redeem(ticket)).toMatchObject({ status: 401, body: { error: 'The affiliate is disabled.' } })
    expect((await rowOf(id)).signInCount).toBe(0)
    await program.put(`/affiliates/${id}`, { state: 'active' })
    expect((await redeem(ticket)).status).toBe(201)
  })

  it('is revoked together with all affiliate tokens of the program', async () => {
    const other = await test.createProgram()
    const { id } = await createAffiliate(other)
    const ticket = await issue(other, id)
    await other.graphql('mutation { revokeAffiliateTokens(input: {}) { program { id } } }')
    expect(await redeem(ticket)).toMatchObject(wrong)
  })

  it('cannot read data, and an affiliate token is not accepted as a ticket', async () => {
    const ticket = await issue()
    await expect(own(ticket)('{ me { id } }')).rejects.toThrow('Invalid API key.')
    const { token } = (await redeem(ticket)).body
    expect(await redeem(token)).toMatchObject(wrong)
    // Nor with the prefix of the other kind.
    const [jwt, ticketJwt] = [token.slice('trib_at_'.length), (await issue()).slice('trib_sso_'.length)]
    expect(await redeem(`trib_sso_${jwt}`)).toMatchObject(wrong)
    await expect(own(`trib_at_${ticketJwt}`)('{ me { id } }')).rejects.toThrow('Invalid affiliate token.')
  })

  it('is rejected if it is forged, malformed, or of an unknown affiliate', async () => {
    expect((await redeem(await forge((jwt) => jwt))).status).toBe(201)
    const ticket = await issue()
    const flipped = ticket.slice(0, -2) + (ticket.endsWith('AA') ? 'BB' : 'AA')
    const elsewhere = await test.createProgram()
    for (const one of [
      flipped,
      await forge((jwt) => jwt.setSubject(unknownId)),
      await forge((jwt) => jwt, { program: elsewhere.id }),
      await forge((jwt) => jwt, { jti: 'once' }),
      await forge((jwt) => jwt, { jti: undefined }),
      'trib_sso_',
      'nonsense',
      '',
    ])
      expect(await redeem(one)).toMatchObject(wrong)
  })

  it('signs in once when many requests send it concurrently', async () => {
    const { id } = await createAffiliate(program)
    const ticket = await issue(program, id)
    const answers = await Promise.all(Array.from({ length: 20 }, () => redeem(ticket)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(401)])
    expect((await rowOf(id)).signInCount).toBe(1)
  })
})

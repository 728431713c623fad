import { SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { secretOfRow } from '../../../../src/modules/access/affiliate-tokens/signing-secret.ts'
import { createTestApp, graphqlClient, restClient, type TestProgram, testKey } from '../../../support/app.ts'
import { createAffiliate, unknownId } from '../../../support/factories.ts'

const test = await createTestApp()
let program: TestProgram
let affiliate: { id: string; email: string }

beforeAll(async () => {
  program = await test.createProgram()
  affiliate = await createAffiliate(program, { email: 'ada@example.com' })
})

const mutation = `mutation ($affiliateId: ID!, $expiresInSeconds: Int) {
  createAffiliateToken(input: { affiliateId: $affiliateId, expiresInSeconds: $expiresInSeconds }) {
    token expiresAt affiliate { email }
  }
}`
const issue = async (of = program, affiliateId = affiliate.id, expiresInSeconds?: number) =>
  (await of.graphql(mutation, { affiliateId, expiresInSeconds })).createAffiliateToken

async function ask(token: string, query = '{ me { email } }') {
  const response = await test.app.fetch(
    new Request('http://localhost:4000/graphql', {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query }),
    }),
  )
  const { data, errors } = (await response.json()) as any
  return { status: response.status, data, error: errors?.[0]?.message, code: errors?.[0]?.extensions?.code }
}
const refused = { status: 401, code: 'UNAUTHENTICATED', error: 'Invalid affiliate token.' }
const taken = { status: 200, data: { me: { email: 'ada@example.com' } } }

const secretOf = async ({ id: programId }: { id: string }) => {
  const row = await test.database.db.affiliateTokenSecret.findUniqueOrThrow({ where: { programId } })
  return Buffer.from(secretOfRow({ key: testKey }, row) ?? '', 'base64url')
}

/** A token as the service creates it, except for the given changes. */
async function forge(
  change: (jwt: SignJWT) => SignJWT = (jwt) => jwt,
  claims: object = {},
  secret?: Uint8Array,
  alg = 'HS256',
) {
  const jwt = new SignJWT({ program: program.id, ...claims })
    .setProtectedHeader({ alg })
    .setSubject(affiliate.id)
    .setAudience('tributary:affiliate')
    .setIssuedAt(test.clock.now)
    .setExpirationTime(new Date(test.clock.now.getTime() + 60_000))
  return `trib_at_${await change(jwt).sign(secret ?? (await secretOf(program)))}`
}

describe('an affiliate token', () => {
  it('reads its own affiliate for 15 minutes by default', async () => {
    const { token, expiresAt, affiliate: of } = await issue()
    expect(token).toMatch(/^trib_at_/)
    expect(of.email).toBe('ada@example.com')
    expect(new Date(expiresAt).getTime() - test.clock.now.getTime()).toBe(900_000)
    expect(await ask(token)).toMatchObject(taken)
    test.clock.advanceMinutes(14.99)
    expect(await ask(token)).toMatchObject(taken)
    test.clock.advanceMinutes(0.01)
    expect(await ask(token)).toMatchObject({ ...refused, error: 'The affiliate token has expired. Request a new one.' })
  })

  it('lives from one minute to one day', async () => {
    const { expiresAt } = await issue(program, affiliate.id, 86_400)
    expect(new Date(expiresAt).getTime() - test.clock.now.getTime()).toBe(86_400_000)
    await issue(program, affiliate.id, 60)
    for (const seconds of [59, 86_401, 0, -1])
      await expect(issue(program, affiliate.id, seconds)).rejects.toThrow('must be a whole number from 60 to 86400')
  })

  it('can be created by the operator, and not by a key with read access', async () => {
    const named = { 'X-Program-Id': program.id }
    const { createAffiliateToken } = await test.operator(mutation, { affiliateId: affiliate.id }, named)
    expect(await ask(createAffiliateToken.token)).toMatchObject(taken)
    const { createApiKey } = await test.operator(
      'mutation ($id: ID!) { createApiKey(input: { programId: $id, name: "Reads", access: READ }) { secret } }',
      { id: program.id },
    )
    const reader = graphqlClient(test.app.fetch, { Authorization: `Bearer ${createApiKey.secret}` })
    await expect(reader(mutation, { affiliateId: affiliate.id })).rejects.toThrow('This key may only read.')
    const { token } = await issue()
    const own = graphqlClient(test.app.fetch, { Authorization: `Bearer ${token}` })
    await expect(own(mutation, { affiliateId: affiliate.id })).rejects.toThrow('An affiliate token cannot read')
  })

  it('can be created only for an affiliate of the program', async () => {
    const other = await createAffiliate(await test.createProgram())
    for (const id of [other.id, unknownId, 'nonsense'])
      await expect(issue(program, id)).rejects.toThrow('Affiliate not found.')
  })

  it('is accepted only by GraphQL and only as Bearer', async () => {
    const { token } = await issue()
    const rest = restClient(test.app.fetch, { Authorization: `Bearer ${token}` })
    for (const answer of [
      rest.get('/affiliates'),
      rest.get(`/affiliates/${affiliate.id}`),
      rest.post('/affiliates', {}),
    ])
      expect(await answer).toMatchObject({ status: 401, body: { error: 'Invalid API key.' } })
    const basic = { Authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}` }
    expect((await restClient(test.app.fetch, basic).get('/affiliates')).status).toBe(401)
    await expect(graphqlClient(test.app.fetch, basic)('{ me { id } }')).rejects.toThrow('Invalid API key.')
  })

  it('can read the schema, as an API key can', async () => {
    const { token } = await issue()
    const { status, data } = await ask(token, '{ __schema { queryType { name } } __typename }')
    expect({ status, data }).toEqual({
      status: 200,
      data: { __schema: { queryType: { name: 'Query' } }, __typename: 'Query' },
    })
  })

  it("expires in true time, and reads at the sandbox's clock", async () => {
    const sandbox = await test.createProgram({ isSandbox: true })
    const { id } = await createAffiliate(sandbox, { email: 'ada@example.com' })
    const before = await issue(sandbox, id)
    await sandbox.graphql(
      `mutation { advanceClock(input: { programId: "${sandbox.id}", days: 30 }) { program { clock } } }`,
    )
    const after = await issue(sandbox, id)
    expect(new Date(after.expiresAt).getTime() - test.clock.now.getTime()).toBe(900_000)
    for (const { token } of [before, after]) expect(await ask(token)).toMatchObject(taken)
    test.clock.advanceMinutes(15)
    for (const { token } of [before, after]) expect(await ask(token)).toMatchObject({ status: 401 })
  })
})

describe('401 for a token', () => {
  it('that was tampered with', async () => {
    const { token } = await issue()
    const [head = '', body = '', signature = ''] = token.slice('trib_at_'.length).split('.')
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString())
    const rewritten = Buffer.from(JSON.stringify({ ...claims, exp: claims.exp + 1 })).toString('base64url')
    const flipped = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1)
    for (const jwt of [`${head}.${rewritten}.${signature}`, `${head}.${body}.${flipped}`, `${head}.${body}.`, head, ''])
      expect(await ask(`trib_at_${jwt}`)).toMatchObject(refused)
    expect(await ask(token)).toMatchObject(taken)
  })

  it('that was signed for another program', async () => {
    const other = await test.createProgram()
    const { id } = await createAffiliate(other)
    await issue(other, id)
    expect(await ask(await forge())).toMatchObject(taken)
    expect(await ask(await forge(undefined, {}, await secretOf(other)))).toMatchObject(refused)
    // A token signed with the other program's secret does not reach this program's affiliate either.
    expect(await ask(await forge(undefined, { program: other.id }, await secretOf(other)))).toMatchObject(refused)
    expect(await ask(await forge((jwt) => jwt.setSubject(id)))).toMatchObject(refused)
  })

  it('that is unsigned, or signed with another algorithm', async () => {
    const [, body = ''] = (await forge()).split('.')
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    expect(await ask(`trib_at_${none}.${body}.`)).toMatchObject(refused)
    // HMAC pads keys with zeros, so this is the program's own secret.
    const padded = Buffer.concat([await secretOf(program), Buffer.alloc(32)])
    const other = await forge(undefined, {}, padded, 'HS512')
    expect(await ask(other)).toMatchObject(refused)
  })

  it('with another audience, or without an expiry', async () => {
    expect(await ask(await forge((jwt) => jwt.setAudience('tributary:operator')))).toMatchObject(refused)
    const [, body = ''] = (await forge()).split('.')
    const { exp: _exp, aud: _aud, ...rest } = JSON.parse(Buffer.from(body, 'base64url').toString())
    const bare = (claims: object) => new SignJWT({ ...rest, ...claims }).setProtectedHeader({ alg: 'HS256' })
    const secret = await secretOf(program)
    const endless = await bare({ aud: 'tributary:affiliate' }).sign(secret)
    const forAnything = await bare({ exp: rest.iat + 60 }).sign(secret)
    for (const jwt of [endless, forAnything]) expect(await ask(`trib_at_${jwt}`)).toMatchObject(refused)
  })

  it('of an unknown affiliate, or of an invalid id', async () => {
    expect(await ask(await forge((jwt) => jwt.setSubject(unknownId)))).toMatchObject(refused)
    expect(await ask(await forge((jwt) => jwt.setSubject("' or 1=1")))).toMatchObject(refused)
    expect(await ask(await forge(undefined, { program: unknownId }))).toMatchObject(refused)
    expect(await ask(await forge(undefined, { program: 7 }))).toMatchObject(refused)
  })

  it('of a disabled affiliate, until they are active again', async () => {
    const somebody = await createAffiliate(program)
    const { token } = await issue(program, somebody.id)
    const become = (state: string) => program.put(`/affiliates/${somebody.id}`, { state })
    await become('disabled')
    expect(await ask(token)).toMatchObject({ ...refused, error: 'The affiliate is disabled.' })
    await expect(issue(program, somebody.id)).rejects.toThrow('The affiliate is disabled')
    // Only the bearer of the token gets to know it.
    const foreign = `${token.slice(0, -4)}AAAA`
    const errorsOf = async (bearer: string) => {
      const headers = { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json' }
      const request = new Request('http://localhost:4000/graphql', {
        method: 'POST',
        headers,
        body: JSON.stringify({ query: '{ me { id } }' }),
      })
      return (await (await test.app.fetch(request)).json()).errors
    }
    expect(await errorsOf(token)).toMatchObject([{ extensions: { reasons: ['AFFILIATE_NOT_ACTIVE'] } }])
    expect(JSON.stringify(await errorsOf(foreign))).not.toContain('ACTIVE')
    await become('suspicious')
    expect((await ask(token)).status).toBe(200)
    await become('active')
    expect((await ask(token)).status).toBe(200)
  })

  it('that was created before the program revoked all; other programs keep theirs', async () => {
    const other = await test.createProgram()
    const { id } = await createAffiliate(other, { email: 'ada@example.com' })
    const [{ token }, { token: kept }] = [await issue(), await issue(other, id)]
    const { revokeAffiliateTokens } = await program.graphql(
      'mutation { revokeAffiliateTokens(input: {}) { program { id } } }',
    )
    expect(revokeAffiliateTokens.program.id).toBe(program.id)
    expect(await ask(token)).toMatchObject(refused)
    expect(await ask(kept)).toMatchObject(taken)
    expect(await ask((await issue()).token)).toMatchObject(taken)
  })
})

it('tokens can be kept for some hours after their secret was replaced', async () => {
  const own = await test.createProgram()
  const { id } = await createAffiliate(own, { email: 'ada@example.com' })
  const rotate = (hours: number) =>
    own.graphql(
      'mutation ($hours: Int) { revokeAffiliateTokens(input: { keepOldForHours: $hours }) { program { id } } }',
      { hours },
    )
  const { token: before } = await issue(own, id, 86_400)
  await rotate(2)
  const { token: between } = await issue(own, id, 86_400)
  expect([await ask(before), await ask(between)]).toMatchObject([taken, taken])
  test.clock.advanceMinutes(121)
  expect([await ask(before), await ask(between)]).toMatchObject([refused, taken])
  await rotate(2)
  expect([await ask(before), await ask(between)]).toMatchObject([refused, taken])
  await rotate(0)
  expect([await ask(before), await ask(between)]).toMatchObject([refused, refused])
  await expect(rotate(25)).rejects.toThrow('24')
})

it('`me` fails for an API key and for the operator', async () => {
  await expect(program.graphql('{ me { id } }')).rejects.toThrow('Only an affiliate token has a `me`')
  await expect(test.operator('{ me { id } }', {}, { 'X-Program-Id': program.id })).rejects.toThrow('Only an affiliate')
})

it('concurrent requests create the signing secret once', async () => {
  const fresh = await test.createProgram()
  const { id } = await createAffiliate(fresh, { email: 'ada@example.com' })
  const issued = await Promise.all([issue(fresh, id), issue(fresh, id), issue(fresh, id)])
  for (const { token } of issued) expect(await ask(token)).toMatchObject(taken)
})

import { describe, expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { addMember, createBrowser, password, setUpOperator } from '../../support/people.ts'

const test = await createTestApp()
const olga = await setUpOperator(test)
const acme = await test.createProgram()
const other = await test.createProgram()
const owner = await addMember(test, olga, acme.slug, { email: 'owner@example.com', role: 'OWNER', name: 'Oskar Owner' })
const manager = await addMember(test, owner, acme.slug, { email: 'manager@example.com', role: 'MANAGER', name: 'Mia' })
const analyst = await addMember(test, owner, acme.slug, { email: 'analyst@example.com', role: 'ANALYST' })

const createAffiliate = `mutation ($email: EmailAddress!) { createAffiliate(input: { firstName: "Ada", email: $email }) { affiliate { id history { nodes { actor { kind person { name } } } } } } }`
const createKey = `mutation ($id: ID!) { createApiKey(input: { programId: $id, name: "Shop" }) { secret apiKey { id } } }`
const apiKeys = `query ($id: ID!) { apiKeys(programId: $id) { id } }`

describe('an analyst', () => {
  it('reads, and changes nothing', async () => {
    expect(
      await analyst.graphql(acme.slug)('{ viewer { role } program { name } affiliates { totalCount } }'),
    ).toMatchObject({
      viewer: { role: 'ANALYST' },
      affiliates: { totalCount: expect.any(Number) },
    })
    await expect(analyst.graphql(acme.slug)(createAffiliate, { email: 'a@example.com' })).rejects.toThrow(/analyst/)
  })
})

describe('a manager', () => {
  it('changes the program, and is named in its history', async () => {
    const { createAffiliate: created } = await manager.graphql(acme.slug)(createAffiliate, { email: 'b@example.com' })
    expect(created.affiliate.history.nodes[0].actor).toEqual({ kind: 'PERSON', person: { name: 'Mia' } })
    const rename = `mutation ($id: ID!) { updateProgram(input: { id: $id, name: "Acme Ltd" }) { program { name } } }`
    expect(await manager.graphql(acme.slug)(rename, { id: acme.id })).toMatchObject({
      updateProgram: { program: { name: 'Acme Ltd' } },
    })
  })

  it('cannot lift the sum above which somebody else approves payout runs', async () => {
    const change = `mutation ($id: ID!, $limit: SafeInt, $hours: Int) { updateProgram(input: {
      id: $id, payoutApprovalAboveCents: $limit, payoutHoldHours: $hours }) { program { payoutApprovalAboveCents } } }`
    await owner.graphql(acme.slug)(change, { id: acme.id, limit: 5_000, hours: 24 })
    for (const limit of [null, 9_000])
      await expect(manager.graphql(acme.slug)(change, { id: acme.id, limit, hours: 1 })).rejects.toThrow(
        'Only an owner can change `payoutApprovalAboveCents`',
      )
    // A form sends what it does not change, too.
    const { updateProgram } = await manager.graphql(acme.slug)(change, { id: acme.id, limit: 5_000, hours: 1 })
    expect(updateProgram.program.payoutApprovalAboveCents).toBe(5_000)
  })

  it('manages neither people nor keys', async () => {
    await expect(manager.graphql(acme.slug)(createKey, { id: acme.id })).rejects.toThrow(/owner/)
    await expect(manager.graphql(acme.slug)(apiKeys, { id: acme.id })).rejects.toThrow(/owner/)
    await expect(manager.graphql(acme.slug)('{ members { role } }')).rejects.toThrow(/owner/)
    const invite = `mutation { inviteMember(input: { email: "x@example.com", role: ANALYST }) { url } }`
    await expect(manager.graphql(acme.slug)(invite)).rejects.toThrow(/owner/)
  })

  it('sees nothing of another program: it is answered like an unknown one', async () => {
    await expect(manager.graphql(other.slug)('{ program { name } }')).rejects.toThrow(
      `Program not found: ${other.slug}`,
    )
    await expect(manager.graphql('unknown')('{ program { name } }')).rejects.toThrow('Program not found: unknown')
    await expect(manager.graphql()('{ affiliates { totalCount } }')).rejects.toThrow('X-Program-Id')
    const { viewer } = await manager.graphql()('{ viewer { programs { program { slug } } } }')
    expect(viewer.programs).toEqual([{ program: { slug: acme.slug } }])
  })
})

describe('an owner', () => {
  it('makes a key, which works over REST until it is revoked', async () => {
    const { createApiKey } = await owner.graphql(acme.slug)(createKey, { id: acme.id })
    const headers = { Authorization: `Bearer ${createApiKey.secret}` }
    const read = () => test.app.fetch(new Request('http://localhost:4000/v1/affiliates', { headers }))
    expect((await read()).status).toBe(200)
    await owner.graphql(acme.slug)(`mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { apiKey { id } } }`, {
      id: createApiKey.apiKey.id,
    })
    expect((await read()).status).toBe(401)
  })

  it('cannot make, read, change or revoke keys of another program', async () => {
    const client = owner.graphql(acme.slug)
    await expect(client(createKey, { id: other.id })).rejects.toThrow('not found')
    await expect(client(apiKeys, { id: other.id })).rejects.toThrow('not found')
    for (const [name, input] of [
      ['revokeApiKey', '{ id: $id }'],
      ['updateApiKey', '{ id: $id, name: "x" }'],
    ])
      await expect(
        client(`mutation ($id: ID!) { ${name}(input: ${input}) { apiKey { id } } }`, { id: other.keyId }),
      ).rejects.toThrow('not found')
    const rename = `mutation ($id: ID!) { updateProgram(input: { id: $id, name: "Taken" }) { program { name } } }`
    await expect(client(rename, { id: other.id })).rejects.toThrow('not found')
    expect((await other.get('/affiliates')).status).toBe(200)
  })

  it('is not an operator', async () => {
    await expect(owner.graphql(acme.slug)('{ programs { id } }')).rejects.toThrow('operator')
    const create = `mutation { createProgram(input: { name: "X", url: "https://x.test", currency: "usd" }) { program { id } } }`
    await expect(owner.graphql(acme.slug)(create)).rejects.toThrow('operator')
    await expect(owner.graphql(acme.slug)('mutation { createSetUpLink(input: {}) { url } }')).rejects.toThrow(
      'operator',
    )
  })

  it('changes roles and removes members, but not the last owner', async () => {
    await addMember(test, owner, acme.slug, { email: 'leaves@example.com', role: 'ANALYST' }).then(async (leaver) => {
      const { members } = await owner.graphql(acme.slug)('{ members { role person { id email } } }')
      const find = (email: string) => members.find(({ person }: any) => person.email === email).person.id
      const update = `mutation ($input: UpdateMemberInput!) { updateMember(input: $input) { member { role } } }`
      const remove = `mutation ($input: RemoveMemberInput!) { removeMember(input: $input) { member { role } } }`
      const personId = find('leaves@example.com')
      await owner.graphql(acme.slug)(update, { input: { personId, role: 'MANAGER' } })
      expect(await leaver.graphql(acme.slug)('{ viewer { role } }')).toEqual({ viewer: { role: 'MANAGER' } })
      await owner.graphql(acme.slug)(remove, { input: { personId } })
      await expect(leaver.graphql(acme.slug)('{ program { name } }')).rejects.toThrow('Program not found')
      const last = { personId: find('owner@example.com') }
      await expect(owner.graphql(acme.slug)(remove, { input: last })).rejects.toThrow('last owner')
      await expect(owner.graphql(acme.slug)(update, { input: { ...last, role: 'ANALYST' } })).rejects.toThrow(
        'last owner',
      )
    })
  })
})

describe('an invitation', () => {
  const invite = async (email: string) =>
    (
      await owner.graphql(acme.slug)(
        `mutation ($input: InviteMemberInput!) { inviteMember(input: $input) { url invitation { id } } }`,
        {
          input: { email, role: 'ANALYST' },
        },
      )
    ).inviteMember as { url: string; invitation: { id: string } }
  const tokenOf = (url: string) => url.split('#token=')[1]

  it('shows what it is for, and is accepted once', async () => {
    const token = tokenOf((await invite('once@example.com')).url)
    const browser = createBrowser(test)
    expect((await browser.post('/invitation/read', { token })).body).toEqual({
      program: { name: 'Acme Ltd', slug: acme.slug },
      ...{ email: 'once@example.com', role: 'analyst', isKnown: false },
    })
    const accept = (name: string) => createBrowser(test).post('/invitation', { token, name, password })
    const answers = await Promise.all([accept('One'), accept('Two')])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401])
    expect((await accept('Three')).status).toBe(401)
  })

  it('of a person with an account is accepted by this person only', async () => {
    await addMember(test, olga, other.slug, { email: 'known@example.com', role: 'OWNER' })
    const token = tokenOf((await invite('known@example.com')).url)
    const stranger = await createBrowser(test).post('/invitation', { token, name: 'X', password })
    expect(stranger).toMatchObject({ status: 403, body: { message: expect.stringContaining('Sign in') } })
    expect((await analyst.post('/invitation', { token })).status).toBe(403)
    const known = createBrowser(test)
    await known.post('/auth/sign-in/email', { email: 'known@example.com', password })
    expect((await known.post('/invitation', { token })).status).toBe(201)
    expect(await known.graphql(acme.slug)('{ viewer { role } }')).toEqual({ viewer: { role: 'ANALYST' } })
  })

  it('is refused when it was revoked or replaced, and after a week', async () => {
    const revoked = await invite('revoked@example.com')
    await owner.graphql(acme.slug)(
      `mutation ($id: ID!) { revokeInvitation(input: { id: $id }) { invitation { email } } }`,
      { id: revoked.invitation.id },
    )
    const replaced = await invite('replaced@example.com')
    await invite('replaced@example.com')
    for (const { url } of [revoked, replaced])
      expect((await createBrowser(test).post('/invitation/read', { token: tokenOf(url) })).status).toBe(401)
    const late = await invite('late@example.com')
    test.clock.advanceDays(8)
    expect((await createBrowser(test).post('/invitation/read', { token: tokenOf(late.url) })).status).toBe(401)
    test.clock.advanceDays(-8)
  })
})

describe('a malformed id', () => {
  it.each([
    'removeMember(input: { personId: $id }) { __typename }',
    'updateMember(input: { personId: $id, role: ANALYST }) { __typename }',
    'revokeInvitation(input: { id: $id }) { __typename }',
  ])('is not found by %s', async (field) => {
    for (const id of ['abc', 'a\u0000'])
      await expect(owner.graphql(acme.slug)(`mutation ($id: ID!) { ${field} }`, { id })).rejects.toThrow(/not found/)
  })

  it('names no import', async () => {
    const finish = `mutation { finishImport(input: { programId: "abc", source: "https://source.test" }) { __typename } }`
    await expect(olga.graphql()(finish)).rejects.toThrow(/not started/)
  })
})

import { describe, expect, it } from 'vitest'
import { createSupersetKey } from '../../rest/convention/keys.ts'
import { createTestApp } from '../../support/app.ts'
import { createPage } from '../../support/tracking.ts'

const app = await createTestApp()
const program = await app.createProgram()
const superset = await createSupersetKey(app, program)

const create = `mutation ($input: CreateAffiliateInput!) { createAffiliate(input: $input) { affiliate { id state } } }`

describe('a new affiliate', () => {
  it.each([
    ['contract', program],
    ['superset', superset],
  ] as const)('has the state that POST /affiliates names, with a key of the %s profile', async (profile, key) => {
    for (const state of ['disabled', 'suspicious', 'active']) {
      const { status, body } = await key.post('/affiliates', { email: `${state}@${profile}.test`, state })
      expect([status, body.state, body.links.length]).toEqual([201, state, 1])
      expect((await key.get(`/affiliates/${body.id}`)).body.state).toBe(state)
    }
    const { body } = await key.post('/affiliates', { email: `blank@${profile}.test`, state: '' })
    expect(body.state).toBe('active')
  })

  it('has the state that createAffiliate names in GraphQL', async () => {
    const { createAffiliate } = await program.graphql(create, { input: { email: 'a@b.test', state: 'DISABLED' } })
    expect(createAffiliate.affiliate.state).toBe('DISABLED')
  })

  it('is not created with an unknown state', async () => {
    const { status, body } = await program.post('/affiliates', { email: 'gone@example.com', state: 'gone' })
    expect([status, body.details]).toEqual([422, ['State must be one of: active, disabled, suspicious']])
    expect((await program.get('/affiliates?email=gone@example.com')).body.data).toEqual([])
  })

  it('gets no visits while it is disabled, and gets them once it is active', async () => {
    const { body } = await program.post('/affiliates', { email: 'off@example.com', token: 'off', state: 'disabled' })
    const visitors = async () => (await program.get(`/affiliates/${body.id}`)).body.visitors
    const record = 'mutation { recordVisit(input: { token: "off" }) { referral { id } } }'
    await expect(program.graphql(record)).rejects.toThrow('The affiliate is not active.')
    await createPage(app.app, program).visit('off', { visitor: 'visitor-1' })
    await app.app.flush()
    expect([await visitors(), (await program.get(`/referrals?affiliate_id=${body.id}`)).body.data]).toEqual([0, []])
    await program.put(`/affiliates/${body.id}`, { state: 'active' })
    await program.graphql(record)
    expect(await visitors()).toBe(1)
  })
})

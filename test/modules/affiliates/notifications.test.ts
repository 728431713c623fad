import { describe, expect, it } from 'vitest'
import { createTestApp, graphqlClient } from '../../support/app.ts'
import { createAffiliate } from '../../support/factories.ts'

const app = await createTestApp()
const program = await app.createProgram()
const switchName = 'receive_new_commission_notifications'

const isOn = async (id: string) =>
  (await program.graphql('query ($id: ID!) { affiliate(id: $id) { receiveNewCommissionNotifications } }', { id }))
    .affiliate.receiveNewCommissionNotifications

describe('receive_new_commission_notifications', () => {
  it('is true by default', async () => {
    expect(await isOn((await createAffiliate(program)).id)).toBe(true)
    expect(await isOn((await createAffiliate(program, { [switchName]: '' })).id)).toBe(true)
    expect(await isOn((await createAffiliate(program, { [switchName]: null })).id)).toBe(true)
  })

  it.each([false, 'false', 'False', '0', 0, ' FALSE '])('becomes false with %j, and true again', async (off) => {
    const { id } = await createAffiliate(program, { [switchName]: off })
    expect(await isOn(id)).toBe(false)
    for (const on of [true, 'true', 1, '1']) {
      expect((await program.put(`/affiliates/${id}`, { [switchName]: on })).status).toBe(200)
      expect(await isOn(id)).toBe(true)
      await program.put(`/affiliates/${id}`, { [switchName]: off })
      expect(await isOn(id)).toBe(false)
    }
    await program.put(`/affiliates/${id}`, { first_name: 'Kept' })
    expect(await isOn(id)).toBe(false)
  })

  it('is accepted in a form body', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const { id } = await createAffiliate(program)
    await program.send(`/affiliates/${id}`, { method: 'PUT', headers, body: `${switchName}=false` })
    expect(await isOn(id)).toBe(false)
  })

  it.each(['maybe', '2', null, ''])('422 for %j', async (value) => {
    const { id } = await createAffiliate(program)
    const { status, body } = await program.put(`/affiliates/${id}`, { [switchName]: value })
    expect([status, body.details]).toEqual([
      422,
      [expect.stringMatching(/^Receive new commission notifications (must be true or false|can't be blank)$/)],
    ])
  })

  it('is not in responses of the documented API', async () => {
    const affiliate = await createAffiliate(program, { [switchName]: false })
    expect(Object.keys(affiliate)).not.toContain(switchName)
    const { body } = await program.get(`/affiliates/${affiliate.id}`)
    expect(Object.keys(body)).not.toContain(switchName)
  })

  it('is recorded in the history, filters lists, and is readable by the affiliate', async () => {
    const other = await app.createProgram()
    const [{ id }] = [await createAffiliate(other), await createAffiliate(other)]
    const input = { id, receiveNewCommissionNotifications: false }
    await other.graphql(
      'mutation ($input: UpdateAffiliateInput!) { updateAffiliate(input: $input) { affiliate { id } } }',
      { input },
    )
    const { affiliate, affiliates } = await other.graphql(
      `query ($id: ID!) {
        affiliate(id: $id) { history(first: 1) { nodes { action changes { field from to } } } }
        affiliates(where: { receiveNewCommissionNotifications: { equals: false } }) { nodes { id } }
      }`,
      { id },
    )
    const change = { field: 'receiveNewCommissionNotifications', from: 'true', to: 'false' }
    expect(affiliate.history.nodes).toEqual([{ action: 'UPDATED', changes: [change] }])
    expect(affiliates.nodes).toEqual([{ id }])
    const { createAffiliateToken } = await other.graphql(
      'mutation ($id: ID!) { createAffiliateToken(input: { affiliateId: $id }) { token } }',
      { id },
    )
    const own = graphqlClient(app.app.fetch, { Authorization: `Bearer ${createAffiliateToken.token}` })
    expect(await own('{ me { receiveNewCommissionNotifications } }')).toEqual({
      me: { receiveNewCommissionNotifications: false },
    })
  })
})

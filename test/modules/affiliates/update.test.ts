import { describe, expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { createAffiliate, createCampaign, unknownId } from '../../support/factories.ts'

const app = await createTestApp()
const program = await app.createProgram()

describe('200', () => {
  it('updates the given fields and keeps the others', async () => {
    const before = await createAffiliate(program, { first_name: 'Ada', last_name: 'Byron', wallet_a_email: 'a@w.test' })
    app.clock.advanceDays(1)
    const { status, body } = await program.put(`/affiliates/${before.id}`, { last_name: 'Lovelace' })
    expect(status).toBe(200)
    expect(body).toEqual({ ...before, last_name: 'Lovelace', updated_at: app.clock.now.toISOString() })
    expect((await program.get(`/affiliates/${before.id}`)).body).toEqual(body)
  })

  it.each([null, '', '  '])('clears nullable fields with %j', async (nothing) => {
    const fields = {
      first_name: 'Ada',
      last_name: 'L',
      wallet_a_email: 'a@w.test',
      wallet_b_email: 'b@w.test',
      billing_customer_id: 'cus_1',
    }
    const { id } = await createAffiliate(program, fields)
    const cleared = Object.fromEntries(Object.keys(fields).map((name) => [name, nothing]))
    const { body } = await program.put(`/affiliates/${id}`, cleared)
    expect(body).toMatchObject(Object.fromEntries(Object.keys(fields).map((name) => [name, null])))
  })

  it('accepts the whole resource as it was read, and changes nothing', async () => {
    const before = await createAffiliate(program, { first_name: 'Round', last_name: 'Trip' })
    const { status, body } = await program.put(`/affiliates/${before.id}`, before)
    expect(status).toBe(200)
    expect({ ...body, updated_at: before.updated_at }).toEqual(before)
  })

  it('ignores read-only fields', async () => {
    const before = await createAffiliate(program)
    const { body } = await program.put(`/affiliates/${before.id}`, {
      id: unknownId,
      object: 'x',
      created_at: '1999-01-01T00:00:00Z',
      confirmed_at: null,
      visitors: 7,
      links: [],
    })
    expect({ ...body, updated_at: before.updated_at }).toEqual(before)
  })

  it('changes the e-mail, or only the case of its letters', async () => {
    const { id, email } = await createAffiliate(program)
    expect((await program.put(`/affiliates/${id}`, { email: email.toUpperCase() })).body.email).toBe(
      email.toUpperCase(),
    )
    expect((await program.put(`/affiliates/${id}`, { email: 'moved@example.com' })).body.email).toBe(
      'moved@example.com',
    )
    // The old e-mail is free again.
    expect((await program.post('/affiliates', { email })).status).toBe(201)
  })

  it.each(['disabled', 'suspicious', 'active'])('sets the state %s', async (state) => {
    const { id } = await createAffiliate(program)
    expect((await program.put(`/affiliates/${id}`, { state })).body.state).toBe(state)
  })

  it("moves to another campaign, which changes the links' URLs", async () => {
    const campaign = await createCampaign(program, { url: 'https://other.test/start?plan=pro' })
    const { id, links } = await createAffiliate(program)
    const { body } = await program.put(`/affiliates/${id}`, { campaign_id: campaign.id })
    expect(body.campaign.id).toBe(campaign.id)
    expect(body.links[0].url).toBe(`https://other.test/start?plan=pro&via=${links[0].token}`)
  })
})

describe('422', () => {
  const refusal = async (fields: object) => {
    const before = await createAffiliate(program)
    const { status, body } = await program.put(`/affiliates/${before.id}`, { first_name: 'Changed', ...fields })
    expect(status).toBe(422)
    expect(body.error).toBe('Could not update affiliate.')
    expect((await program.get(`/affiliates/${before.id}`)).body).toEqual(before)
    return body.details
  }

  it.each([null, ''])('when a field that is not nullable is %j', async (nothing) => {
    expect(await refusal({ email: nothing })).toEqual(["Email can't be blank"])
    expect(await refusal({ state: nothing })).toEqual(["State can't be blank"])
  })

  it('for an unknown state, listing the valid ones', async () => {
    const [detail] = await refusal({ state: 'retired' })
    for (const state of ['active', 'disabled', 'suspicious']) expect(detail).toContain(state)
  })

  it('for an e-mail that another affiliate has, ignoring case', async () => {
    const { email } = await createAffiliate(program)
    expect(await refusal({ email: email.toUpperCase() })).toEqual(['Email has already been taken'])
  })

  it('for an unknown campaign, with all other problems at once', async () => {
    expect(await refusal({ campaign_id: unknownId, email: 'x', wallet_b_email: 'y' })).toHaveLength(3)
  })
})

it.each([unknownId, 'nonsense', '%00', '0', "'%20or%201=1"])(
  '404 with the id for the unknown affiliate %j',
  async (id) => {
    for (const answer of [
      await program.get(`/affiliates/${id}`),
      await program.put(`/affiliates/${id}`, { email: 'x' }),
    ]) {
      expect(answer.status).toBe(404)
      expect(answer.body).toEqual({ error: `Affiliate not found: ${decodeURIComponent(id)}` })
    }
  },
)

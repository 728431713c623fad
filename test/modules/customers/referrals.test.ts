import { describe, expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { createAffiliate, createCoupon, createLead, createSeller, reportSale } from '../../support/factories.ts'

const app = await createTestApp()

const fields = 'email source firstSeenAt expiresAt affiliate { id } referral { id endedAt }'

const read = async (program: TestProgram, email: string) =>
  (
    await program.graphql(
      `query ($email: String!) { customers(first: 5, where: { email: { equals: $email } }) { nodes { ${fields} } } }`,
      { email },
    )
  ).customers.nodes[0]

const run = async (program: TestProgram, mutation: string, input: object) =>
  (
    await program.graphql(
      `mutation ($input: ${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Input!) {
        ${mutation}(input: $input) { referral { id affiliateId endedAt } }
      }`,
      { input },
    )
  )[mutation].referral

const sell = (program: TestProgram, more: object = {}) => reportSale(program, { email: 'grace@example.com', ...more })

const sellFails = async (program: TestProgram, more: object) =>
  expect(
    (await program.post('/conversions', { amount_cents: 10_000, email: 'grace@example.com', ...more })).status,
  ).toBe(422)

/** A program in which an affiliate has referred Grace. */
async function createReferred() {
  const program = await app.createProgram()
  const { affiliate, link } = await createSeller(program)
  const lead = await createLead(program, link.token, 'grace@example.com')
  app.clock.advanceMinutes(10)
  return { program, affiliate, lead }
}

describe('a customer', () => {
  it('says who referred them, how, since when, and until when', async () => {
    const { program, affiliate, lead } = await createReferred()
    const asLead = await read(program, 'grace@example.com')
    expect(asLead).toMatchObject({ source: 'LINK', affiliate: { id: affiliate.id }, referral: { endedAt: null } })
    expect(asLead.expiresAt).toEqual(expect.any(String))
    expect(asLead.referral.id).toBe(lead.id)
    await sell(program, { external_id: 'first' })
    expect(await read(program, 'grace@example.com')).toMatchObject({ expiresAt: null, affiliate: { id: affiliate.id } })
  })

  it('came by a coupon, or by nobody', async () => {
    const program = await app.createProgram()
    const { affiliate } = await createSeller(program)
    await createCoupon(program, affiliate.id, 'ADA20')
    await reportSale(program, { email: 'ann@example.com', amount_cents: 5_000, coupon: 'ADA20' })
    expect(await read(program, 'ann@example.com')).toMatchObject({ source: 'COUPON', affiliate: { id: affiliate.id } })
  })
})

describe('ending and moving a referral', () => {
  it('ends it for sales from then on, and leaves what was attributed', async () => {
    const { program, affiliate } = await createReferred()
    await sell(program, { external_id: 'before' })
    const { referral } = await read(program, 'grace@example.com')
    const ended = await run(program, 'endReferral', { id: referral.id, reason: 'They asked for it' })
    expect(ended.endedAt).toEqual(expect.any(String))
    expect((await run(program, 'endReferral', { id: referral.id })).endedAt).toBe(ended.endedAt)
    app.clock.advanceMinutes(10)
    await sellFails(program, { external_id: 'after' })
    // A sale from before the end still belongs to the affiliate, also if it is reported late.
    await sell(program, {
      external_id: 'late',
      occurred_at: new Date(Date.parse(ended.endedAt) - 60_000).toISOString(),
    })
    const customer = await read(program, 'grace@example.com')
    expect(customer).toMatchObject({ affiliate: { id: affiliate.id }, expiresAt: ended.endedAt })
  })

  it('moves it: sales from then on belong to the other affiliate, until it is moved back', async () => {
    const { program, affiliate } = await createReferred()
    const other = await createAffiliate(program, { email: 'other@example.com' })
    await sell(program, { external_id: 'before' })
    const { referral } = await read(program, 'grace@example.com')
    const moved = await run(program, 'moveReferral', { id: referral.id, affiliateId: other.id, reason: 'A mistake' })
    expect(moved).toMatchObject({ affiliateId: other.id, endedAt: null })
    app.clock.advanceMinutes(10)
    const sold = await program.graphql(
      `mutation { reportConversion(input: { email: "grace@example.com", amountCents: 10000, externalId: "after" }) {
        sale { affiliate { id } } } }`,
    )
    expect(sold.reportConversion.sale.affiliate.id).toBe(other.id)
    expect(await read(program, 'grace@example.com')).toMatchObject({ affiliate: { id: other.id }, source: 'BY_HAND' })
    const back = await run(program, 'moveReferral', { id: moved.id, affiliateId: affiliate.id })
    expect(back).toMatchObject({ id: referral.id, endedAt: null })
    expect(await read(program, 'grace@example.com')).toMatchObject({ affiliate: { id: affiliate.id } })
    const { history } = await program.graphql(
      `query ($id: ID!) { history(subject: REFERRAL, id: $id) { nodes { action changes { field to } } } }`,
      { id: referral.id },
    )
    expect(history.nodes.map(({ action }: { action: string }) => action)).toEqual(['RESTORED', 'MOVED'])
  })

  it('rejects an affiliate who is not active', async () => {
    const { program } = await createReferred()
    const off = await createAffiliate(program, { email: 'off@example.com', state: 'disabled' })
    const { referral } = await read(program, 'grace@example.com')
    await expect(run(program, 'moveReferral', { id: referral.id, affiliateId: off.id })).rejects.toThrow('not active')
  })
})

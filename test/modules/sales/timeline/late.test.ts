import { describe, expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../../../support/app.ts'
import { createSeller, recordLead, recordVisit, reportSale } from '../../../support/factories.ts'

const app = await createTestApp()

let begin = app.clock.now
const dayOf = (number: number) => new Date(begin.getTime() + number * 86_400_000).toISOString()
const shown = (at: string | Date) => new Date(at).toISOString().slice(0, 10)

/** A program whose campaign pays 20 percent, with rules from before all sales. */
async function createShop(campaign: object = {}, rules: object[] = []) {
  begin = new Date(app.clock.now)
  const program = await app.createProgram()
  const seller = await createSeller(program, { commission_percent: 20, ...campaign })
  for (const [index, rule] of rules.entries())
    await program.graphql(
      'mutation ($input: CreateCommissionRuleInput!) { createCommissionRule(input: $input) { commissionRule { id } } }',
      { input: { campaignId: seller.campaign.id, name: `Rule ${index}`, appliesTo: 'ALL_SALES', ...rule } },
    )
  app.clock.advanceDays(500)
  return { program, ...seller }
}

const earned = async (program: TestProgram) => {
  const { sales } = await program.graphql(
    `{ sales(first: 50) { nodes { id externalId outcome noCommissionReason explanation { summary } } } }`,
  )
  const { commissions } = await program.graphql(
    `{ commissions(first: 50) { nodes { id kind amountCents state reason sale { id } correctsSale { id } history { nodes { action reason } } } } }`,
  )
  const result: Record<string, number> = {}
  for (const sale of sales.nodes)
    result[sale.externalId] = commissions.nodes
      .filter((one: any) => (one.sale ?? one.correctsSale)?.id === sale.id && one.state !== 'VOID')
      .reduce((sum: number, one: any) => sum + one.amountCents, 0)
  return { result, sales: sales.nodes, commissions: commissions.nodes }
}

const orderings = <T>(list: readonly T[]): T[][] =>
  list.length < 2
    ? [[...list]]
    : list.flatMap((one, index) => orderings(list.toSpliced(index, 1)).map((rest) => [one, ...rest]))

const first50 = { conditions: { payment: 'FIRST' }, reward: { percent: 50 } }

describe('a sale that is reported after a later one', () => {
  it('is the first payment, and the later one no longer is', async () => {
    const { program, coupon } = await createShop({}, [first50])
    const sale = { coupon, email: 'grace@example.com' }
    await reportSale(program, { ...sale, external_id: 'renewal', amount_cents: 5_000, occurred_at: dayOf(40) })
    expect((await earned(program)).result).toEqual({ renewal: 2_500 })
    await reportSale(program, { ...sale, external_id: 'invoice', amount_cents: 10_000, occurred_at: dayOf(10) })
    const { result, commissions, sales } = await earned(program)
    expect(result).toEqual({ invoice: 5_000, renewal: 1_000 })
    const { history } = commissions.find((one: any) => one.amountCents === 1_000)
    expect(history.nodes[0]).toEqual({
      action: 'RECALCULATED',
      reason: `an earlier sale (invoice) of ${shown(dayOf(10))} was reported on ${shown(app.clock.now)}`,
    })
    const { explanation } = sales.find((one: any) => one.externalId === 'renewal')
    expect(explanation.summary.join(' ')).toContain('because an earlier sale (invoice) of')
  })

  it('takes the place under a limit', async () => {
    const { program, coupon } = await createShop({ max_commissions: 1 })
    const sale = { coupon, email: 'grace@example.com' }
    await reportSale(program, { ...sale, external_id: 'renewal', amount_cents: 5_000, occurred_at: dayOf(40) })
    await reportSale(program, { ...sale, external_id: 'invoice', amount_cents: 10_000, occurred_at: dayOf(10) })
    const { result, sales } = await earned(program)
    expect(result).toEqual({ invoice: 2_000, renewal: 0 })
    expect(sales.find((one: any) => one.externalId === 'renewal')).toMatchObject({
      outcome: 'MAX_COMMISSIONS_REACHED',
      noCommissionReason: 'MAX_COMMISSIONS_REACHED',
    })
  })

  it('is first by occurrence, whatever number the billing system gives', async () => {
    const flat = { conditions: { payment: 'FIRST' }, reward: { amountCents: 5_000 } }
    const { program, coupon } = await createShop({}, [flat])
    for (const number of [3, 1, 4, 2])
      await reportSale(program, {
        coupon,
        email: 'grace@example.com',
        external_id: `in_${number}`,
        payment_number: 1,
        occurred_at: dayOf(number * 10),
      })
    expect((await earned(program)).result).toEqual({ in_1: 5_000, in_2: 2_000, in_3: 2_000, in_4: 2_000 })
  })

  it('of the same instant comes after one with a smaller external id', async () => {
    const { program, coupon } = await createShop({}, [first50])
    const sale = { coupon, email: 'grace@example.com', occurred_at: dayOf(10) }
    for (const id of ['b', 'a', 'c']) await reportSale(program, { ...sale, external_id: id })
    expect((await earned(program)).result).toEqual({ a: 5_000, b: 2_000, c: 2_000 })
  })

  it.each([
    ['b', 'a'],
    ['a', 'b'],
  ])('and those without a time are in the order of their reports: %s, %s', async (one, two) => {
    const { program, coupon } = await createShop({}, [first50])
    const sale = { coupon, email: 'grace@example.com' }
    await reportSale(program, { ...sale, external_id: one })
    const { sale_id: id } = await reportSale(program, { ...sale, external_id: two })
    expect((await earned(program)).result).toEqual({ [one]: 5_000, [two]: 2_000 })
    await program.graphql('mutation ($input: ChangeSaleInput!) { changeSale(input: $input) { sale { id } } }', {
      input: { id, amountCents: 20_000 },
    })
    expect((await earned(program)).result).toEqual({ [one]: 5_000, [two]: 4_000 })
  })

  it.each([
    ['one', 'two'],
    ['two', 'one'],
  ])('and one with a time comes before one without: %s, %s', async (...order) => {
    const { program, coupon } = await createShop({}, [first50])
    const at = app.clock.now.toISOString()
    const sales = { one: { external_id: 'z', occurred_at: at }, two: { external_id: 'a' } }
    for (const name of order)
      await reportSale(program, { coupon, email: 'grace@example.com', ...sales[name as keyof typeof sales] })
    expect((await earned(program)).result).toEqual({ z: 5_000, a: 2_000 })
  })

  it('is followed by a correction of what was paid', async () => {
    const { program, coupon } = await createShop({}, [first50])
    const sale = { coupon, email: 'grace@example.com' }
    await reportSale(program, { ...sale, external_id: 'renewal', amount_cents: 5_000, occurred_at: dayOf(40) })
    const [{ id }] = (await program.get('/payouts')).body.data
    expect((await program.post(`/payouts/${id}/pay`, {})).status).toBe(200)
    await reportSale(program, { ...sale, external_id: 'invoice', amount_cents: 10_000, occurred_at: dayOf(10) })
    const { result, commissions } = await earned(program)
    expect(result).toEqual({ invoice: 5_000, renewal: 1_000 })
    expect(commissions.find((one: any) => one.kind === 'CORRECTION')).toMatchObject({
      amountCents: -1_500,
      reason: `an earlier sale (invoice) of ${shown(dayOf(10))} was reported on ${shown(app.clock.now)}`,
    })
  })
})

it('a void commission began the period of its referral, also for a sale that is evaluated at its place', async () => {
  const tiers = { measure: 'CONVERSIONS', period: 'MONTH', appliesTo: 'ABOVE', steps: [{ from: 0, percent: 10 }] }
  const { program, coupon } = await createShop({ max_commission_period_in_months: 12 }, [{ reward: { tiers } }])
  const sale = { coupon, email: 'grace@example.com' }
  await reportSale(program, { ...sale, external_id: 'old', occurred_at: dayOf(1) })
  const [{ id }] = (await program.get('/commissions')).body.data
  await program.graphql('mutation ($id: ID!) { voidCommission(input: { id: $id }) { commission { id } } }', { id })
  for (const external_id of ['one', 'two', 'three'])
    await reportSale(program, { ...sale, external_id, occurred_at: dayOf(450) })
  expect((await earned(program)).result).toEqual({ old: 0, one: 0, two: 0, three: 0 })
})

it('a commission that a person voided stays void, also if an earlier sale puts it after the period', async () => {
  const { program, coupon } = await createShop({ max_commission_period_in_months: 1 })
  const sale = { coupon, email: 'grace@example.com' }
  await reportSale(program, { ...sale, external_id: 'late', occurred_at: dayOf(100) })
  const [{ id }] = (await program.get('/commissions')).body.data
  await program.graphql('mutation ($id: ID!) { voidCommission(input: { id: $id }) { commission { id } } }', { id })
  await reportSale(program, { ...sale, external_id: 'early', occurred_at: dayOf(10) })
  expect((await earned(program)).result).toEqual({ early: 2_000, late: 0 })
})

it('a lead counts from when it is recorded: it attributes no sale from before, in any order of the reports', async () => {
  const { program, affiliate, link } = await createShop()
  const sale = { email: 'grace@example.com', external_id: 'in_1', amount_cents: 10_000, occurred_at: dayOf(499) }
  expect((await program.post('/conversions', sale)).status).toBe(422)
  const { id } = await recordVisit(program, link.token)
  await recordLead(program, id, sale.email)
  for (const external_id of ['in_1', 'in_2'])
    expect((await program.post('/conversions', { ...sale, external_id })).status).toBe(422)
  await reportSale(program, { ...sale, external_id: 'in_3', occurred_at: app.clock.now.toISOString() })
  const { sales } = await program.graphql('{ sales(first: 9) { nodes { externalId affiliate { id } } } }')
  expect(sales.nodes).toEqual([{ externalId: 'in_3', affiliate: { id: affiliate.id } }])
})

it.each(orderings(['grace', 'ada', 'again']))(
  'a first payment is the first of its customer, also over the referral of another: %s, %s, %s',
  async (...order) => {
    const { program, link } = await createShop({}, [first50])
    const { id: referral_id } = await recordVisit(program, link.token)
    await recordLead(program, referral_id, 'grace@example.com')
    app.clock.advanceDays(10)
    const sales: Record<string, object> = {
      grace: { email: 'grace@example.com', occurred_at: dayOf(501) },
      ada: { email: 'ada@example.com', occurred_at: dayOf(502) },
      again: { email: 'ada@example.com', occurred_at: dayOf(503) },
    }
    for (const name of order) await reportSale(program, { ...sales[name], referral_id, external_id: name })
    expect((await earned(program)).result).toEqual({ grace: 5_000, ada: 5_000, again: 2_000 })
  },
)

describe('a refund counts from when it was made, whatever is heard first', () => {
  const lives = [
    { name: 'frees a place before the next sale', day: 20, expected: { one: 0, two: 1_000, three: 0 } },
    { name: 'frees a place for the sale after', day: 35, expected: { one: 0, two: 0, three: 1_600 } },
    { name: 'frees a place after all sales', day: 50, expected: { one: 0, two: 0, three: 0 } },
  ]
  it.each(lives)('and $name', async ({ day, expected }) => {
    const { program, coupon } = await createShop({ max_commissions: 1 })
    const steps = {
      one: { amount_cents: 10_000, occurred_at: dayOf(10) },
      two: { amount_cents: 5_000, occurred_at: dayOf(30) },
      three: { amount_cents: 8_000, occurred_at: dayOf(40) },
      refund: { occurred_at: dayOf(day) },
    }
    for (const [number, order] of orderings(Object.keys(steps))
      .filter((_order, index) => index % 4 === 0)
      .entries()) {
      for (const name of order) {
        const of = {
          external_id: `${number}-${name === 'refund' ? 'one' : name}`,
          ...steps[name as keyof typeof steps],
        }
        if (name === 'refund') expect((await program.post('/conversions/refund', of)).status).toBeLessThan(300)
        else await reportSale(program, { coupon, email: `${number}@example.com`, ...of })
      }
      const { sales } = await program.graphql(
        `query ($ids: [String!]) { sales(first: 3, where: { externalId: { in: $ids } }) { nodes { externalId commissions { nodes { amountCents state } } } } }`,
        { ids: ['one', 'two', 'three'].map((name) => `${number}-${name}`) },
      )
      const result = Object.fromEntries(
        sales.nodes.map((sale: any) => [
          sale.externalId.split('-')[1],
          sale.commissions.nodes
            .filter(({ state }: any) => state !== 'VOID')
            .reduce((sum: number, { amountCents }: any) => sum + amountCents, 0),
        ]),
      )
      expect([order.join(), result]).toEqual([order.join(), expected])
    }
  })

  it('and its reversal from when it is recorded: sales from before it keep what they earned', async () => {
    const { program, coupon } = await createShop({ max_commissions: 1 })
    const sale = { coupon, email: 'grace@example.com' }
    await reportSale(program, { ...sale, external_id: 'one', occurred_at: dayOf(10) })
    const refund = { external_id: 'one', refund_external_id: 're_1', occurred_at: dayOf(20) }
    expect((await program.post('/conversions/refund', refund)).status).toBeLessThan(300)
    await reportSale(program, { ...sale, external_id: 'two', occurred_at: dayOf(30) })
    expect((await earned(program)).result).toEqual({ one: 0, two: 2_000 })
    await program.graphql('mutation ($input: ReverseRefundInput!) { reverseRefund(input: $input) { refund { id } } }', {
      input: { externalId: 're_1', reason: 'dispute won' },
    })
    expect((await earned(program)).result).toEqual({ one: 2_000, two: 2_000 })
    await reportSale(program, { ...sale, external_id: 'three' })
    expect((await earned(program)).result).toEqual({ one: 2_000, two: 2_000, three: 0 })
  })

  it('and may lie at most one day ahead', async () => {
    const { program, coupon } = await createShop()
    await reportSale(program, { coupon, email: 'grace@example.com', external_id: 'in_1' })
    const { status, body } = await program.post('/conversions/refund', {
      external_id: 'in_1',
      occurred_at: new Date(app.clock.now.getTime() + 2 * 86_400_000).toISOString(),
    })
    expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining('may lie at most one day ahead')])
  })
})

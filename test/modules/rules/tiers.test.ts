import { describe, expect, it } from 'vitest'
import { foldMeasures } from '../../../src/database/upkeep/measures.ts'
import { examine } from '../../../src/modules/doctor/service.ts'
import { createTestApp, graphqlClient } from '../../support/app.ts'
import { advanceTo, createRuler } from './ruler.ts'

const app = await createTestApp()

const tiers = (more: object) => ({
  reward: {
    tiers: {
      ...{ measure: 'CONVERSIONS', period: 'MONTH', appliesTo: 'ABOVE' },
      steps: [
        { from: 0, percent: 10 },
        { from: 2, percent: 20 },
      ],
      ...more,
    },
  },
})

describe('tiers for what is above a threshold', () => {
  it('count sales: the third earns by the step from two', async () => {
    const { coupon, createRule, report } = await createRuler(app)
    advanceTo(app, 3, 10)
    await createRule(tiers({}))
    expect((await report({ coupon })).amountCents).toBe(1_000)
    expect((await report({ coupon })).amountCents).toBe(1_000)
    const third = await report({ coupon })
    expect(third.amountCents).toBe(2_000)
    expect(third.summary).toContain(
      'It earns by the step from 2 sales in the month: 20 percent. Before it, the affiliate had 2 sales in the month.',
    )
    // A late sale counts in the month in which it occurred.
    expect(
      (await report({ coupon, occurredAt: app.clock.now.toISOString().replace('-03-', '-02-') })).amountCents,
    ).toBe(1_000)
    app.clock.advanceDays(31)
    expect((await report({ coupon })).amountCents).toBe(1_000)
  })

  it('pay fixed amounts, and a refund lowers the measure at once', async () => {
    const { program, coupon, createRule, report } = await createRuler(app)
    await createRule(
      tiers({
        period: 'EVER',
        steps: [
          { from: 0, amountCents: 500 },
          { from: 1, amountCents: 900 },
        ],
      }),
    )
    const first = await report({ coupon, externalId: 'tier_1' })
    await program.post('/conversions/refund', { external_id: 'tier_1' })
    const second = await report({ coupon })
    expect([first.amountCents, second.amountCents]).toEqual([500, 500])
    expect((await report({ coupon })).amountCents).toBe(900)
  })

  it('over revenue know the measure of each currency', async () => {
    const { coupon, createRule, report } = await createRuler(app)
    const steps = [
      { from: 0, percent: 10 },
      { from: 10_000, percent: 30 },
    ]
    await createRule(tiers({ measure: 'REVENUE', period: 'YEAR', steps }))
    expect((await report({ coupon })).amountCents).toBe(1_000)
    expect((await report({ coupon })).amountCents).toBe(3_000)
    expect((await report({ coupon, currency: 'eur' })).amountCents).toBe(1_000)
  })

  it('divide a sale that passes a threshold of revenue, and a refund is divided too', async () => {
    const { program, coupon, createRule, report } = await createRuler(app)
    const steps = [
      { from: 0, percent: 10 },
      { from: 15_000, percent: 20 },
      { from: 22_000, percent: 50 },
    ]
    await createRule(tiers({ measure: 'REVENUE', period: 'EVER', steps }))
    // The clock of the test stands still, so the external ids decide which sale is the first.
    expect((await report({ coupon, externalId: 'split_0' })).amountCents).toBe(1_000)
    const divided = await report({ coupon, amountCents: 14_000, externalId: 'split_1' })
    // 50.00 at 10 percent, 70.00 at 20 percent, 20.00 at 50 percent.
    expect(divided.amountCents).toBe(500 + 1_400 + 1_000)
    expect(divided.summary).toEqual(
      expect.arrayContaining([
        'The parts of the sale earn by themselves, each rounded half up: 29.00 USD in all.',
        'A part of the sale: 10 percent of 50.00 USD is 5.00 USD.',
        'A part of the sale: 20 percent of 70.00 USD is 14.00 USD.',
        'A part of the sale: 50 percent of 20.00 USD is 10.00 USD.',
      ]),
    )
    await program.post('/conversions/refund', { external_id: 'split_1', amount_cents: 7_000 })
    const { commission } = await program.graphql('query ($id: ID!) { commission(id: $id) { amountCents } }', {
      id: divided.commissionId,
    })
    expect(commission.amountCents).toBe(1_450)
  })

  it('divide the items of a sale', async () => {
    const { coupon, createRule, report } = await createRuler(app)
    const steps = [
      { from: 0, percent: 10 },
      { from: 3_000, percent: 20 },
    ]
    await createRule(tiers({ measure: 'REVENUE', period: 'EVER', steps }))
    await createRule({ name: 'Free', conditions: { productIds: ['gift'] }, reward: { none: true } })
    const items = [
      { productId: 'a', amountCents: 2_000 },
      { productId: 'gift', amountCents: 500 },
      { productId: 'b', amountCents: 4_000 },
    ]
    // a: 20.00 at 10 percent; the gift fills 5.00; b: 5.00 at 10 percent and 35.00 at 20; the rest at 20.
    expect((await report({ coupon, items })).amountCents).toBe(200 + 50 + 700 + 700)
  })

  it('divide a sale by what it earns under a measure of commissions', async () => {
    const { coupon, createRule, report } = await createRuler(app)
    const steps = [
      { from: 0, percent: 10 },
      { from: 500, percent: 20 },
    ]
    await createRule(tiers({ measure: 'COMMISSIONS', period: 'EVER', steps }))
    expect((await report({ coupon })).amountCents).toBe(500 + 1_000)
  })

  it('over commissions do not count corrections and bonuses', async () => {
    const { program, affiliate, coupon, createRule, report } = await createRuler(app)
    const steps = [
      { from: 0, percent: 10 },
      { from: 1_000, percent: 30 },
    ]
    await createRule(tiers({ measure: 'COMMISSIONS', period: 'QUARTER', steps }))
    await program.graphql(
      'mutation ($input: CreateCommissionInput!) { createCommission(input: $input) { commission { id } } }',
      { input: { affiliateId: affiliate.id, kind: 'BONUS', amountCents: 5_000, reason: 'Welcome' } },
    )
    expect((await report({ coupon })).amountCents).toBe(1_000)
    expect((await report({ coupon })).amountCents).toBe(3_000)
  })
})

describe('tiers for the whole period', () => {
  const corrections = async (program: Awaited<ReturnType<typeof createRuler>>['program']) => {
    const { commissions } = await program.graphql(`{ commissions(first: 50, where: { kind: { equals: CORRECTION } }) {
      nodes { amountCents reason kind state explanation { summary dueReason } } } }`)
    return commissions.nodes.reverse()
  }

  it('correct what earlier sales have earned when a threshold is passed, once', async () => {
    const { program, coupon, createRule, report } = await createRuler(app)
    advanceTo(app, 5, 10)
    await createRule({
      name: 'Partners',
      ...tiers({
        appliesTo: 'WHOLE_PERIOD',
        steps: [
          { from: 0, percent: 10 },
          { from: 3, percent: 20 },
        ],
      }),
    })
    await report({ coupon })
    await report({ coupon, amountCents: 5_000 })
    expect(await corrections(program)).toEqual([])
    expect((await report({ coupon })).amountCents).toBe(2_000)
    const [correction, ...others] = await corrections(program)
    expect(others).toEqual([])
    expect(correction).toMatchObject({ amountCents: 1_500, kind: 'CORRECTION', state: 'PENDING' })
    expect(correction.reason).toMatch(
      /^the rule "Partners" gives 20 percent of every sale in the month from \d{4}-05-01, because the affiliate has 3 sales$/,
    )
    expect(correction.explanation.summary[0]).toMatch(/^A correction that adds 15\.00 USD, by tiers on /)
    expect((await report({ coupon })).amountCents).toBe(2_000)
    expect(await corrections(program)).toHaveLength(1)
  })

  it.each([
    [
      'en',
      'your sales of the period have reached another step',
      /^A correction that adds \$10\.00, by tiers on .*another step\.$/,
    ],
    ['de', 'Ihre Verkäufe des Zeitraums haben eine andere Stufe erreicht', /nach Stufen .*andere Stufe erreicht\.$/],
    ['fr', 'vos ventes de la période ont atteint un autre palier', /par paliers.*un autre palier\.$/],
    ['es', 'sus ventes del período han alcanzado otro tramo', /por tramos.*otro tramo\.$/],
    ['pt', 'suas vendas do período atingiram outra faixa', /por faixas.*outra faixa\.$/],
    ['ja', '期間中の売上が別の段階に達したため', /段階に達したため。$/],
  ])('are explained to the affiliate in words, without the name of the rule: %s', async (language, words, sentence) => {
    const { program, affiliate, coupon, createRule, report } = await createRuler(app)
    await createRule({ name: 'Partners', ...tiers({ appliesTo: 'WHOLE_PERIOD' }) })
    await report({ coupon })
    await report({ coupon, amountCents: 20_000 })
    const { createAffiliateToken } = await program.graphql(
      'mutation ($id: ID!) { createAffiliateToken(input: { affiliateId: $id }) { token } }',
      { id: affiliate.id },
    )
    const own = graphqlClient(app.app.fetch, { Authorization: `Bearer ${createAffiliateToken.token}` })
    const { me } = await own(
      `query ($language: String) { me { commissions { nodes {
        kind reason(language: $language) explanation { sentences(language: $language) } } } } }`,
      { language },
    )
    const correction = me.commissions.nodes.find(({ kind }: { kind: string }) => kind === 'CORRECTION')
    expect(correction.reason).toBe(words)
    expect(correction.explanation.sentences[0]).toMatch(sentence)
    expect(JSON.stringify(me)).not.toContain('Partners')
  })

  it('take it back when a refund takes the affiliate below the threshold, and give it again', async () => {
    const { program, coupon, createRule, report } = await createRuler(app)
    await createRule(tiers({ appliesTo: 'WHOLE_PERIOD' }))
    await report({ coupon, externalId: 'whole_1' })
    await report({ coupon, externalId: 'whole_2', amountCents: 4_000 })
    const amounts = async () => (await corrections(program)).map(({ amountCents }: any) => amountCents)
    expect(await amounts()).toEqual([1_000])
    await program.post('/conversions/refund', { external_id: 'whole_1' })
    // The second sale earned 20 percent, and 10 percent are right now.
    expect(await amounts()).toEqual([1_000, -1_400])
    await report({ coupon, externalId: 'whole_3' })
    expect(await amounts()).toEqual([1_000, -1_400, 400])
    // A refund that does not take the affiliate below it takes back what was corrected for the sale.
    const late = await createRuler(app)
    await late.createRule(tiers({ appliesTo: 'WHOLE_PERIOD' }))
    for (const externalId of ['whole_4', 'whole_5', 'whole_6']) await late.report({ coupon: late.coupon, externalId })
    await late.program.post('/conversions/refund', { external_id: 'whole_4', amount_cents: 5_000 })
    expect((await corrections(late.program)).map(({ amountCents }: any) => amountCents)).toEqual([1_000, -500])
  })

  it('follow voids, and sales under other rules of the campaign', async () => {
    const { program, coupon, createRule, report } = await createRuler(app)
    const steps = [
      { from: 0, percent: 10 },
      { from: 3_000, percent: 20 },
    ]
    await createRule(tiers({ measure: 'COMMISSIONS', appliesTo: 'WHOLE_PERIOD', steps }))
    await createRule({ name: 'Large', conditions: { minimumAmountCents: 20_000 }, reward: { percent: 10 } })
    await report({ coupon })
    const large = await report({ coupon, amountCents: 20_000 })
    const amounts = async () => (await corrections(program)).map(({ amountCents }: any) => amountCents)
    expect(await amounts()).toEqual([1_000])
    await program.graphql(
      'mutation ($input: VoidCommissionInput!) { voidCommission(input: $input) { commission { id } } }',
      {
        input: { id: large.commissionId },
      },
    )
    expect(await amounts()).toEqual([1_000, -1_000])
  })
})

it('steps have an order, one kind of reward, and begin at 0', async () => {
  const { createRule } = await createRuler(app)
  const rejected = (steps: object[], message: string, more = {}) =>
    expect(createRule(tiers({ steps, ...more }))).rejects.toThrow(message)
  await rejected([{ from: 5, percent: 10 }], 'From must be 0 in the first step')
  await rejected(
    [
      { from: 0, percent: 10 },
      { from: 5, percent: 10 },
      { from: 5, percent: 20 },
    ],
    'From must be above that of the step before',
  )
  await rejected(
    [
      { from: 0, percent: 10 },
      { from: 5, amountCents: 10 },
    ],
    'steps do not mix',
  )
  await rejected([{ from: 0 }], 'exactly one of them')
  await rejected([{ from: 0, percent: 0 }], 'must be above 0', { appliesTo: 'WHOLE_PERIOD' })
  await expect(createRule({ ...tiers({ appliesTo: 'WHOLE_PERIOD' }), cap: { perMonthCents: 100 } })).rejects.toThrow(
    'Cap cannot be combined with tiers for the whole period',
  )
})

it('measures are the same after they are folded, and after they are built again', async () => {
  const { db } = app.database
  const { coupon, createRule, report } = await createRuler(app)
  await createRule(tiers({ period: 'EVER' }))
  await report({ coupon })
  await foldMeasures(db)
  expect(await db.affiliateMeasureDelta.count()).toBe(0)
  expect((await report({ coupon })).amountCents).toBe(1_000)
  await db.$queryRaw`select measures_rebuild()::text`
  expect((await report({ coupon })).amountCents).toBe(2_000)
})

it('the doctor finds nothing', async () => {
  expect(await examine(app.database)).toEqual([])
})

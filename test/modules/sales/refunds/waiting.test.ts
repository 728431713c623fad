import { describe, expect, it } from 'vitest'
import { createTestApp, restClient, type TestProgram } from '../../../support/app.ts'
import { createSeller, listed, made, reportSale } from '../../../support/factories.ts'
import { times } from '../../../support/parallel.ts'
import { beginImport, commission as importedCommission } from '../../imports/story.ts'

const app = await createTestApp()

const refund = (program: Pick<TestProgram, 'post'>, body: object) =>
  program.post('/conversions/refund', { external_id: 'inv_1', ...body })

const waiting = async (program: TestProgram) =>
  (await program.graphql('{ waitingRefunds { nodes { id saleExternalId externalId amountCents problem } } }'))
    .waitingRefunds.nodes

/** What a sale and its refunds leave, without ids. */
async function outcomeOf(program: Pick<TestProgram, 'graphql'>) {
  const { sales, payouts, analytics } = await program.graphql(`{
    sales { nodes {
      amountCents refundedCents outcome refunds(orderBy: { field: CREATED_AT }) { nodes { externalId amountCents createdAt } }
      commissions { nodes { amountCents state } } explanation { baseCents calculatedCents }
    } }
    payouts { nodes { amountCents state } }
    analytics(range: { preset: LAST_12_MONTHS }) { totals { refunds refundAmount { amountCents } salesAmount { amountCents } commissionAccrued { amountCents } } }
  }`)
  return { sales: sales.nodes, payouts: payouts.nodes, analytics }
}

type Sale = { coupon: string }
/** The ways a sale comes in. Each has its seller first, then refunds, then the sale. */
const ways: Record<string, (program: TestProgram, sale: Sale & object) => Promise<unknown>> = {
  'over REST': (program, sale) => reportSale(program, sale),
  'as a form': (program, sale) =>
    made(
      program.send('/conversions', {
        method: 'POST',
        body: new URLSearchParams({ amount_cents: '10000', external_id: 'inv_1', coupon: sale.coupon }),
      }),
    ),
  'with an Idempotency-Key': (program, sale) =>
    made(
      program.send('/conversions', {
        method: 'POST',
        headers: { 'Idempotency-Key': 'key-1', 'Content-Type': 'application/json' },
        body: JSON.stringify({ amount_cents: 10_000, ...sale }),
      }),
    ),
  'over GraphQL': (program, { coupon }) =>
    program.graphql(
      `mutation ($coupon: String!) { reportConversion(input: { coupon: $coupon, amountCents: 10000, externalId: "inv_1" }) { saleId } }`,
      { coupon },
    ),
  'after a dry run': async (program, sale) => {
    const dry = await program.post('/conversions?dry_run=true', { amount_cents: 10_000, ...sale })
    const { body } = await program.post('/conversions', { amount_cents: 10_000, ...sale })
    expect(dry.body.commission?.amount).toBe(body.commission?.amount)
    expect(dry.body.commission?.state).toBe(body.commission?.state)
  },
  'attributed by hand': async (program) => {
    await program.post('/conversions', { amount_cents: 10_000, external_id: 'inv_1', email: 'nobody@example.com' })
    const { unattributedSales, affiliates } = await program.graphql(
      '{ unattributedSales { nodes { id } } affiliates(first: 1) { nodes { id } } }',
    )
    await program.graphql(
      'mutation ($id: ID!, $affiliateId: ID!) { attributeSale(input: { id: $id, affiliateId: $affiliateId }) { sale { id } } }',
      { id: unattributedSales.nodes[0].id, affiliateId: affiliates.nodes[0].id },
    )
  },
}

/** Refunds, as they come from a billing system. */
const stories: Record<string, object[]> = {
  'a part': [{ amount_cents: 2_505, refund_external_id: 're_1' }],
  'the same part twice': [
    { amount_cents: 2_505, refund_external_id: 're_1' },
    { amount_cents: 2_505, refund_external_id: 're_1' },
  ],
  'several parts': [
    { amount_cents: 2_505, refund_external_id: 're_1' },
    { amount_cents: 1, refund_external_id: 're_2' },
    { amount_cents: 3_333 },
  ],
  totals: [{ refunded_total_cents: 1_000 }, { refunded_total_cents: 4_000 }, { refunded_total_cents: 4_000 }],
  all: [{ refund_external_id: 're_1' }],
  'a part, and all that remains': [{ amount_cents: 1_000 }, {}],
}

describe.each(Object.entries(ways))('a sale that comes %s', (_way, report) => {
  it('with refunds before it is what it is with refunds after it', async () => {
    for (const [name, refunds] of Object.entries(stories)) {
      const [early, late] = [await app.createProgram(), await app.createProgram()]
      for (const program of [early, late]) {
        const { coupon } = await createSeller(program, { days_before_commissions_are_due: 0 })
        const sale = { coupon, external_id: 'inv_1' }
        if (program === late) await report(program, sale)
        for (const body of refunds) {
          const { status } = await refund(program, body)
          expect(status, name).toBeLessThan(300)
        }
        if (program === early) await report(program, sale)
      }
      expect.soft(await outcomeOf(early), name).toEqual(await outcomeOf(late))
      expect.soft(await waiting(early), name).toEqual([])
    }
  })
})

it('an imported sale with a refund before it is what it is with the refund after it', async () => {
  const outcomes = []
  for (const isEarly of [true, false]) {
    const old = await beginImport(app, `https://old.test/${isEarly}`)
    const headers = { Authorization: `Bearer ${old.secret}` }
    const program = restClient(app.app.fetch, headers)
    const report = () => refund(program, { external_id: 'ch_1', amount_cents: 2_500, refund_external_id: 're_1' })
    if (isEarly) expect((await report()).status).toBe(202)
    await old.takeAll({ commissions: [importedCommission()] })
    if (!isEarly) expect((await report()).status).toBe(201)
    const [{ amount, state }] = await listed(program as TestProgram, '/commissions')
    const [{ refund_amount_cents }] = await listed(program as TestProgram, '/sales')
    outcomes.push({ amount, state, refund_amount_cents })
  }
  expect(outcomes[0]).toEqual({ amount: 1_500, state: 'due', refund_amount_cents: 2_500 })
  expect(outcomes[1]).toEqual(outcomes[0])
})

it('202 says that the refund waits, and a repeated report is answered with the same', async () => {
  const program = await app.createProgram()
  const { coupon } = await createSeller(program)
  const first = await refund(program, { amount_cents: 2_000, refund_external_id: 're_1' })
  expect([first.status, first.body]).toEqual([
    202,
    {
      ...{ object: 'refund', id: expect.any(String), duplicate: false, waiting: true, sale_id: null },
      ...{ amount_cents: 2_000, commission: null, negative_commission: null },
      hint: 'No sale inv_1 is known yet. The refund waits for it, for 90 days.',
    },
  ])
  const again = await refund(program, { amount_cents: 2_000, refund_external_id: 're_1' })
  expect([again.status, again.body]).toEqual([200, { ...first.body, duplicate: true }])
  const other = await refund(program, { amount_cents: 3_000, refund_external_id: 're_1' })
  expect([other.status, other.body.amount_cents, other.body.hint]).toEqual([
    ...[200, 2_000],
    expect.stringContaining('waits with 2000, not 3000'),
  ])
  const total = await refund(program, { refunded_total_cents: 3_000, refund_external_id: 're_1' })
  expect(total.body.hint).toContain('waits with 2000, not a total of 3000')
  const ofAnother = await refund(program, { external_id: 'inv_2', refund_external_id: 're_1' })
  expect([ofAnother.status, ofAnother.body.details]).toEqual([
    422,
    ['Refund external id belongs to a refund of another sale'],
  ])
  const reversal = await program.post('/conversions/refund/reverse', { external_id: 're_1' })
  expect(reversal.body.details).toEqual(['The refund waits for its sale. Report the sale first.'])
  const { id } = first.body
  expect(await waiting(program)).toEqual([
    { id, saleExternalId: 'inv_1', externalId: 're_1', amountCents: 2_000, problem: null },
  ])
  // The recorded refund has the same id.
  await reportSale(program, { coupon, external_id: 'inv_1' })
  expect((await refund(program, { refund_external_id: 're_1' })).body).toMatchObject({ id, waiting: false })
})

it('GraphQL has the waiting refund', async () => {
  const program = await app.createProgram()
  const { refundSale } = await program.graphql(`mutation { refundSale(input: { externalId: "inv_1" }) {
    waiting refund { id } waitingRefund { saleExternalId amountCents } sale { id } saleId amountCents commission { id }
  } }`)
  expect(refundSale).toEqual({
    ...{ waiting: true, refund: null, waitingRefund: { saleExternalId: 'inv_1', amountCents: null }, sale: null },
    ...{ saleId: null, amountCents: null, commission: null },
  })
})

it('a refund that exceeds its sale stays, with the reason, and the others are recorded', async () => {
  const program = await app.createProgram()
  const { coupon } = await createSeller(program)
  for (const amount_cents of [6_000, 5_000, 4_000]) await refund(program, { amount_cents })
  const { commission } = await reportSale(program, { coupon, external_id: 'inv_1' })
  expect(commission.state).toBe('void')
  expect(await waiting(program)).toMatchObject([
    { amountCents: 5_000, problem: 'Amount cents exceeds the 4000 that can still be refunded.' },
  ])
})

it('a refund waits for 90 days', async () => {
  const program = await app.createProgram({ isSandbox: true })
  const { coupon } = await createSeller(program)
  const advance = (days: number) =>
    app.operator('mutation ($input: AdvanceClockInput!) { advanceClock(input: $input) { __typename } }', {
      input: { programId: program.id, days },
    })
  await refund(program, { refund_external_id: 're_1' })
  await advance(80)
  await refund(program, { external_id: 'inv_2', refund_external_id: 're_2' })
  await advance(11)
  expect((await waiting(program)).map(({ externalId }: { externalId: string }) => externalId)).toEqual(['re_2'])
  expect((await reportSale(program, { coupon, external_id: 'inv_1' })).commission.state).toBe('pending')
  expect((await reportSale(program, { coupon, external_id: 'inv_2' })).commission.state).toBe('void')
  await refund(program, { external_id: 'inv_3' })
  const { db } = app.database
  expect(await db.waitingRefund.count({ where: { programId: program.id } })).toBe(1)
})

it('a sale and its refund at the same time: the refund is recorded', async () => {
  const program = await app.createProgram()
  const { coupon } = await createSeller(program)
  const answers = await times(24, (n) => {
    const external_id = `inv_${n >> 1}`
    return n % 2
      ? program.post('/conversions', { coupon, external_id, amount_cents: 1_000 })
      : refund(program, { external_id, amount_cents: 400, refund_external_id: `re_${n >> 1}` })
  })
  for (const { status } of answers) expect([201, 202]).toContain(status)
  const sales = await app.database.db.sale.findMany({ where: { programId: program.id } })
  expect(sales.map(({ refundedCents }) => refundedCents)).toEqual(Array.from({ length: 12 }, () => 400n))
  expect(await waiting(program)).toEqual([])
})

it('the same refund before its sale, eight times at once, waits once', async () => {
  const program = await app.createProgram()
  const answers = await times(8, () => refund(program, { refund_external_id: 're_1' }))
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array.from({ length: 7 }, () => 200), 202])
  expect(await waiting(program)).toHaveLength(1)
})

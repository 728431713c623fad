import { describe, expect, it } from 'vitest'
import { clockOf } from '../../../src/modules/programs/clock.ts'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { createLead, createSeller, listed, recordVisit, reportSale, unknownId } from '../../support/factories.ts'

const app = await createTestApp()
const isoAfter = (days: number) => new Date(app.clock.now.getTime() + days * 86_400_000).toISOString()

const advance = async (program: Pick<TestProgram, 'id' | 'graphql'>, days: number): Promise<string> => {
  const mutation =
    'mutation ($id: ID!, $days: Int!) { advanceClock(input: { programId: $id, days: $days }) { program { clock } } }'
  return (await program.graphql(mutation, { id: program.id, days })).advanceClock.program.clock
}
const failure = (run: Promise<unknown>) =>
  run.then(
    () => expect.unreachable('it was not refused'),
    (error) => ({ code: error.errors[0].extensions.code, message: error.message }),
  )

describe('advancing the clock of a sandbox', () => {
  it('by thirty days makes a commission due and collects it in a payout, which can be paid', async () => {
    const program = await app.createProgram({ isSandbox: true })
    const { coupon } = await createSeller(program, { days_before_commissions_are_due: 30 })
    const { commission } = await reportSale(program, { coupon })
    expect(commission).toMatchObject({ state: 'pending', due_at: isoAfter(30) })
    expect(await advance(program, 29)).toBe(isoAfter(29))
    expect(await listed(program, '/commissions?state=due')).toEqual([])
    expect(await listed(program, '/payouts')).toEqual([])
    await advance(program, 1)
    expect(await listed(program, '/commissions?state=due')).toMatchObject([{ id: commission.id, state: 'due' }])
    const { commission: inGraphQL } = await program.graphql(`{ commission(id: "${commission.id}") { state } }`)
    expect(inGraphQL.state).toBe('DUE')
    const [payout] = await listed(program, '/payouts')
    expect(payout.amount).toBe(1000)
    const paid = await program.post(`/payouts/${payout.id}/pay`)
    expect(paid.body).toMatchObject({ state: 'paid', paid_at: isoAfter(30) })
  })

  it('expires a referral after its 60 days', async () => {
    const program = await app.createProgram({ isSandbox: true })
    const { link } = await createSeller(program, { days_before_referrals_expire: 60 })
    const [early, late] = [await recordVisit(program, link.token), await recordVisit(program, link.token)]
    await advance(program, 59)
    expect((await program.post('/conversions', { amount_cents: 100, referral_id: early.id })).status).toBe(201)
    await advance(program, 2)
    expect((await program.post('/conversions', { amount_cents: 100, referral_id: late.id })).status).toBe(422)
    expect((await program.post('/conversions', { amount_cents: 100, referral_id: early.id })).status).toBe(201)
  })

  it('ends a commission period of 12 months after a year', async () => {
    const program = await app.createProgram({ isSandbox: true })
    const { link } = await createSeller(program, { max_commission_period_in_months: 12 })
    const { email } = await createLead(program, link.token)
    const renewals: boolean[] = []
    for (let month = 0; month < 14; month++) {
      renewals.push((await reportSale(program, { email })).commission !== null)
      await advance(program, month < 11 ? 30 : 35)
    }
    // After 330 days the twelfth month runs; after 365 the year is over.
    expect(renewals).toEqual([...Array(12).fill(true), false, false])
  })

  it("dates a sale without `occurred_at` by the sandbox's clock", async () => {
    const program = await app.createProgram({ isSandbox: true })
    const { coupon } = await createSeller(program, { days_before_commissions_are_due: 1 })
    await advance(program, 100)
    expect((await reportSale(program, { coupon })).commission.due_at).toBe(isoAfter(101))
  })
})

describe('the clock of a sandbox', () => {
  it('also applies to the operator in requests that name the program', async () => {
    const program = await app.createProgram({ isSandbox: true })
    const { coupon } = await createSeller(program)
    const { commission } = await reportSale(program, { coupon })
    await advance(program, 30)
    const query = `{ program { clock isSandbox } commission(id: "${commission.id}") { state } payouts { nodes { amountCents } } }`
    expect(await app.operator(query, {}, { 'X-Program-Id': program.id })).toEqual({
      program: { clock: isoAfter(30), isSandbox: true },
      commission: { state: 'DUE' },
      payouts: { nodes: [{ amountCents: 1000 }] },
    })
  })

  it('does not apply to other programs, API keys and what the operator creates', async () => {
    const [program, other] = [
      await app.createProgram({ isSandbox: true }),
      await app.createProgram({ isSandbox: true }),
    ]
    await advance(program, 40)
    expect((await other.graphql('{ program { clock } }')).program.clock).toBe(isoAfter(0))
    const mutation = `mutation { createApiKey(input: { programId: "${program.id}", name: "X" }) { apiKey { createdAt } } }`
    const made = await app.operator(mutation, {}, { 'X-Program-Id': program.id })
    expect(made.createApiKey.apiKey.createdAt).toBe(isoAfter(0))
    await program.get('/payouts')
    await app.app.flush()
    const where = { programId_id: { programId: program.id, id: program.keyId } }
    const key = await app.database.db.apiKey.findUniqueOrThrow({ where })
    expect(key.lastUsedAt?.toISOString()).toBe(isoAfter(0))
    const { programs } = await app.operator('{ programs { id clock } }')
    const clocks = new Map(programs.map(({ id, clock }: { id: string; clock: string }) => [id, clock]))
    expect([clocks.get(program.id), clocks.get(other.id)]).toEqual([isoAfter(40), isoAfter(0)])
  })

  it('can be advanced by the operator, and concurrent calls add up', async () => {
    const program = await app.createProgram({ isSandbox: true })
    const operator = { id: program.id, graphql: app.operator }
    expect(await advance(operator, 5)).toBe(isoAfter(5))
    await Promise.all(Array.from({ length: 10 }, () => advance(program, 3)))
    expect((await program.graphql('{ program { clock } }')).program.clock).toBe(isoAfter(35))
  })

  it.each([0, -1, 3_661])('cannot be advanced by %i days', async (days) => {
    const program = await app.createProgram({ isSandbox: true })
    expect((await failure(advance(program, days))).code).toBe('INVALID_INPUT')
    expect((await program.graphql('{ program { clock } }')).program.clock).toBe(isoAfter(0))
  })

  it('cannot be advanced by more than a hundred years', async () => {
    const program = await app.createProgram({ isSandbox: true })
    for (let i = 0; i < 10; i++) await advance(program, 3_660)
    expect((await failure(advance(program, 1))).code).toBe('REFUSED')
    const { coupon } = await createSeller(program)
    expect((await reportSale(program, { coupon })).commission.due_at).toBe(isoAfter(36_630))
  })
})

it('only the clock of a sandbox can be advanced', async () => {
  const program = await app.createProgram()
  expect(await failure(advance(program, 1))).toEqual({
    code: 'REFUSED',
    message:
      'Only the clock of a sandbox can be advanced. Create a sandbox: npx tributary create-program --sandbox, or createProgram(input: {isSandbox: true, …}).',
  })
  expect((await program.graphql('{ program { clock isSandbox } }')).program).toEqual({
    clock: isoAfter(0),
    isSandbox: false,
  })
  const row = { isSandbox: false, clockAdvancedByDays: 3 }
  expect(clockOf(row, () => app.clock.now)()).toEqual(app.clock.now)
})

it('an API key cannot advance the clock of another program', async () => {
  const [program, other] = [await app.createProgram(), await app.createProgram({ isSandbox: true })]
  for (const id of [other.id, unknownId, 'nonsense']) {
    const expected = { code: 'NOT_FOUND', message: `Program not found: ${id}` }
    expect(await failure(advance({ ...program, id }, 1))).toEqual(expected)
  }
  expect((await failure(advance({ id: unknownId, graphql: app.operator }, 1))).code).toBe('NOT_FOUND')
  expect((await other.graphql('{ program { clock } }')).program.clock).toBe(isoAfter(0))
})

import { beforeEach, describe, expect, it } from 'vitest'
import { settledWith, splitOf, withheldWith } from '../../../src/modules/payouts/withholding.ts'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { findViolations } from '../../support/doctor.ts'
import { listed } from '../../support/factories.ts'
import { anotherKey, earner, runsOf } from '../../support/payout-runs.ts'
import { createPayPal, itemTo, servicesOf } from '../../support/payout-services.ts'
import { withhold, withholdFrom } from '../../support/withholding.ts'

const paypal = await createPayPal()
const test = await createTestApp({ payoutServiceUrls: { paypal: paypal.url } })

let program: TestProgram
beforeEach(async () => {
  program = await test.createProgram()
})

const itemsOf = async (runId: string) =>
  (
    await program.graphql(
      `query ($id: ID!) { payoutRun(id: $id) { amountCents withheldCents withheld { amountCents }
        items(first: 10, orderBy: [{ field: CREATED_AT, direction: ASC }]) {
          nodes { payoutId amountCents withheldCents withheld { amountCents } goneCents state payout { withheldCents withheld { amountCents } } } } } }`,
      { id: runId },
    )
  ).payoutRun
const stateOf = async (affiliateId: string) =>
  (await listed(program, `/payouts?affiliate_id=${affiliateId}`)).map(({ state, amount }) => [state, amount])
const owedTo = async (affiliateId: string): Promise<number> => {
  const rows = await listed(program, `/commissions?affiliate_id=${affiliateId}&per_page=100`)
  return rows.filter(({ state }) => state === 'due').reduce((sum, { amount }) => sum + amount, 0)
}
const expectSound = async () => expect(await findViolations(test.database)).toEqual([])

describe('the tax that is withheld', () => {
  it.each([
    ['15 % of 10.00', 1_000n, 1_500, 150n],
    ['half a cent is rounded up', 10n, 1_500, 2n],
    ['less than half a cent is nothing', 1n, 1_500, 0n],
    ['of one cent at 50 %, all', 1n, 5_000, 1n],
    ['nothing at 0 %', 1_000n, 0, 0n],
    ['all at 100 %', 1_000n, 10_000, 1_000n],
    ['of the largest amount, exactly', 9_007_199_254_740_991n, 3_333, 3_002_099_511_605_172n],
  ])('%s', (_label, gross, rate, withheldCents) => {
    expect(splitOf(gross, rate)).toEqual({ amountCents: gross - withheldCents, withheldCents })
  })

  it('is a share of what has left: less leaves, less is withheld, and each cent more settles more', () => {
    const split = splitOf(1_000n, 1_500)
    expect([0n, 425n, 850n, 1_700n].map((gone) => withheldWith(split, gone))).toEqual([0n, 75n, 150n, 300n])
    for (let gone = 0n; gone < 900n; gone += 1n)
      expect(settledWith(split, gone + 1n)).toBeGreaterThan(settledWith(split, gone))
  })
})

describe('a run', () => {
  it("pays less by the rate of the program, or the affiliate's own, and settles the whole payout", async () => {
    await withhold(program, 1_500)
    const ada = await earner(program, {}, { amount_cents: 10_010 })
    const bob = await earner(program)
    const cem = await earner(program)
    await withholdFrom(program, bob.affiliate.id, 0)
    await withholdFrom(program, cem.affiliate.id, 3_000)
    const preview = await program.graphql(
      '{ payoutRunPreview(method: GENERIC) { payouts amountCents withheldCents withheld { amountCents } } }',
    )
    const sums = { payouts: 3, amountCents: 851 + 1_000 + 700, withheldCents: 150 + 300 }
    expect(preview.payoutRunPreview).toEqual({ ...sums, withheld: { amountCents: 450 } })

    const run = await runsOf(program).create({ method: 'GENERIC' })
    expect(run).toMatchObject({ payouts: 3, amountCents: sums.amountCents })
    // 8.51 and 7.00 leave, and not 10.01 and 10.00.
    expect(run.file.content.match(/\b(8\.51|10\.00|7\.00)\b/g)).toEqual(['8.51', '10.00', '7.00'])
    const made = await itemsOf(run.id)
    expect(made).toMatchObject({ withheldCents: 450, withheld: { amountCents: 450 } })
    expect(made.items.nodes).toMatchObject([
      { amountCents: 851, withheldCents: 150, payout: { withheldCents: 150 } },
      { amountCents: 1_000, withheldCents: 0 },
      { amountCents: 700, withheldCents: 300 },
    ])
    // Neither another rate nor another day changes what was made.
    await withhold(program, 5_000)
    await withholdFrom(program, cem.affiliate.id, null)
    await runsOf(program).markPaid(run.id)
    expect((await itemsOf(run.id)).items.nodes).toMatchObject([
      { goneCents: 851, state: 'PAID', payout: { withheldCents: 150, withheld: { amountCents: 150 } } },
      { goneCents: 1_000, state: 'PAID', payout: { withheldCents: 0 } },
      { goneCents: 700, state: 'PAID', payout: { withheldCents: 300 } },
    ])
    for (const [{ affiliate }, amount] of [
      [ada, 1_001],
      [bob, 1_000],
      [cem, 1_000],
    ] as const) {
      expect(await stateOf(affiliate.id)).toEqual([['paid', amount]])
      expect(await owedTo(affiliate.id)).toBe(0)
    }
    await expectSound()
  })

  it('withholds in the units of the currency', async () => {
    await withhold(program, 1_021)
    await earner(program, {}, { currency: 'jpy', amount_cents: 12_340 })
    const { id } = await runsOf(program).create({ method: 'GENERIC', currency: 'jpy' })
    expect((await itemsOf(id)).items.nodes).toMatchObject([{ amountCents: 1_108, withheldCents: 126 }])
  })

  it('pays whole units where the service pays no others: the rest waits with its tax', async () => {
    await withhold(program, 1_500)
    const { affiliate } = await earner(
      program,
      { wallet_a_email: 'a@a.test' },
      { currency: 'huf', amount_cents: 100_500 },
    )
    const runs = runsOf(program)
    const { id } = await runs.create({ method: 'PAYPAL', currency: 'huf' })
    // 100.50 less 15.08 is 85.42.
    expect((await itemsOf(id)).items.nodes).toMatchObject([{ amountCents: 8_500, withheldCents: 1_501 }])
    await runs.markPaid(id)
    expect(await stateOf(affiliate.id)).toContainEqual(['paid', 10_001])
    expect(await owedTo(affiliate.id)).toBe(49)
    await expectSound()
  })

  it('compares the minimum with the whole payout', async () => {
    await withhold(program, 5_000)
    await earner(program, {}, {}, { minimum_payout_cents: 1_000 })
    expect(await runsOf(program).create({ method: 'GENERIC' })).toMatchObject({ payouts: 1, amountCents: 500 })
  })

  it('leaves out what would be withheld in full, and so does a payment by hand, until the rate is another', async () => {
    await withhold(program, 10_000)
    const { payout } = await earner(program)
    await expect(runsOf(program).create({ method: 'GENERIC' })).rejects.toThrow('1 NOTHING_TO_PAY')
    const { payoutPreview } = await program.graphql('{ payoutPreview { nodes { amountCents withheldCents reason } } }')
    expect(payoutPreview.nodes).toEqual([{ amountCents: 1_000, withheldCents: 1_000, reason: 'NOTHING_TO_PAY' }])
    const refused = await program.post(`/payouts/${payout.id}/pay`, {})
    expect(refused.status).toBe(422)
    expect(JSON.stringify(refused.body)).toContain('withheld as tax in full')
    await withhold(program, null)
    expect((await program.post(`/payouts/${payout.id}/pay`, {})).status).toBe(200)
  })

  it('of which a part came back owes all of that part, and withholds it again', async () => {
    await withhold(program, 1_500)
    const ada = await earner(program)
    const bob = await earner(program)
    const runs = runsOf(program)
    const { id } = await runs.create({ method: 'GENERIC' })
    await runs.markPaid(id)
    await runs.record(id, [{ payoutId: ada.payout.id, state: 'RETURNED' }])
    expect(await owedTo(ada.affiliate.id)).toBe(1_000)
    expect(await owedTo(bob.affiliate.id)).toBe(0)
    const again = await runs.create({ method: 'GENERIC' })
    expect((await itemsOf(again.id)).items.nodes).toMatchObject([{ amountCents: 850, withheldCents: 150 }])
    await expectSound()
  })

  it('of which less has left owes the rest, with the tax of the rest', async () => {
    await withhold(program, 1_500)
    const { affiliate, payout } = await earner(program)
    const runs = runsOf(program)
    const { id } = await runs.create({ method: 'GENERIC' })
    await runs.record(id, [{ payoutId: payout.id, state: 'PAID', amountCents: 425 }])
    expect(await owedTo(affiliate.id)).toBe(500)
    expect((await itemsOf(id)).items.nodes).toMatchObject([{ goneCents: 425, payout: { withheldCents: 75 } }])
    const rest = await runs.create({ method: 'GENERIC' })
    expect((await itemsOf(rest.id)).items.nodes).toMatchObject([{ amountCents: 425, withheldCents: 75 }])
    await runs.markPaid(rest.id)
    expect(await owedTo(affiliate.id)).toBe(0)
    await expectSound()
  })
})

describe('other payments', () => {
  it('by hand withhold too, and undoing one frees the payout and the tax', async () => {
    await withhold(program, 1_500)
    const { affiliate, payout } = await earner(program)
    const paid = await program.post(`/payouts/${payout.id}/pay`, {})
    // The contract knows the whole amount alone.
    expect(paid).toMatchObject({ status: 200, body: { state: 'paid', amount: 1_000 } })
    const read = '{ payouts { nodes { amountCents withheldCents state } } }'
    const nodes = async () => (await program.graphql(read)).payouts.nodes
    expect(await nodes()).toEqual([{ amountCents: 1_000, withheldCents: 150, state: 'PAID' }])
    await runsOf(program).undo(payout.id)
    await withhold(program, 1_000)
    expect(await nodes()).toEqual([{ amountCents: 1_000, withheldCents: 100, state: 'PENDING' }])
    expect(await owedTo(affiliate.id)).toBe(1_000)
    await expectSound()
  })

  it('by the API of a service send what is left', async () => {
    const services = servicesOf(program)
    await services.connect()
    await withhold(program, 1_500)
    const ada = await earner(program, { wallet_a_email: 'ada-tax@pp.test' })
    await earner(program, { wallet_a_email: 'failed-tax@pp.test' })
    const run = await services.prepare()
    expect(await services.quote(run.id)).toMatchObject({ payments: 2, amountCents: 1_700 })
    await services.send(run.id)
    paypal.settle()
    const known = await services.refresh(run.id)
    expect(itemTo(known, 'ada-tax@pp.test')).toMatchObject({ state: 'PAID', goneCents: 850, contradiction: null })
    expect(itemTo(known, 'failed-tax@pp.test')).toMatchObject({ state: 'FAILED', goneCents: 0 })
    expect(paypal.moved().get('ada-tax@pp.test')).toBe(850)
    expect(await stateOf(ada.affiliate.id)).toEqual([['paid', 1_000]])
    await expectSound()
  })

  it('need a second person by what leaves', async () => {
    const other = await anotherKey(test, program)
    await withhold(program, 1_500)
    await test.operator(
      `mutation { updateProgram(input: { id: "${program.id}", payoutApprovalAboveCents: 850 }) { program { id } } }`,
    )
    await earner(program)
    const run = await runsOf(program).create({ method: 'GENERIC' })
    expect(run.needsApproval).toBe(false)
    await runsOf(other).markPaid(run.id)
  })
})

it('a rate is from 0 to 10000, is in the history, and changes of another program are refused', async () => {
  await expect(withhold(program, 10_001)).rejects.toThrow('whole number from 0 to 10000')
  await expect(withhold(program, -1)).rejects.toThrow('whole number from 0 to 10000')
  const { affiliate } = await earner(program)
  expect(await withholdFrom(program, affiliate.id, 1_000)).toEqual({ withholdingBasisPoints: 1_000 })
  expect(await withholdFrom(program, affiliate.id, null)).toEqual({ withholdingBasisPoints: null })
  const { affiliate: read } = await program.graphql(
    `query ($id: ID!) { affiliate(id: $id) { history(first: 2) { nodes { action changes { field from to } } } } }`,
    { id: affiliate.id },
  )
  expect(read.history.nodes).toEqual([
    { action: 'UPDATED', changes: [{ field: 'withholdingBasisPoints', from: '1000', to: null }] },
    { action: 'UPDATED', changes: [{ field: 'withholdingBasisPoints', from: null, to: '1000' }] },
  ])
  const other = await test.createProgram()
  await expect(withholdFrom(other, affiliate.id, 1_000)).rejects.toThrow('not found')
})

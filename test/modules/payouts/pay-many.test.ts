import { describe, expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { createSeller, listed, reportSale, unknownId } from '../../support/factories.ts'

const app = await createTestApp()

const mutation = `mutation ($ids: [ID!]!, $amounts: [SafeInt!], $reference: String) {
  payPayouts(input: { ids: $ids, expectedAmountsCents: $amounts, reference: $reference }) {
    payouts { id state amountCents currency paidAt reference commissions { nodes { state paidAt } } }
  }
}`
const pay = async (program: TestProgram, ids: string[], more: object = {}) =>
  (await program.graphql(mutation, { ids, ...more })).payPayouts.payouts
const problemsOf = (run: Promise<unknown>): Promise<{ code: string; problems: string[] }> =>
  run.then(
    () => expect.unreachable('it was not refused'),
    ({ errors: [{ extensions }] }) => ({
      code: extensions.code,
      problems: extensions.problems.map(({ message }: { message: string }) => message),
    }),
  )

/** Open payouts of as many affiliates, of 10.00, 20.00, … each. */
async function openPayouts(count: number, campaign: object = {}) {
  const program = await app.createProgram()
  const sellers = []
  for (let i = 1; i <= count; i++) {
    const seller = await createSeller(program, { days_before_commissions_are_due: 0, ...campaign })
    await reportSale(program, { coupon: seller.coupon, amount_cents: 10_000 * i })
    sellers.push(seller)
  }
  const payouts = (await listed(program, '/payouts')).sort((a, b) => a.amount - b.amount)
  return { program, payouts, sellers, ids: payouts.map(({ id }) => id as string) }
}

describe('payPayouts', () => {
  it('pays all at the same instant and returns each once, in the order of the ids', async () => {
    const { program, ids } = await openPayouts(3)
    app.clock.advanceDays(1)
    const [first, second, third] = ids as [string, string, string]
    const paidAt = app.clock.now.toISOString()
    const paid = await pay(program, [third, first, third, second], { reference: 'march' })
    expect(paid.map(({ id }: { id: string }) => id)).toEqual([third, first, second])
    for (const payout of paid) {
      const commissions = { nodes: [{ state: 'PAID', paidAt }] }
      expect(payout).toMatchObject({ state: 'PAID', paidAt, reference: 'march', commissions })
    }
  })

  it('is idempotent, also with further ids', async () => {
    const { program, ids } = await openPayouts(3)
    const first = await pay(program, ids.slice(0, 2), { amounts: [1000, 2000], reference: 'a' })
    app.clock.advanceDays(1)
    const again = await pay(program, ids, { amounts: [1000, 2000, 3000], reference: 'b' })
    expect(again.slice(0, 2)).toEqual(first)
    expect(again[2]).toMatchObject({ reference: 'b', paidAt: app.clock.now.toISOString() })
  })

  it('pays nothing if one cannot be paid, and lists every problem with its id', async () => {
    const { program, ids, sellers, payouts } = await openPayouts(3)
    const { campaign } = sellers[1] as { campaign: { id: string } }
    await program.put(`/campaigns/${campaign.id}`, { minimum_payout_cents: 5000 })
    const other = await openPayouts(1)
    const stranger = other.ids[0] as string
    const wrong = [...ids, unknownId, stranger, 'nonsense', unknownId]
    const amounts = [1000, 2000, 2999, 1, 1, 1, 1]
    expect(await problemsOf(pay(program, wrong, { amounts }))).toEqual({
      code: 'INVALID_INPUT',
      problems: [
        `Payout ${ids[1]} of 20.00 USD is below the campaign's minimum of 50.00 USD.`,
        `Payout ${ids[2]} is 30.00 USD, not 29.99 USD as expected: it has changed.`,
        `Payout not found: ${unknownId}`,
        `Payout not found: ${stranger}`,
        'Payout not found: nonsense',
      ],
    })
    expect((await listed(program, '/payouts')).sort((a, b) => a.amount - b.amount)).toEqual(payouts)
    expect(await listed(other.program, '/payouts')).toEqual(other.payouts)
  })

  it.each([
    [{ ids: [] }, "Ids can't be blank"],
    [{ ids: Array.from({ length: 101 }, () => unknownId) }, 'Ids can be at most 100 at once'],
    [{ ids: [unknownId], amounts: [1, 2] }, 'Expected amounts cents must have one amount for each id'],
    [{ ids: [unknownId], amounts: [-1] }, 'Expected amounts cents must be a whole number from 0 to 9007199254740991'],
  ])('refuses %j', async (variables, problem) => {
    const { program } = await openPayouts(0)
    expect(await problemsOf(program.graphql(mutation, variables))).toEqual({
      code: 'INVALID_INPUT',
      problems: [problem],
    })
  })

  it('keeps one payout for each currency of an affiliate', async () => {
    const program = await app.createProgram()
    const { coupon } = await createSeller(program, { days_before_commissions_are_due: 0 })
    for (const currency of ['usd', 'jpy', 'kwd']) {
      for (const amount_cents of [10_000, 500]) await reportSale(program, { coupon, currency, amount_cents })
    }
    const ids = (await listed(program, '/payouts')).map(({ id }) => id)
    const paid = await pay(program, ids)
    const amounts = paid.map(({ amountCents, currency }: any) => `${amountCents} ${currency}`)
    expect(amounts.sort()).toEqual(['1050 jpy', '1050 kwd', '1050 usd'])
  })
})

import { describe, expect, it } from 'vitest'
import { wiseReference } from '../../../src/modules/payouts/payout-file.ts'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { createSeller, listed, reportSale, unknownId } from '../../support/factories.ts'

const app = await createTestApp()

const query = `query ($format: PayoutFileFormat!, $ids: [ID!], $state: [PayoutState!], $currency: Currency, $affiliateId: ID) {
  payoutFile(format: $format, ids: $ids, state: $state, currency: $currency, affiliateId: $affiliateId) {
    csv rows fileName skipped { reason payout { affiliateId affiliate { email } } }
  }
}`
const run = async (program: TestProgram, format: string, variables: object = {}) =>
  (await program.graphql(query, { format, ...variables })).payoutFile
const linesOf = (csv: string) => csv.split('\r\n').slice(0, -1)

/** An affiliate with an open payout of 10.00, unless the amount says otherwise. */
async function earner(program: TestProgram, details: object, sale: object = {}, campaign: object = {}) {
  const seller = await createSeller(program, { days_before_commissions_are_due: 0, ...campaign })
  await program.put(`/affiliates/${seller.affiliate.id}`, details)
  await reportSale(program, { coupon: seller.coupon, ...sale })
  return seller
}
const ada = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  wallet_a_email: 'ada@a.test',
  wallet_b_email: 'ada@b.test',
}
const payoutOf = async (program: TestProgram, seller: { affiliate: { id: string } }) =>
  (await listed(program, `/payouts?affiliate_id=${seller.affiliate.id}`))[0]

describe('payoutFile', () => {
  it("WALLET_A is PayPal's file: no header line, recipient, amount, currency, an id of 30 characters, a note", async () => {
    const program = await app.createProgram()
    const payout = await payoutOf(program, await earner(program, ada))
    const { csv, rows, fileName, skipped } = await run(program, 'WALLET_A')
    const id = payout.id.replaceAll('-', '').slice(2)
    expect(id).toHaveLength(30)
    expect(csv).toBe(`ada@a.test,10.00,USD,${id},Acme: affiliate payout\r\n`)
    expect({ rows, fileName, skipped }).toEqual({ rows: 1, fileName: 'payouts-paypal-2026-03-10.csv', skipped: [] })
  })

  it("WALLET_B is Wise's file for recipients identified by e-mail", async () => {
    const program = await app.createProgram()
    const payout = await payoutOf(program, await earner(program, ada, { currency: 'jpy', amount_cents: 12_340 }))
    expect(linesOf((await run(program, 'WALLET_B')).csv)).toEqual([
      'name,recipientEmail,paymentReference,receiverType,amountCurrency,amount,sourceCurrency,targetCurrency',
      `Ada Lovelace,ada@b.test,${wiseReference(payout)},PERSON,target,1234,JPY,JPY`,
    ])
  })

  it('GENERIC has every detail of paid and open payouts', async () => {
    const program = await app.createProgram()
    const seller = await earner(program, ada, { currency: 'kwd' })
    const paid = await payoutOf(program, seller)
    await program.graphql(
      `mutation { payPayout(input: { id: "${paid.id}", reference: "batch, 7" }) { payout { id } } }`,
    )
    await reportSale(program, { coupon: seller.coupon, amount_cents: 50 })
    await reportSale(program, { coupon: seller.coupon, amount_cents: 50 })
    const { csv, skipped } = await run(program, 'GENERIC')
    const [open] = await listed(program, '/payouts?state=pending')
    const who = `${seller.affiliate.id},Ada Lovelace,${seller.affiliate.email},ada@a.test,ada@b.test`
    const now = app.clock.now.toISOString()
    expect(linesOf(csv)).toEqual([
      'payout_id,affiliate_id,name,email,wallet_a_email,wallet_b_email,currency,amount_cents,amount,commissions,state,created_at,paid_at,reference',
      `${open.id},${who},usd,10,0.10,2,pending,${now},,`,
      `${paid.id},${who},kwd,1000,1.000,1,paid,${now},${now},"batch, 7"`,
    ])
    expect(skipped).toEqual([])
    expect(linesOf((await run(program, 'GENERIC', { state: ['PAID'] })).csv)).toHaveLength(2)
    expect(linesOf((await run(program, 'GENERIC', { currency: 'USD' })).csv)[1]).toContain(open.id)
    expect((await run(program, 'GENERIC', { ids: [paid.id] })).csv).not.toContain(open.id)
    expect((await run(program, 'GENERIC', { affiliateId: unknownId })).rows).toBe(0)
  })

  it('leaves out payouts that the wallet cannot pay, with the reason', async () => {
    const program = await app.createProgram()
    const made = {
      NO_WALLET: await earner(program, { ...ada, wallet_b_email: null }),
      NO_NAME: await earner(program, { wallet_b_email: 'no-name@b.test' }),
      UNSAFE_EMAIL: await earner(program, { ...ada, wallet_b_email: '=cmd@b.test' }),
      BELOW_MINIMUM: await earner(program, ada, {}, { minimum_payout_cents: 1001 }),
      NOTHING_TO_PAY: await earner(program, ada),
      ALREADY_PAID: await earner(program, ada),
    }
    const [commission] = await listed(program, `/commissions?affiliate_id=${made.NOTHING_TO_PAY.affiliate.id}`)
    await program.put(`/commissions/${commission.id}`, { amount: 0 })
    await program.post(`/payouts/${(await payoutOf(program, made.ALREADY_PAID)).id}/pay`)
    const good = await earner(program, ada)
    const { csv, rows, skipped } = await run(program, 'WALLET_B')
    expect(rows).toBe(1)
    expect(linesOf(csv)[1]).toContain(wiseReference(await payoutOf(program, good)))
    const told = skipped.map(({ reason, payout }: any) => [reason, payout.affiliateId])
    const expected = Object.entries(made).map(([reason, { affiliate }]) => [reason, affiliate.id])
    expect(told.sort()).toEqual(expected.sort())
    expect(skipped.every(({ payout }: any) => payout.affiliate.email.includes('@'))).toBe(true)
    expect((await run(program, 'GENERIC')).rows).toBe(7)
  })

  it('escapes formulas and quotes values', async () => {
    const program = await app.createProgram()
    const names = ['=1+1', '+1', '-1', '@SUM(A1)', 'Smith, "Jo"', 'two\nlines', 'Åsa']
    for (const first_name of names) await earner(program, { ...ada, first_name, last_name: 'X' })
    const { csv } = await run(program, 'WALLET_B')
    for (const cell of ["'=1+1 X", "'+1 X", "'-1 X", "'@SUM(A1) X", '"Smith, ""Jo"" X"', 'two lines X', 'Åsa X']) {
      expect(csv).toContain(`\r\n${cell},ada@b.test,`)
    }
  })

  it('includes commissions that are due now, and pays nothing', async () => {
    const program = await app.createProgram()
    const seller = await createSeller(program, { days_before_commissions_are_due: 5 })
    await reportSale(program, { coupon: seller.coupon })
    expect((await run(program, 'GENERIC')).rows).toBe(0)
    app.clock.advanceDays(5)
    expect((await run(program, 'GENERIC')).rows).toBe(1)
    expect(await listed(program, '/payouts')).toMatchObject([{ state: 'pending' }])
  })

  it('for wallet A holds one currency: several are rejected, and one can be selected', async () => {
    const program = await app.createProgram()
    await earner(program, ada)
    await earner(program, ada, { currency: 'eur' })
    await expect(run(program, 'WALLET_A')).rejects.toThrow(
      'A file in this format holds one currency, but the payouts are in eur, usd. Filter by currency.',
    )
    expect((await run(program, 'WALLET_A', { currency: 'eur' })).csv).toContain(',10.00,EUR,')
    expect((await run(program, 'WALLET_B')).rows).toBe(2)
  })

  it('names every unknown id, including one of another program', async () => {
    const [program, other] = [await app.createProgram(), await app.createProgram()]
    const own = await payoutOf(program, await earner(program, ada))
    const stranger = await payoutOf(other, await earner(other, ada))
    const ids = [own.id, stranger.id, 'nonsense']
    const error = await run(program, 'GENERIC', { ids }).catch((caught) => caught.errors[0])
    expect(error.extensions.problems.map(({ message }: any) => message)).toEqual([
      `Payout not found: ${stranger.id}`,
      'Payout not found: nonsense',
    ])
  })
})

describe('GET /payouts/export', () => {
  const get = (program: TestProgram, search: string, method = 'GET') => {
    const headers = { Authorization: `Bearer ${program.secret}` }
    return app.app.fetch(new Request(`http://localhost:4000/v1/payouts/export${search}`, { method, headers }))
  }

  it('200 returns the file of the same operation, with its name', async () => {
    const program = await app.createProgram()
    const seller = await earner(program, ada)
    await earner(program, { ...ada, wallet_a_email: '' })
    const response = await get(program, '?format=wallet_a&state=pending')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const disposition = `attachment; filename="payouts-paypal-${app.clock.now.toISOString().slice(0, 10)}.csv"`
    expect(response.headers.get('content-disposition')).toBe(disposition)
    expect(response.headers.get('x-skipped-payouts')).toBe('1')
    expect(response.headers.get('x-request-id')).toBeTruthy()
    expect(await response.text()).toBe((await run(program, 'WALLET_A')).csv)
    const { id } = await payoutOf(program, seller)
    const named = await get(program, `?format=GENERIC&ids[]=${id}`)
    expect(linesOf(await named.text())).toHaveLength(2)
    const head = await get(program, '?format=generic', 'HEAD')
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  it('422 lists every problem; 405 for another method', async () => {
    const program = await app.createProgram()
    const { status, body } = await program.get('/payouts/export?state=gone&currency=zzz')
    expect([status, body.error, body.details.length]).toEqual([422, 'Could not export payouts.', 3])
    expect((await program.delete('/payouts/export')).status).toBe(405)
    expect((await get(program, '', 'POST')).headers.get('allow')).toBe('GET, HEAD')
  })
})

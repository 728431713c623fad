import { describe, expect, it } from 'vitest'
import { examine } from '../../../src/modules/doctor/service.ts'
import { wiseReference } from '../../../src/modules/payout-methods/wise/wise.ts'
import { createTestApp, graphqlClient, type TestProgram } from '../../support/app.ts'
import { createSeller, listed, reportSale } from '../../support/factories.ts'
import { anotherKey, runsOf } from '../../support/payout-runs.ts'

const app = await createTestApp()

const get = (program: Pick<TestProgram, 'secret'>, search: string, method = 'GET') => {
  const headers = { Authorization: `Bearer ${program.secret}` }
  return app.app.fetch(new Request(`http://localhost:4000/v1/payouts/export?${search}`, { method, headers }))
}

/** The file, and the run that it is of. */
async function run(program: TestProgram, search: string) {
  const response = await get(program, search)
  const csv = await response.text()
  if (response.status !== 200) throw new Error(csv)
  const runId = response.headers.get('payout-run-id') ?? ''
  const { method, state, payouts, skipped, fetchedAt } = await runsOf(program).look(runId)
  return { csv, runId, method, state, payouts, skipped, fetchedAt, response }
}
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

describe('GET /payouts/export', () => {
  it.each(['generic', 'wallet_a'])('%s: each payout can then be paid by its id, and the run ends', async (format) => {
    const program = await app.createProgram()
    for (let n = 0; n < 2; n += 1) await earner(program, ada)
    const { runId } = await run(program, `format=${format}`)
    for (const { id } of await listed(program, '/payouts?state=pending'))
      for (let n = 0; n < 2; n += 1) {
        const { status, body } = await program.post(`/payouts/${id}/pay`)
        expect([status, body]).toMatchObject([200, { id, state: 'paid', amount: 1_000 }])
      }
    const { state, items } = await runsOf(program).look(runId)
    expect(state).toBe('PAID')
    const paid = { state: 'PAID', goneCents: 1_000, amountCents: 1_000 }
    expect(items.nodes).toMatchObject([paid, paid])
    expect(await listed(program, '/payouts?state=pending')).toEqual([])
    expect(await examine(app.database, { programId: program.id })).toEqual([])
  })

  it('a payment by hand is at the displayed amount, if a refund came before the file was fetched', async () => {
    const program = await app.createProgram()
    const seller = await earner(program, ada)
    const { sale_id } = await reportSale(program, { coupon: seller.coupon })
    const { id } = await payoutOf(program, seller)
    const runs = runsOf(program)
    const made = await runs.prepare({ method: 'GENERIC' })
    await program.post('/conversions/refund', { sale_id })
    const pay = () => program.post(`/payouts/${id}/pay`)
    const open = `The payout is in the open payout run ${made.id}. Mark the run, or cancel it first.`
    expect(await pay()).toMatchObject({ status: 422, body: { error: open } })
    await runs.read(made.id)
    expect(await pay()).toMatchObject({ status: 200, body: { state: 'paid', amount: 1_000 } })
    expect((await runs.look(made.id)).items.nodes).toMatchObject([{ amountCents: 2_000, goneCents: 1_000 }])
    expect(await examine(app.database, { programId: program.id })).toEqual([])
  })

  it('of a file for PayPal, somebody else than the key that exported it cannot say that it was paid', async () => {
    const program = await app.createProgram()
    await earner(program, ada)
    const { runId } = await run(program, 'format=wallet_a')
    const [{ id }] = await listed(program, '/payouts')
    const other = await anotherKey(app, program)
    const text = 'mutation ($id: ID!) { payPayout(input: { id: $id }) { payout { id } } }'
    await expect(other.graphql(text, { id })).rejects.toThrow(runId)
    await program.graphql(text, { id })
  })

  it.each(['wallet_a', 'paypal', 'PAYPAL'])("%s is a run with PayPal's file", async (format) => {
    const program = await app.createProgram()
    const payout = await payoutOf(program, await earner(program, ada))
    const { csv, response, ...made } = await run(program, `format=${format}`)
    const id = payout.id.replaceAll('-', '').slice(2)
    expect(id).toHaveLength(30)
    expect(csv).toBe(`ada@a.test,10.00,USD,${id},Acme: affiliate payout\r\n`)
    expect(made).toMatchObject({ method: 'PAYPAL', state: 'PREPARED', payouts: 1, fetchedAt: expect.any(String) })
    const day = app.clock.now.toISOString().slice(0, 10)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="payouts-usd-${day}-paypal.csv"`,
      'x-skipped-payouts': '0',
      'cache-control': 'no-store',
    })
  })

  it.each(['wallet_b', 'wise'])("%s is a run with Wise's file for recipients identified by e-mail", async (format) => {
    const program = await app.createProgram()
    const { wallet_a_email: _, ...byWise } = ada
    const payout = await payoutOf(program, await earner(program, byWise, { currency: 'jpy', amount_cents: 12_340 }))
    const { csv, method } = await run(program, `format=${format}`)
    expect(method).toBe('WISE')
    expect(linesOf(csv)).toEqual([
      'name,recipientEmail,paymentReference,receiverType,amountCurrency,amount,sourceCurrency,targetCurrency',
      `Ada Lovelace,ada@b.test,${wiseReference(payout)},PERSON,target,1234,JPY,JPY`,
    ])
  })

  it('generic is a run of method GENERIC with every detail, of the payouts that match and can be paid', async () => {
    const program = await app.createProgram()
    const seller = await earner(program, ada, { currency: 'kwd' })
    await earner(program, ada)
    const other = await earner(program, ada, { currency: 'kwd' }, { minimum_payout_cents: 1001 })
    const open = await payoutOf(program, seller)
    const { csv, method, skipped, response } = await run(program, 'format=GENERIC&currency=kwd&state=pending')
    const who = `${seller.affiliate.id},Ada Lovelace,${seller.affiliate.email},ada@a.test,ada@b.test`
    expect(method).toBe('GENERIC')
    expect(linesOf(csv)).toEqual([
      'payout_id,affiliate_id,name,email,paypal_email,wise_email,currency,amount_cents,amount,commissions,state,created_at,paid_at,reference',
      `${open.id},${who},kwd,1000,1.000,1,pending,${app.clock.now.toISOString()},,`,
    ])
    expect(skipped).toEqual([{ reason: 'BELOW_MINIMUM', payout: { id: (await payoutOf(program, other)).id } }])
    expect(response.headers.get('x-skipped-payouts')).toBe('1')
  })

  it('repeats the same run to the same caller, also at once, and pays nobody twice', async () => {
    const program = await app.createProgram()
    const seller = await earner(program, ada)
    const files = await Promise.all([1, 2, 3].map(() => run(program, 'format=generic')))
    expect(new Set(files.map(({ runId, csv }) => `${runId} ${csv}`)).size).toBe(1)
    const later = await earner(program, ada)
    const second = await run(program, 'format=generic')
    expect(linesOf(second.csv).slice(1)).toEqual([expect.stringContaining((await payoutOf(program, later)).id)])
    expect((await run(program, 'format=generic')).runId).toBe(second.runId)
    const one = `format=generic&affiliate_id=${seller.affiliate.id}`
    expect((await run(program, one)).runId).toBe(files[0]?.runId)
    await expect(run(program, 'format=paypal')).rejects.toThrow('2 IN_OPEN_RUN')
    await runsOf(program).markSent(second.runId)
    await runsOf(program).markSent(files[0]?.runId ?? '')
    await expect(run(program, 'format=generic')).rejects.toThrow('2 IN_OPEN_RUN')
  })

  it('leaves payouts of other open runs to those who made them', async () => {
    const program = await app.createProgram()
    await earner(program, ada)
    const { graphql } = await anotherKey(app, program)
    await runsOf({ graphql }).create({ method: 'GENERIC' })
    await expect(run(program, 'format=generic')).rejects.toThrow('1 IN_OPEN_RUN')
  })

  it('is refused to a read-only key, which cannot read the file of a run either', async () => {
    const program = await app.createProgram()
    await earner(program, ada)
    const { createApiKey } = await app.operator(
      'mutation ($id: ID!) { createApiKey(input: { programId: $id, name: "Reader", access: READ }) { secret } }',
      { id: program.id },
    )
    const reader = { ...program, secret: createApiKey.secret as string }
    expect((await get(reader, 'format=generic')).status).toBe(403)
    expect(await listed(program, '/payout_runs')).toEqual([])
    const { id } = await runsOf(program).prepare({ method: 'GENERIC' })
    const graphql = graphqlClient(app.app.fetch, { Authorization: `Bearer ${reader.secret}` })
    const query = 'query ($id: ID!) { payoutRun(id: $id) { payouts fetchedAt file { name content } } }'
    await expect(graphql(query, { id })).rejects.toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] })
    const about = await graphql('query ($id: ID!) { payoutRun(id: $id) { payouts fetchedAt file { name } } }', { id })
    expect(about.payoutRun).toMatchObject({ payouts: 1, fetchedAt: null, file: { name: expect.any(String) } })
  })

  it('leaves out payouts that the service cannot pay, with the reason', async () => {
    const program = await app.createProgram()
    const byWise = { first_name: 'Ada', last_name: 'Lovelace', wallet_b_email: 'ada@b.test' }
    const made = {
      NO_WALLET: await earner(program, { ...byWise, wallet_b_email: null }),
      NO_NAME: await earner(program, { wallet_b_email: 'no-name@b.test' }),
      UNSAFE_EMAIL: await earner(program, { ...byWise, wallet_b_email: '=cmd@b.test' }),
      BELOW_MINIMUM: await earner(program, byWise, {}, { minimum_payout_cents: 1001 }),
      NOTHING_TO_PAY: await earner(program, byWise),
      AFFILIATE_SUSPICIOUS: await earner(program, byWise),
      OTHER_METHOD: await earner(program, ada),
    }
    const [commission] = await listed(program, `/commissions?affiliate_id=${made.NOTHING_TO_PAY.affiliate.id}`)
    await program.put(`/commissions/${commission.id}`, { amount: 0 })
    await program.put(`/affiliates/${made.AFFILIATE_SUSPICIOUS.affiliate.id}`, { state: 'suspicious' })
    const good = await earner(program, byWise)
    const { csv, payouts, skipped } = await run(program, 'format=wise')
    expect(payouts).toBe(1)
    expect(linesOf(csv)[1]).toContain(wiseReference(await payoutOf(program, good)))
    const told = skipped.map(({ reason, payout }: any) => [reason, payout.id])
    const expected = Object.entries(made).map(async ([reason, one]) => [reason, (await payoutOf(program, one)).id])
    expect(told.sort()).toEqual((await Promise.all(expected)).sort())
  })

  it('says why nothing can be paid', async () => {
    const program = await app.createProgram()
    const paid = await payoutOf(program, await earner(program, ada))
    await program.post(`/payouts/${paid.id}/pay`)
    await expect(run(program, 'format=generic')).rejects.toThrow(
      'No payout can be paid in this run: none in USD is open.',
    )
    for (const search of ['state=paid', `ids[]=${paid.id}`])
      await expect(run(program, `format=generic&${search}`)).rejects.toThrow('1 ALREADY_PAID')
  })

  it('escapes formulas and quotes values', async () => {
    const program = await app.createProgram()
    const names = ['=1+1', '+1', '-1', '@SUM(A1)', 'Smith, "Jo"', 'two\nlines', 'Åsa']
    for (const first_name of names) await earner(program, { first_name, last_name: 'X', wallet_b_email: 'ada@b.test' })
    const { csv } = await run(program, 'format=wise')
    for (const cell of ["'=1+1 X", "'+1 X", "'-1 X", "'@SUM(A1) X", '"Smith, ""Jo"" X"', 'two lines X', 'Åsa X']) {
      expect(csv).toContain(`\r\n${cell},ada@b.test,`)
    }
  })

  it('includes commissions that are due now, and pays nothing', async () => {
    const program = await app.createProgram()
    const seller = await createSeller(program, { days_before_commissions_are_due: 5 })
    await reportSale(program, { coupon: seller.coupon })
    await expect(run(program, 'format=generic')).rejects.toThrow('No payout can be paid')
    app.clock.advanceDays(5)
    expect((await run(program, 'format=generic')).payouts).toBe(1)
    expect(await listed(program, '/payouts')).toMatchObject([{ state: 'pending' }])
  })

  it('holds one currency: several are rejected, and one can be selected', async () => {
    const program = await app.createProgram()
    await earner(program, ada)
    await earner(program, ada, { currency: 'eur' })
    await expect(run(program, 'format=wallet_a')).rejects.toThrow(
      'A file holds one currency, but the payouts are in eur, usd. Filter by currency.',
    )
    expect((await run(program, 'format=wallet_a&currency=eur')).csv).toContain(',10.00,EUR,')
  })

  it('names every unknown id, including one of another program', async () => {
    const [program, other] = [await app.createProgram(), await app.createProgram()]
    const own = await payoutOf(program, await earner(program, ada))
    const stranger = await payoutOf(other, await earner(other, ada))
    const ids = [own.id, stranger.id, 'nonsense'].map((id) => `&ids[]=${id}`).join('')
    const error = await run(program, `format=generic${ids}`).catch(({ message }) => message)
    expect(error).toContain(`Payout not found: ${stranger.id}`)
    expect(error).toContain('Payout not found: nonsense')
    expect(error).not.toContain(own.id)
  })

  it('422 lists every problem; 405 for another method', async () => {
    const program = await app.createProgram()
    const { status, body } = await program.get('/payouts/export?state=gone&currency=zzz')
    expect([status, body.error, body.details.length]).toEqual([422, 'Could not export payouts.', 3])
    const unknown = await program.get('/payouts/export?format=xls')
    expect(unknown.body.details).toEqual(['Format must be one of: wallet_a, wallet_b, generic, paypal, wise'])
    expect((await program.delete('/payouts/export')).status).toBe(405)
    expect((await get(program, '', 'POST')).headers.get('allow')).toBe('GET, HEAD')
  })
})

import { expect, it } from 'vitest'
import { importProgram } from '../../../src/cli/import/run.ts'
import { createSource } from '../../../src/cli/import/source.ts'
import { createTarget, type Operate } from '../../../src/cli/import/target.ts'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { createSeller, made, reportSale } from '../../support/factories.ts'
import { createReceiver } from '../../support/receiver.ts'
import { createStripeFeed, sendStripe, stripeEvent } from '../../support/stripe.ts'

// The other service is another instance, which counts taxes.
const there = await createTestApp()
const here = await createTestApp()
const quiet = { begin() {}, advance() {}, end() {}, notify() {} }

async function importInto(program: TestProgram, from: TestProgram) {
  const { createApiKey } = await there.operator(
    `mutation ($id: ID!) { createApiKey(input: { programId: $id, name: "Import", profile: SUPERSET }) { secret } }`,
    { id: from.id },
  )
  const source = createSource({
    from: 'http://localhost:4000/',
    key: createApiKey.secret,
    fetch: ((input: string, init?: RequestInit) => there.app.fetch(new Request(input, init))) as typeof fetch,
    sleep: async () => {},
  })
  const target = createTarget(here.operator as Operate, source.address)
  return importProgram(source, target, quiet, { programId: program.id })
}

const updateProgram = (program: TestProgram, more: object) =>
  here.operator('mutation ($input: UpdateProgramInput!) { updateProgram(input: $input) { program { shadow } } }', {
    input: { id: program.id, ...more },
  })

/** The commissions by the sale's id: state and amount. */
async function stateOf(program: TestProgram) {
  const { commissions } = await program.graphql(
    '{ commissions(first: 50) { nodes { amountCents state affiliate { email } sale { externalId } } } }',
  )
  return Object.fromEntries(
    commissions.nodes.map(({ amountCents, state, affiliate, sale }: any) => [
      sale.externalId,
      `${affiliate.email.split('@')[0]} ${amountCents} ${state}`,
    ]),
  )
}

const report = async (program: TestProgram) => {
  const { shadowReport } = await program.graphql(`{ shadowReport { agreeing differing
    months { affiliateEmail month currency oursCents theirsCents }
    differences { saleExternalId affiliateEmail oursCents theirsCents reason text } } }`)
  return shadowReport
}

it('a shadow computes beside another service, is compared with it, and becomes live with its balances', async () => {
  const old = await there.createProgram()
  const ada = await createSeller(old, { commission_percent: 10 })
  const bob = await createSeller(old, { commission_percent: 10, name: 'Bob' })
  await made(old.put(`/affiliates/${ada.affiliate.id}`, { email: 'ada@old.test' }))
  await made(old.put(`/affiliates/${bob.affiliate.id}`, { email: 'bob@old.test' }))
  const sale = (externalId: string, amount: number, coupon = ada.coupon) =>
    reportSale(old, { coupon, external_id: externalId, amount_cents: amount, email: `${externalId}@shop.test` })
  await sale('in_paid', 10_000)
  await sale('in_open', 20_000)
  await sale('in_tax', 12_000)
  await sale('in_other', 7_000, bob.coupon)
  await sale('in_theirs', 5_000)
  const { data } = await made(old.get('/commissions?limit=100'))
  const paid = data.find(({ amount }: any) => amount === 1_000)
  await made(old.put(`/commissions/${paid.id}`, { paid_at: there.clock.now.toISOString() }))

  const program = await here.createProgram()
  await updateProgram(program, { shadow: true })
  const receiver = await createReceiver()
  await program.graphql(
    `mutation { createWebhookEndpoint(input: { url: "${receiver.url}" }) { webhookEndpoint { id } } }`,
  )
  await importInto(program, old)
  const feed = await createStripeFeed(program)
  const created = Math.floor(here.clock.now.getTime() / 1000)
  const invoice = (id: string, net: number, { tax = 0, at = created } = {}) =>
    stripeEvent(
      'invoice.paid',
      {
        ...{ id, object: 'invoice', customer: `cus_${id}`, customer_email: `${id}@shop.test`, currency: 'usd' },
        ...{ total: net + tax, amount_paid: net + tax, total_taxes: [{ amount: tax }] },
        metadata: { coupon: ada.coupon },
      },
      { created: at },
    )
  const send = async (...events: ReturnType<typeof invoice>[]) => {
    for (const event of events) expect((await sendStripe(here, feed.url, event)).status).toBe(200)
    await here.app.deriveFeeds()
  }
  await send(invoice('in_paid', 10_000), invoice('in_open', 20_000), invoice('in_tax', 10_000, { tax: 2_000 }))
  await send(invoice('in_other', 7_000), invoice('in_ours', 30_000))

  const compared = await report(program)
  expect(compared).toMatchObject({ agreeing: 2, differing: 4 })
  expect(compared.months.map(({ month, currency, ...one }: any) => one)).toEqual(
    expect.arrayContaining([
      { affiliateEmail: 'ada@old.test', oursCents: 7_700, theirsCents: 4_700 },
      { affiliateEmail: 'bob@old.test', oursCents: 0, theirsCents: 700 },
    ]),
  )
  expect(
    Object.fromEntries(
      compared.differences.map(({ saleExternalId, reason, text }: any) => [saleExternalId, [reason, text]]),
    ),
  ).toEqual({
    in_tax: ['OTHER_SALE_AMOUNT', expect.stringMatching(/^They count tax\. Their sale is of 120\.00/)],
    in_other: ['OTHER_AFFILIATE', 'They credited bob@old.test. Here it is ada@old.test, by the coupon.'],
    in_theirs: ['ONLY_THEIRS', 'No payment with this id was received here.'],
    in_ours: ['ONLY_OURS', 'They have no commission of this sale.'],
  })

  // Nothing is paid, and nothing is sent.
  here.clock.advanceDays(31)
  there.clock.advanceDays(31)
  const { data: payouts } = await made(program.get('/payouts'))
  const refused = await program.post(`/payouts/${payouts[0].id}/pay`)
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([422, expect.stringContaining('shadow')])
  await expect(
    program.graphql('mutation { createPayoutRun(input: { method: GENERIC }) { payoutRun { id } } }'),
  ).rejects.toThrow('The program is a shadow')
  await here.app.sendWebhooks()
  expect(receiver.received).toEqual([])
  await expect(updateProgram(program, { shadow: false })).rejects.toThrow('endShadow')

  // A sale on each side after the moment, and the last import.
  const at = here.clock.now.toISOString()
  here.clock.advanceDays(1)
  there.clock.advanceDays(1)
  await sale('in_later', 40_000)
  await send(invoice('in_later', 40_000, { at: Math.floor(here.clock.now.getTime() / 1000) }))
  const end =
    'mutation ($at: DateTime) { endShadow(input: { at: $at }) { takenOver voided notTakenOver { message } program { shadow } } }'
  await expect(program.graphql(end, { at })).rejects.toThrow('Import once more')
  await importInto(program, old)
  const { endShadow } = await program.graphql(end, { at })
  expect(endShadow).toEqual({ takenOver: 5, voided: 2, notTakenOver: [], program: { shadow: false } })
  const expected = {
    in_paid: 'ada 1000 PAID',
    in_open: 'ada 2000 DUE',
    in_tax: 'ada 1200 DUE',
    in_theirs: 'ada 500 DUE',
    in_other: 'bob 700 DUE',
    'in_other (shadow)': 'ada 700 VOID',
    in_ours: 'ada 3000 VOID',
    in_later: 'ada 4000 PENDING',
  }
  expect(await stateOf(program)).toEqual(expected)

  // The same sales come again by another import and by the feed.
  await importInto(program, old)
  await send(invoice('in_theirs', 5_000), invoice('in_unknown', 9_000))
  expect(await stateOf(program)).toEqual(expected)
  const { data: open } = await made(program.get('/payouts?limit=100'))
  const due = open.filter(({ state }: any) => state !== 'paid')
  expect(due.map(({ amount }: any) => amount).sort()).toEqual([3_700, 700])
  expect((await program.post(`/payouts/${due[0].id}/pay`)).status).toBe(200)
  receiver.close()
})

import { afterAll, expect, it } from 'vitest'
import { writeNotices } from '../../../src/modules/mails/notices.ts'
import { createTestApp, type TestProgram, testKey } from '../../support/app.ts'
import { made } from '../../support/factories.ts'
import { createReceiver } from '../../support/receiver.ts'
import { couponInvoice, createOldProgram, importFrom } from '../../support/shadow.ts'
import { createSmtp } from '../../support/smtp.ts'
import { createStripeFeed, sendStripe } from '../../support/stripe.ts'

// The other service is another instance, which counts taxes.
const smtp = await createSmtp()
afterAll(smtp.close)
const there = await createTestApp()
const here = await createTestApp({ mailer: smtp.mailer })

const importInto = (program: TestProgram, from: TestProgram) => importFrom(there, from, here, program)

const updateProgram = (program: TestProgram, more: object) =>
  here.operator('mutation ($input: UpdateProgramInput!) { updateProgram(input: $input) { program { isShadow } } }', {
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
  const { old, ada, bob, sale } = await createOldProgram(there)
  await sale('in_paid', 10_000)
  await sale('in_open', 20_000)
  await sale('in_tax', 12_000)
  await sale('in_other', 7_000, bob.coupon)
  await sale('in_theirs', 5_000)
  const { data } = await made(old.get('/commissions?limit=100'))
  const paid = data.find(({ amount }: any) => amount === 1_000)
  await made(old.put(`/commissions/${paid.id}`, { paid_at: there.clock.now.toISOString() }))

  const program = await here.createProgram()
  await updateProgram(program, { isShadow: true })
  const receiver = await createReceiver()
  await program.graphql(
    `mutation { createWebhookEndpoint(input: { url: "${receiver.url}" }) { webhookEndpoint { id } } }`,
  )
  await importInto(program, old)
  const feed = await createStripeFeed(program)
  const created = Math.floor(here.clock.now.getTime() / 1000)
  const invoice = (id: string, net: number, { tax = 0, at = created } = {}) =>
    couponInvoice(ada.coupon, at, id, net, tax)
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
  await expect(updateProgram(program, { isShadow: false })).rejects.toThrow('endShadow')

  // A sale on each side after the moment, and the last import.
  const at = here.clock.now.toISOString()
  here.clock.advanceDays(1)
  there.clock.advanceDays(1)
  await sale('in_later', 40_000)
  await send(invoice('in_later', 40_000, { at: Math.floor(here.clock.now.getTime() / 1000) }))
  const end =
    'mutation ($at: DateTime) { endShadow(input: { at: $at }) { takenOver voided notTakenOver { message } program { isShadow } } }'
  await expect(program.graphql(end, { at })).rejects.toThrow('Import once more')
  await importInto(program, old)
  const { endShadow } = await program.graphql(end, { at })
  expect(endShadow).toEqual({ takenOver: 5, voided: 2, notTakenOver: [], program: { isShadow: false } })
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

/** A shadow that takes a feed and was imported into, with what both differ about. */
async function shadowOf({ old }: { old: TestProgram }) {
  const program = await here.createProgram()
  await updateProgram(program, { isShadow: true })
  await importInto(program, old)
  const feed = await createStripeFeed(program)
  const send = async (coupon: string, id: string, net: number, tax = 0) => {
    const at = Math.floor(here.clock.now.getTime() / 1000)
    expect((await sendStripe(here, feed.url, couponInvoice(coupon, at, id, net, tax))).status).toBe(200)
    await here.app.deriveFeeds()
  }
  return { program, send }
}

it('differences that are accepted are apart, as long as they stay the same, with who and when', async () => {
  const { old, ada, sale } = await createOldProgram(there)
  await sale('in_tax', 12_000)
  await sale('in_more', 24_000)
  const { program, send } = await shadowOf({ old })
  await send(ada.coupon, 'in_tax', 10_000, 2_000)
  await send(ada.coupon, 'in_more', 20_000, 4_000)
  const read = async () =>
    (
      await program.graphql(`{ shadowReport { agreeing differing accepted months { oursCents theirsCents open }
        differences { key saleExternalId } acceptedDifferences { key saleExternalId reason accepted { as note at by { kind apiKey { name } } } } } }`)
    ).shadowReport
  const before = await read()
  expect(before).toMatchObject({ differing: 2, accepted: 0, months: [{ open: 2 }] })
  const idOf = (name: string) => before.differences.find((one: any) => one.saleExternalId === name).key
  const accept = 'mutation ($input: AcceptShadowDifferencesInput!) { acceptShadowDifferences(input: $input) { keys } }'
  const unknown = { keys: [idOf('in_tax'), 'in_nothing'], as: 'THEIRS' }
  await expect(program.graphql(accept, { input: unknown })).rejects.toThrow('in_nothing')
  expect((await read()).accepted).toBe(0)
  await program.graphql(accept, { input: { keys: [idOf('in_tax')], as: 'SETTING', note: 'Count taxes' } })
  const after = await read()
  expect(after).toMatchObject({ differing: 1, accepted: 1, months: [{ open: 1 }] })
  expect(after.acceptedDifferences).toEqual([
    {
      key: idOf('in_tax'),
      saleExternalId: 'in_tax',
      reason: 'OTHER_SALE_AMOUNT',
      accepted: {
        as: 'SETTING',
        note: 'Count taxes',
        at: here.clock.now.toISOString(),
        by: expect.objectContaining({ kind: 'API_KEY' }),
      },
    },
  ])
  const history = async () =>
    (await program.graphql('{ programHistory(first: 1) { nodes { action changes { field from to } } } }'))
      .programHistory.nodes[0]
  expect(await history()).toEqual({
    action: 'DIFFERENCE_ACCEPTED',
    changes: expect.arrayContaining([
      { field: 'difference', from: 'in_tax', to: 'in_tax' },
      { field: 'acceptedAs', from: null, to: 'setting' },
      { field: 'note', from: null, to: 'Count taxes' },
    ]),
  })

  const reopen = 'mutation ($input: ReopenShadowDifferencesInput!) { reopenShadowDifferences(input: $input) { keys } }'
  await program.graphql(reopen, { input: { keys: [idOf('in_tax')] } })
  expect(await read()).toMatchObject({ differing: 2, accepted: 0 })
  expect((await history()).action).toBe('DIFFERENCE_REOPENED')
  await program.graphql(accept, { input: { keys: [idOf('in_tax'), idOf('in_more')], as: 'OURS' } })
  expect(await read()).toMatchObject({ differing: 0, accepted: 2, months: [{ open: 0 }] })

  // The other service refunds a part, so the difference is another one.
  await made(old.post('/conversions/refund', { external_id: 'in_tax', amount_cents: 6_000 }))
  await importInto(program, old)
  const changed = await read()
  expect(changed).toMatchObject({ differing: 1, accepted: 1 })
  expect(changed.differences[0].saleExternalId).toBe('in_tax')
})

it('no mail and no webhook tells of a shadow, and its end begins both without those of the time before', async () => {
  const { old, ada, sale } = await createOldProgram(there)
  await sale('in_1', 10_000)
  await sale('in_2', 20_000)
  const { data } = await made(old.get('/commissions?limit=100'))
  const first = data.find(({ amount }: any) => amount === 1_000)
  await made(old.put(`/commissions/${first.id}`, { paid_at: there.clock.now.toISOString() }))
  const { program, send } = await shadowOf({ old })
  const receiver = await createReceiver()
  await program.graphql(
    `mutation { createWebhookEndpoint(input: { url: "${receiver.url}" }) { webhookEndpoint { id } } }`,
  )
  const notify = () =>
    writeNotices({ db: here.database.db, now: () => here.clock.now, publicUrl: () => here.origin, key: testKey })
  const outbox = async () => (await program.graphql('{ mails(last: 50) { nodes { kind to } } }')).mails.nodes
  const work = async () => {
    await notify()
    await here.app.sendMails()
    await here.app.sendWebhooks()
  }
  const affiliates = async () =>
    (await program.graphql('{ affiliates(first: 10) { nodes { id email } } }')).affiliates.nodes
  for (const { id } of await affiliates())
    await here.database.db.mailChoices.create({
      data: { programId: program.id, affiliateId: id, commissions: 'at_once', updatedAt: here.clock.now },
    })
  await work()
  await send(ada.coupon, 'in_1', 10_000)
  await send(ada.coupon, 'in_2', 20_000)
  here.clock.advanceMinutes(5)
  await work()
  for (let day = 0; day < 9; day += 1) {
    here.clock.advanceDays(1)
    there.clock.advanceDays(1)
    await work()
  }
  expect([await outbox(), receiver.received]).toEqual([[], []])

  await importInto(program, old)
  const preview = (
    await program.graphql('{ shadowEnd { at refusal affiliates voided owed { formatted } paid { formatted } } }')
  ).shadowEnd
  expect(preview).toMatchObject({
    refusal: null,
    affiliates: 1,
    voided: 0,
    owed: [{ formatted: '20.00 USD' }],
    paid: [{ formatted: '10.00 USD' }],
  })
  await program.graphql('mutation { endShadow(input: {}) { takenOver } }')
  here.clock.advanceMinutes(5)
  await work()
  here.clock.advanceDays(8)
  await work()
  expect(await outbox()).toEqual([])
  const types = receiver.received.map(({ body }: any) => (typeof body === 'string' ? JSON.parse(body) : body).type)
  expect(types.filter((type: string) => /commission|sale|referral|affiliate|payout/.test(type))).toEqual([])

  // From here on both go on.
  await send(ada.coupon, 'in_3', 30_000)
  here.clock.advanceMinutes(5)
  await work()
  expect((await outbox()).map(({ kind, to }: any) => `${kind} ${to}`)).toEqual(['COMMISSIONS_EARNED ada@old.test'])
  expect(receiver.received.length).toBeGreaterThan(0)
  receiver.close()
})

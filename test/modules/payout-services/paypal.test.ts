import { describe, expect, test } from 'vitest'
import { createTestApp, graphqlClient } from '../../support/app.ts'
import { anotherKey, runsOf } from '../../support/payout-runs.ts'
import { createPayPal, itemTo, notify, ourId, payingProgram, servicesOf } from '../../support/payout-services.ts'

const paypal = await createPayPal()
const app = await createTestApp({ payoutServiceUrls: { paypal: paypal.url } })
const names = (program: string) => (name: string) => `${name}-${program}@pp.test`
let count = 0
const fresh = () => {
  count += 1
  return names(String(count))
}

const sums = (addresses: string[]) => addresses.map((address) => paypal.moved().get(address) ?? 0)

describe('a run by PayPal', () => {
  test('is sent, and each payment becomes what PayPal says', async () => {
    const at = fresh()
    const [ada, locked, nobody, euro] = [at('ada'), at('failed'), at('unclaimed'), at('euro')]
    const { program, services } = await payingProgram(app, [ada, locked, nobody, euro])
    const run = await services.prepare()
    const quote = await services.quote(run.id)
    expect(quote).toMatchObject({ payments: 4, amountCents: 4_000, currency: 'usd', isEnough: true, feeCents: null })
    expect(paypal.batches.size).toBe(0)

    const sent = await services.send(run.id)
    expect(sent).toMatchObject({ state: 'SENT', service: 'PAYPAL', serviceProblem: null })
    expect(sent.items.nodes.map(({ state, isUnknown }: any) => [state, isUnknown])).toEqual(
      Array.from({ length: 4 }, () => ['SENT', false]),
    )
    paypal.settle(new Date('2026-03-10T12:01:00Z'))
    const known = await services.refresh(run.id)
    expect(itemTo(known, ada)).toMatchObject({
      state: 'PAID',
      serviceState: 'SUCCESS',
      feeCents: 25,
      goneCents: 1_000,
      contradiction: null,
    })
    expect(itemTo(known, ada).facts.map(({ kind, recordedBy }: any) => [kind, recordedBy.kind])).toEqual([
      ['SENT', 'API_KEY'],
      ['PAID', 'API_KEY'],
    ])
    expect(itemTo(known, locked)).toMatchObject({ state: 'FAILED', reason: 'The account of the receiver is locked.' })
    expect(itemTo(known, nobody)).toMatchObject({ state: 'UNCLAIMED', serviceState: 'UNCLAIMED', goneCents: 0 })
    expect(itemTo(known, euro)).toMatchObject({
      state: 'PAID',
      exchangeRate: '0.9',
      receivedCents: 900,
      receivedCurrency: 'eur',
    })
    expect(known.state).toBe('PAID')

    // Sent and asked again, nothing changes.
    await services.send(run.id)
    const again = await services.refresh(run.id)
    expect(again.items.nodes.map(({ facts }: any) => facts.length)).toEqual(
      known.items.nodes.map(({ facts }: any) => facts.length),
    )
    expect(sums([ada, locked, nobody, euro])).toEqual([1_000, 0, 0, 1_000])

    // The affiliate sees both amounts.
    const { affiliateId } = itemTo(known, euro)
    const input = { affiliateId }
    const made = await program.graphql(
      'mutation ($input: CreateAffiliateTokenInput!) { createAffiliateToken(input: $input) { token } }',
      { input },
    )
    const own = graphqlClient(app.app.fetch, { Authorization: `Bearer ${made.createAffiliateToken.token}` })
    const { me } = await own('{ me { payouts { nodes { amountCents receivedCents receivedCurrency exchangeRate } } } }')
    const received = { receivedCents: 900, receivedCurrency: 'eur', exchangeRate: '0.9' }
    expect(me.payouts.nodes).toEqual([{ amountCents: 1_000, ...received }])
  })

  test('an unclaimed payment is cancelled at PayPal, and its payout is free', async () => {
    const address = fresh()('unclaimed')
    const { services } = await payingProgram(app, [address])
    const run = await services.prepare()
    await services.send(run.id)
    paypal.settle()
    const { items } = await services.refresh(run.id)
    const [item] = items.nodes
    expect(await services.cancelPayment(item.payoutId, 'never claimed')).toMatchObject({
      state: 'CANCELLED',
      serviceState: 'RETURNED',
    })
    expect(paypal.item(ourId(item)).transaction_status).toBe('RETURNED')
    // What PayPal says of it later changes nothing.
    await services.refresh(run.id)
    const next = await services.prepare()
    expect(next.items.nodes).toMatchObject([{ recipient: address, amountCents: 1_000 }])
  })

  test('only an unclaimed payment can be cancelled there', async () => {
    const { services, earners } = await payingProgram(app, [fresh()('ada')])
    const run = await services.prepare()
    await services.send(run.id)
    await expect(services.cancelPayment(earners[0]?.payout.id)).rejects.toThrow(/Only a payment that waits/)
  })

  test('webhooks come twice, late and backwards', async () => {
    const address = fresh()('ada')
    const { services, service } = await payingProgram(app, [address])
    const run = await services.prepare()
    const sent = await services.send(run.id)
    const [item] = sent.items.nodes
    paypal.change(ourId(item), 'UNCLAIMED', new Date('2026-03-10T12:05:00Z'))
    const unclaimed = paypal.notice(ourId(item))
    paypal.change(ourId(item), 'SUCCESS', new Date('2026-03-11T12:05:00Z'))
    const paid = paypal.notice(ourId(item))
    for (const notice of [paid, unclaimed, paid, unclaimed])
      expect((await notify(app, service.id, notice)).status).toBe(200)
    const [known] = (await services.read(run.id)).items.nodes
    expect(known).toMatchObject({ state: 'PAID', serviceState: 'SUCCESS', goneCents: 1_000, contradiction: null })
    expect(known.facts.map(({ kind }: any) => kind)).toEqual(['SENT', 'PAID', 'UNCLAIMED'])

    paypal.change(ourId(item), 'RETURNED', new Date('2026-03-12T12:05:00Z'))
    await notify(app, service.id, paypal.notice(ourId(item)))
    const [back] = (await services.read(run.id)).items.nodes
    expect(back).toMatchObject({ state: 'RETURNED', goneCents: 0 })
  })

  test('a webhook that PayPal has not signed is refused, and one of an unknown payment changes nothing', async () => {
    const { services, service } = await payingProgram(app, [fresh()('ada')])
    const run = await services.prepare()
    const [item] = (await services.send(run.id)).items.nodes
    const notice = paypal.notice(ourId(item))
    const forged = { ...notice, headers: { ...notice.headers, 'paypal-transmission-sig': 'of somebody else' } }
    expect((await notify(app, service.id, forged)).status).toBe(401)
    const { 'paypal-transmission-sig': _signature, ...unsigned } = notice.headers
    expect((await notify(app, service.id, { ...notice, headers: unsigned })).status).toBe(401)
    const foreign = { ...notice, body: notice.body.replaceAll(ourId(item), 'f'.repeat(32)) }
    expect((await notify(app, service.id, foreign)).status).toBe(200)
    expect((await services.read(run.id)).items.nodes[0].state).toBe('SENT')
  })

  test('what does not fit together is shown to a person, who decides', async () => {
    const address = fresh()('ada')
    const { program, services } = await payingProgram(app, [address])
    const run = await services.prepare()
    const [item] = (await services.send(run.id)).items.nodes
    paypal.change(ourId(item), 'FAILED', new Date('2026-03-10T12:05:00Z'))
    await services.refresh(run.id)
    paypal.change(ourId(item), 'SUCCESS', new Date('2026-03-10T12:06:00Z'))
    const { service } = { service: (await services.list())[0] }
    await notify(app, service.id, paypal.notice(ourId(item)))
    const [known] = (await services.read(run.id)).items.nodes
    expect(known.contradiction).toBe(
      'What was said of the payment does not fit together: failed at 2026-03-10T12:05:00.000Z, then paid at 2026-03-10T12:06:00.000Z.',
    )
    expect(known.state).toBe('PAID')
    const result = { payoutId: item.payoutId, state: 'PAID', at: '2026-03-10T12:06:00Z' }
    await runsOf(program).record(run.id, [result])
    expect((await services.read(run.id)).items.nodes[0]).toMatchObject({ state: 'PAID', contradiction: null })

    // What is said later does not ask for the same decision again.
    paypal.change(ourId(item), 'RETURNED', new Date('2026-03-12T12:05:00Z'))
    await notify(app, service.id, paypal.notice(ourId(item)))
    expect((await services.read(run.id)).items.nodes[0]).toMatchObject({ state: 'RETURNED', contradiction: null })
  })

  test('another amount is shown to a person once', async () => {
    const { program, services, service } = await payingProgram(app, [fresh()('ada')])
    const run = await services.prepare()
    const [item] = (await services.send(run.id)).items.nodes
    paypal.change(ourId(item), 'SUCCESS', new Date('2026-03-10T12:05:00Z'))
    const notice = paypal.notice(ourId(item))
    const less = { ...notice, body: notice.body.replaceAll('"10.00"', '"9.00"') }
    await notify(app, service.id, less)
    expect((await services.read(run.id)).items.nodes[0]).toMatchObject({
      goneCents: 900,
      contradiction: 'PayPal says 9.00 USD, but the run pays 10.00 USD.',
    })
    const result = { payoutId: item.payoutId, state: 'PAID', at: '2026-03-10T12:05:00Z', amountCents: 900 }
    await runsOf(program).record(run.id, [result])
    await notify(app, service.id, less)
    expect((await services.read(run.id)).items.nodes[0]).toMatchObject({ goneCents: 900, contradiction: null })
    // All of it comes back: the amount is the one that was decided.
    paypal.change(ourId(item), 'RETURNED', new Date('2026-03-12T12:05:00Z'))
    const returned = paypal.notice(ourId(item))
    await notify(app, service.id, { ...returned, body: returned.body.replaceAll('"10.00"', '"9.00"') })
    expect((await services.read(run.id)).items.nodes[0]).toMatchObject({
      state: 'RETURNED',
      goneCents: 0,
      contradiction: null,
    })
  })

  test('above the limit, a second person approves before it is sent', async () => {
    const { program, services } = await payingProgram(app, [fresh()('ada')])
    await app.operator('mutation ($input: UpdateProgramInput!) { updateProgram(input: $input) { program { id } } }', {
      input: { id: program.id, payoutApprovalAboveCents: 500 },
    })
    const run = await services.prepare()
    await expect(services.send(run.id)).rejects.toThrow(/second person/)
    const other = await anotherKey(app, program)
    await runsOf(other).approve(run.id)
    expect(await services.send(run.id)).toMatchObject({ state: 'SENT' })
  })
})

describe('what goes wrong', () => {
  test('a lost answer leaves payments unknown, which are asked for, and sent once', async () => {
    const address = fresh()('ada')
    const { program, services } = await payingProgram(app, [address])
    const run = await services.prepare()
    paypal.fault(/^POST .*\/payments\/payouts$/, 'lose answer')
    const sent = await services.send(run.id)
    expect(sent).toMatchObject({ state: 'PREPARED', serviceProblem: expect.stringMatching(/ended before an answer/) })
    expect(sent.items.nodes).toMatchObject([{ state: 'PREPARED', isUnknown: true }])
    // Nothing else can be done with it meanwhile.
    await expect(runsOf(program).cancel(run.id)).rejects.toThrow(/unknown/)
    await expect(services.cancelPayment(sent.items.nodes[0].payoutId)).rejects.toThrow(/unknown/)
    await expect(services.disconnect()).rejects.toThrow(/unknown/)
    // Another account does not know the batch, and would pay it again. Credentials of the same one are exchanged.
    const ofProgram = { where: { programId: program.id } }
    const { account } = await app.database.db.payoutService.findFirstOrThrow(ofProgram)
    await app.database.db.payoutService.updateMany({ ...ofProgram, data: { account: 'PayPal app of another' } })
    await expect(services.connect()).rejects.toThrow(/unknown.*before you connect another account/)
    await app.database.db.payoutService.updateMany({ ...ofProgram, data: { account } })
    await services.connect()
    await expect(runsOf(program).markSent(run.id)).rejects.toThrow(/sent by the API/)
    await expect(runsOf(program).markPaid(run.id)).rejects.toThrow(/unknown/)
    paypal.settle()
    const known = await services.refresh(run.id)
    expect(known.items.nodes).toMatchObject([{ state: 'PAID', isUnknown: false }])
    expect(sums([address])).toEqual([1_000])
  })

  test('a request that was lost before is sent once', async () => {
    const address = fresh()('ada')
    const { services } = await payingProgram(app, [address])
    const run = await services.prepare()
    paypal.fault(/^POST .*\/payments\/payouts$/, 'lose request')
    expect((await services.send(run.id)).items.nodes).toMatchObject([{ isUnknown: true }])
    expect(await services.send(run.id)).toMatchObject({ state: 'SENT', serviceProblem: null })
    paypal.settle()
    await services.refresh(run.id)
    expect(sums([address])).toEqual([1_000])
  })

  test.each([
    ['revoke', 2],
    ['limit without time', 3],
  ] as const)('%s after a lost answer: the payment stays unknown, and is paid once', async (fault, times) => {
    const address = fresh()('ada')
    const { program, services } = await payingProgram(app, [address])
    const run = await services.prepare()
    const path = /^POST .*\/payments\/payouts$/
    paypal.fault(path, 'lose answer')
    await services.send(run.id)
    paypal.fault(path, fault, times)
    await services.send(run.id).catch(() => {})
    expect((await services.read(run.id)).items.nodes).toMatchObject([{ state: 'PREPARED', isUnknown: true }])
    await expect(runsOf(program).cancel(run.id)).rejects.toThrow(/unknown/)
    expect(await services.send(run.id)).toMatchObject({ state: 'SENT' })
    paypal.settle()
    await services.refresh(run.id)
    expect(sums([address])).toEqual([1_000])
  })

  test('a person can record what the page of PayPal says of an unknown payment', async () => {
    const { program, services } = await payingProgram(app, [fresh()('ada')])
    const run = await services.prepare()
    paypal.fault(/^POST .*\/payments\/payouts$/, 'lose answer')
    const [item] = (await services.send(run.id)).items.nodes
    await runsOf(program).record(run.id, [{ payoutId: item.payoutId, state: 'PAID' }])
    expect((await services.read(run.id)).items.nodes).toMatchObject([{ state: 'PAID', isUnknown: false }])
  })

  test.each([
    ['html', /something else than JSON/, true],
    ['fail after', /answered with 503/, true],
  ] as const)('%s: the payments are unknown, in words', async (fault, words, isUnknown) => {
    const { services } = await payingProgram(app, [fresh()('ada')])
    const run = await services.prepare()
    paypal.fault(/^POST .*\/payments\/payouts$/, fault)
    const sent = await services.send(run.id)
    expect(sent.serviceProblem).toMatch(words)
    expect(sent.items.nodes).toMatchObject([{ isUnknown }])
    expect(await services.send(run.id)).toMatchObject({ state: 'SENT' })
  })

  test('a balance that is not enough: the run stays whole, and is sent after money was added', async () => {
    const address = fresh()('ada')
    const { services } = await payingProgram(app, [address])
    const run = await services.prepare()
    const had = paypal.balances.USD as number
    paypal.balances.USD = 500
    expect(await services.quote(run.id)).toMatchObject({ isEnough: false, balanceCents: 500 })
    await expect(services.send(run.id)).rejects.toThrow(/balance at PayPal is not enough for 10.00 USD/)
    expect((await services.read(run.id)).items.nodes).toMatchObject([{ state: 'PREPARED', isUnknown: false }])
    paypal.balances.USD = had
    expect(await services.send(run.id)).toMatchObject({ state: 'SENT' })
  })

  test('a payee that does not exist fails, and the others are sent', async () => {
    const at = fresh()
    const [bad, good] = [at('invalid'), at('ada')]
    const { services } = await payingProgram(app, [bad, good])
    const run = await services.prepare()
    const sent = await services.send(run.id)
    expect(itemTo(sent, bad)).toMatchObject({ state: 'FAILED', reason: 'Receiver is invalid' })
    expect(itemTo(sent, good)).toMatchObject({ state: 'SENT' })
  })

  test('a revoked token is asked for again; wrong credentials are said', async () => {
    const { services } = await payingProgram(app, [fresh()('ada')])
    const run = await services.prepare()
    paypal.fault(/^POST .*\/payments\/payouts$/, 'revoke')
    expect(await services.send(run.id)).toMatchObject({ state: 'SENT' })

    const other = await payingProgram(app, [fresh()('bob')])
    const second = await other.services.prepare()
    paypal.fault(/^POST .*\/payments\/payouts$/, 'revoke', 2)
    await expect(other.services.send(second.id)).rejects.toThrow(/does not accept the credentials/)
    expect((await other.services.read(second.id)).items.nodes).toMatchObject([{ state: 'PREPARED', isUnknown: false }])
    expect((await other.services.list())[0].problem).toMatch(/does not accept/)
  })

  test('429: a short wait is waited for, a longer one is left to the background', async () => {
    const { services } = await payingProgram(app, [fresh()('ada')])
    const run = await services.prepare()
    paypal.fault(/^POST .*\/payments\/payouts$/, 'limit')
    expect(await services.send(run.id)).toMatchObject({ state: 'SENT' })

    const other = await payingProgram(app, [fresh()('bob')])
    const second = await other.services.prepare()
    paypal.fault(/^POST .*\/payments\/payouts$/, 'limit without time', 3)
    const held = await other.services.send(second.id)
    expect(held).toMatchObject({ state: 'PREPARED', serviceProblem: expect.stringMatching(/limits requests/) })
    expect(held.items.nodes).toMatchObject([{ isUnknown: false }])
    app.clock.advanceMinutes(10)
    await app.app.askPayoutServices()
    expect(await other.services.read(second.id)).toMatchObject({ state: 'SENT', serviceProblem: null })
  })

  test('without a connection nothing was sent, in words', async () => {
    const { program } = await payingProgram(app, [fresh()('ada')])
    await expect(servicesOf(program).connect('PAYPAL', { clientId: 'x' })).rejects.toThrow(/Client secret/)
    await expect(servicesOf(program).connect('PAYPAL', { clientId: 'x', clientSecret: 'wrong' })).rejects.toThrow(
      /does not accept the credentials/,
    )
  })
})

describe('the report of PayPal', () => {
  test('says the same as the webhook, and is the same fact', async () => {
    const { program, services, service } = await payingProgram(app, [fresh()('ada')])
    const run = await services.prepare()
    const [item] = (await services.send(run.id)).items.nodes
    paypal.change(ourId(item), 'SUCCESS', new Date('2026-03-10T12:05:00Z'))
    const file = `sender_item_id,transaction_status,time_processed\n${ourId(item)},SUCCESS,2026-03-10T12:05:00Z`
    const imported = await program.graphql(
      `mutation ($input: ImportPayoutResultsInput!) { importPayoutResults(input: $input) { changed unmatched { reason } } }`,
      { input: { runId: run.id, file } },
    )
    expect(imported.importPayoutResults).toEqual({ changed: 1, unmatched: [] })
    await notify(app, service.id, paypal.notice(ourId(item)))
    await services.refresh(run.id)
    const [known] = (await services.read(run.id)).items.nodes
    expect(known).toMatchObject({ state: 'PAID', goneCents: 1_000, contradiction: null })
    expect(known.facts.filter(({ kind }: any) => kind === 'PAID')).toHaveLength(1)
  })
})

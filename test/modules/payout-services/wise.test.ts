import { describe, expect, test } from 'vitest'
import type { WiseStandIn } from '../../../src/cli/stand-ins/wise.ts'
import { createTestApp, graphqlClient } from '../../support/app.ts'
import { findViolations } from '../../support/doctor.ts'
import { runsOf } from '../../support/payout-runs.ts'
import { createWise, itemTo, notify, ourId, payingBy, servicesOf, startKind } from '../../support/payout-services.ts'

const kind = await startKind('wise')
const { standIn } = kind
const german = await createWise({ country: 'DE' })
const app = await createTestApp({ payoutServiceUrls: { wise: standIn.url } })
const germanApp = await createTestApp({ payoutServiceUrls: { wise: german.url } })
const byHand = {
  ...kind,
  standIn: german,
  services: (program: any) => servicesOf(program, 'WISE', { token: 'stand-in', webhookKey: german.webhookKey }),
}

let count = 0
const fresh = (name: string) => {
  count += 1
  return `${name}-w${count}@pp.test`
}
const change = (program: any, input: object) =>
  app.operator('mutation ($input: UpdateProgramInput!) { updateProgram(input: $input) { program { id } } }', {
    input: { id: program.id, ...input },
  })

describe('a run by Wise', () => {
  test('is quoted, sent as a batch, funded, and each payment becomes what Wise says', async () => {
    const addresses = ['ada', 'failed', 'unclaimed', 'invalid'].map(fresh)
    const [ada, failed, unclaimed, invalid] = addresses as [string, string, string, string]
    const { services, service } = await payingBy(kind, app, addresses)
    expect(service).toMatchObject({
      account: 'Wise profile 4711',
      canPay: 'can pay USD, balance 1,000,000.00; can pay EUR, balance 1,204.10',
    })
    const run = await services.prepare()
    expect(await services.quote(run.id)).toMatchObject({
      payments: 4,
      amountCents: 4_000,
      feeCents: 120,
      feeCurrency: 'usd',
      isEnough: true,
      expiresAt: expect.any(String),
      exchangeRate: null,
    })
    const sent = await services.send(run.id)
    expect(sent).toMatchObject({ state: 'SENT', service: 'WISE', serviceProblem: null, handOvers: [] })
    expect(itemTo(sent, invalid)).toMatchObject({ state: 'FAILED', reason: 'Please enter a valid email address.' })
    standIn.settle(app.clock.now)
    const known = await services.refresh(run.id)
    expect(itemTo(known, ada)).toMatchObject({
      state: 'PAID',
      serviceState: 'outgoing_payment_sent',
      feeCents: 30,
      feeCurrency: 'usd',
      goneCents: 1_000,
      receivedCents: null,
      contradiction: null,
    })
    expect(itemTo(known, failed)).toMatchObject({ state: 'FAILED', reason: 'Wise has cancelled the transfer.' })
    expect(itemTo(known, unclaimed)).toMatchObject({ state: 'UNCLAIMED' })
    expect(known.state).toBe('PAID')
    expect(await services.cancelPayment(itemTo(known, unclaimed).payoutId)).toMatchObject({
      state: 'CANCELLED',
      serviceState: 'cancelled',
    })
    expect(await findViolations(app.database)).toEqual([])
  })

  test('in other countries, a person funds the batch at Wise, and the webhook says that it was done', async () => {
    const address = fresh('ada')
    const { services, service } = await payingBy(byHand, germanApp, [address])
    expect(service.canPay).toMatch(/a person funds each batch at Wise$/)
    const run = await services.prepare()
    expect((await services.quote(run.id)).notes.join()).toMatch(/a person funds each batch at Wise/)
    const sent = await services.send(run.id)
    expect(sent.handOvers).toEqual([
      {
        text: expect.stringMatching(/^Open Wise and fund the batch ".+" with 10\.30 USD\.$/),
        expiresAt: expect.any(String),
      },
    ])
    const [item] = sent.items.nodes
    expect(item).toMatchObject({ state: 'SENT', serviceState: 'incoming_payment_waiting', isUnknown: false })
    expect((await services.refresh(run.id)).handOvers).toHaveLength(1)
    german.fundByHand()
    expect((await notify(germanApp, service.id, german.notice(ourId(item)))).status).toBe(200)
    expect(await services.read(run.id)).toMatchObject({ handOvers: [] })
    german.settle(new Date('2026-03-11T10:00:00Z'))
    await notify(germanApp, service.id, german.notice(ourId(item)))
    expect((await services.read(run.id)).items.nodes).toMatchObject([{ state: 'PAID', goneCents: 1_000 }])
    expect(await findViolations(germanApp.database)).toEqual([])
  })

  test('a payment that waits for money can be cancelled at Wise', async () => {
    const [ada, bob] = [fresh('ada'), fresh('bob')]
    const { services } = await payingBy(byHand, germanApp, [ada, bob])
    const run = await services.prepare()
    const sent = await services.send(run.id)
    expect(await services.cancelPayment(itemTo(sent, ada).payoutId)).toMatchObject({ state: 'CANCELLED' })
    german.fundByHand()
    german.settle(germanApp.clock.now)
    await services.refresh(run.id)
    expect([ada, bob].map((address) => german.moved().get(address) ?? 0)).toEqual([0, 1_000])
    expect((await services.prepare()).items.nodes).toMatchObject([{ recipient: ada, amountCents: 1_000 }])
  })

  test('a payment that was cancelled here after the batch was begun is not paid by the batch', async () => {
    const [ada, bob] = [fresh('ada'), fresh('bob')]
    const { program, services } = await payingBy(kind, app, [ada, bob])
    const run = await services.prepare()
    standIn.fault(/^PATCH /, 'revoke')
    await expect(services.send(run.id)).rejects.toThrow(/does not accept the credentials/)
    const item = itemTo(await services.read(run.id), ada)
    expect(item).toMatchObject({ state: 'PREPARED', isUnknown: false })
    await runsOf(program).record(run.id, [{ payoutId: item.payoutId, state: 'CANCELLED', reason: 'Not now' }])
    expect(await services.send(run.id)).toMatchObject({ state: 'SENT' })
    standIn.settle(app.clock.now)
    await services.refresh(run.id)
    expect([ada, bob].map((address) => standIn.moved().get(address) ?? 0)).toEqual([0, 1_000])
  })

  test('a transfer that Wise has, but does not list yet, does not free its payment', async () => {
    const address = fresh('ada')
    const { services } = await payingBy(kind, app, [address])
    const run = await services.prepare()
    standIn.fault(/batch-groups\/.+\/transfers$/, 'lose answer')
    await services.send(run.id)
    const { transfers, late } = standIn as WiseStandIn
    const [ours] = [...transfers.keys()].slice(-1) as [string]
    late.add(ours)
    const unknown = await services.send(run.id)
    expect(unknown.serviceProblem).toMatch(/does not list yet/)
    expect(unknown.items.nodes).toMatchObject([{ state: 'PREPARED', isUnknown: true }])
    late.delete(ours)
    expect(await services.send(run.id)).toMatchObject({ state: 'SENT' })
    standIn.settle(app.clock.now)
    await services.refresh(run.id)
    expect(standIn.moved().get(address)).toBe(1_000)
    expect(await findViolations(app.database)).toEqual([])
  })

  test('what comes back later is returned, also if webhooks come twice, late and backwards', async () => {
    const { services, service } = await payingBy(kind, app, [fresh('ada')])
    const run = await services.prepare()
    const [item] = (await services.send(run.id)).items.nodes
    const notices = [
      ['outgoing_payment_sent', '2026-03-11T10:00:00Z'],
      ['bounced_back', '2026-03-13T10:00:00Z'],
      ['cancelled', '2026-03-13T11:00:00Z'],
      ['funds_refunded', '2026-03-13T12:00:00Z'],
    ].map(([word, time]) => {
      standIn.change(ourId(item), word as string, new Date(time as string))
      return standIn.notice(ourId(item))
    })
    for (const notice of [...notices.toReversed(), ...notices])
      expect((await notify(app, service.id, notice)).status).toBe(200)
    const [known] = (await services.read(run.id)).items.nodes
    expect(known).toMatchObject({ goneCents: 0, contradiction: null, serviceState: 'funds_refunded' })
    expect(known.facts).toHaveLength(5)
    expect((await services.prepare()).items.nodes).toMatchObject([{ amountCents: 1_000 }])
    expect(await findViolations(app.database)).toEqual([])
  })

  test('a webhook that Wise has not signed is refused', async () => {
    const { services, service } = await payingBy(kind, app, [fresh('ada')])
    const [item] = (await services.send((await services.prepare()).id)).items.nodes
    const notice = standIn.notice(ourId(item))
    expect(
      (await notify(app, service.id, { ...notice, body: notice.body.replace('processing', 'cancelled') })).status,
    ).toBe(401)
    expect((await notify(app, service.id, { ...notice, headers: {} })).status).toBe(401)
  })
})

describe('who bears the fee', () => {
  test('affiliates, if the program says so: they see both amounts', async () => {
    const { program, services } = await payingBy(kind, app, [fresh('ada')])
    await change(program, { payoutFeeBearer: 'AFFILIATE' })
    const run = await services.prepare()
    expect((await services.quote(run.id)).notes).toContain('Affiliates bear the fee: it is taken from what arrives.')
    const sent = await services.send(run.id)
    standIn.settle(app.clock.now)
    const [item] = (await services.refresh(run.id)).items.nodes
    expect(item).toMatchObject({
      state: 'PAID',
      goneCents: 1_000,
      feeCents: 30,
      receivedCents: 970,
      receivedCurrency: 'usd',
      exchangeRate: null,
      contradiction: null,
    })
    const made = await program.graphql(
      'mutation ($input: CreateAffiliateTokenInput!) { createAffiliateToken(input: $input) { token } }',
      { input: { affiliateId: sent.items.nodes[0].affiliateId } },
    )
    const own = graphqlClient(app.app.fetch, { Authorization: `Bearer ${made.createAffiliateToken.token}` })
    const { me } = await own('{ me { payouts { nodes { amountCents receivedCents receivedCurrency exchangeRate } } } }')
    expect(me.payouts.nodes).toEqual([
      { amountCents: 1_000, receivedCents: 970, receivedCurrency: 'usd', exchangeRate: null },
    ])
  })

  test('a balance in another currency pays the amount, at the rate that Wise says', async () => {
    const { program, services } = await payingBy(kind, app, [fresh('ada')])
    await services.connect('WISE', { ...kind.credentials, balanceCurrency: 'eur' })
    const run = await services.prepare()
    expect(await services.quote(run.id)).toMatchObject({
      exchangeRate: '1.25',
      feeCents: 30,
      feeCurrency: 'eur',
      isEnough: null,
    })
    await services.send(run.id)
    standIn.settle(app.clock.now)
    const [item] = (await services.refresh(run.id)).items.nodes
    expect(item).toMatchObject({
      state: 'PAID',
      goneCents: 1_000,
      exchangeRate: '1.25',
      feeCents: 30,
      feeCurrency: 'eur',
    })
    const { payoutRunItems } = await program.graphql('{ payoutRunItems { nodes { fee { amountCents currency } } } }')
    expect(payoutRunItems.nodes).toEqual([{ fee: { amountCents: 30, currency: 'eur' } }])
    await change(program, { payoutFeeBearer: 'AFFILIATE' })
    await expect(services.quote(run.id)).rejects.toThrow()
  })

  test('credentials that do not fit are refused in words', async () => {
    const { services } = await payingBy(kind, app, [])
    await expect(services.connect('WISE', { token: 'x', profile: '1' })).rejects.toThrow(
      /Its keys are token, profileId/,
    )
    await expect(services.connect('WISE', { ...kind.credentials, profileId: '9' })).rejects.toThrow(
      'The token sees no profile 9 at Wise. It sees 1 (Ada Person), 4711 (Acme).',
    )
    await expect(services.connect('WISE', { token: 'stand-in', webhookKey: 'no' })).rejects.toThrow(
      /is not a public key/,
    )
  })
})

import { describe, expect, test } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { findViolations } from '../../support/doctor.ts'
import { reportSale } from '../../support/factories.ts'
import {
  addPayee,
  createStripe,
  itemTo,
  notify,
  ourId,
  servicesOf,
  stripeCredentials,
  stripeProgram,
} from '../../support/payout-services.ts'

const stripe = await createStripe()
const app = await createTestApp({ payoutServiceUrls: { stripe: stripe.url } })
const creates = /^POST .*\/outbound_payments$/
const later = (minutes: number) => new Date(Date.now() + minutes * 60_000)

const makeRun = async (names: readonly string[]) => {
  const paying = await stripeProgram(app, stripe, names)
  return { ...paying, run: await paying.services.prepare({ method: 'STRIPE' }) }
}

describe('connecting Stripe', () => {
  test('says the balance, and refuses what it cannot use', async () => {
    const program = await app.createProgram()
    const services = servicesOf(program)
    expect(await services.connect('STRIPE', stripeCredentials)).toMatchObject({
      account: 'fa_test_stand_in',
      canPay: expect.stringContaining('can pay EUR, balance 1204.10 EUR'),
      abilities: ['QUOTE', 'VERIFY', 'SEND', 'ASK', 'HEAR'],
    })
    await expect(services.connect('STRIPE', { secretKey: 'rk_wrong' })).rejects.toThrow(
      'Stripe does not accept the credentials',
    )
    await expect(services.connect('STRIPE', { ...stripeCredentials, financialAccount: 'fa_other' })).rejects.toThrow(
      'Stripe knows no financial account fa_other of this key.',
    )
  })

  test('an account in a country that Stripe does not serve gets a sentence', async () => {
    const german = await createStripe({ country: 'DE' })
    const other = await createTestApp({ payoutServiceUrls: { stripe: german.url } })
    const program = await other.createProgram()
    await expect(servicesOf(program).connect('STRIPE', stripeCredentials)).rejects.toThrow(
      'Stripe lets businesses in the US and the UK send Global Payouts, but this account is in DE. Pay by PayPal, Wise or SEPA instead.',
    )
  })
})

describe('a run by Stripe', () => {
  test('is sent, and each payment becomes what Stripe says', async () => {
    const { services, run, recipients } = await makeRun(['ada', 'failed', 'refused', 'euro', 'yen'])
    const [ada, failed, refused, euro, yen] = recipients as [string, string, string, string, string]
    const account = stripe.accounts.get(refused.split('/')[0] ?? '')
    if (account) account.isReady = false
    const quote = await services.quote(run.id)
    expect(quote).toMatchObject({ payments: 5, amountCents: 5_000, isEnough: true, feeCents: null })
    // Before money moves, it is said who cannot be paid.
    expect(quote.notes[0]).toMatch(/Stripe cannot pay .* yet: it asks for bank account, address\./)
    expect(stripe.requests.some((request) => creates.test(request))).toBe(false)

    const sent = await services.send(run.id)
    expect(sent).toMatchObject({ state: 'SENT', service: 'STRIPE', serviceProblem: null })
    expect(itemTo(sent, refused)).toMatchObject({ state: 'FAILED', serviceState: 'feature_not_active' })
    stripe.settle(later(1))
    const known = await services.refresh(run.id)
    expect(itemTo(known, ada)).toMatchObject({
      state: 'PAID',
      serviceState: 'posted',
      serviceId: stripe.payment(ourId(itemTo(known, ada))).id,
      goneCents: 1_000,
      contradiction: null,
    })
    expect(itemTo(known, failed)).toMatchObject({ state: 'FAILED', reason: 'payout_method_rejected', goneCents: 0 })
    expect(itemTo(known, euro)).toMatchObject({
      state: 'PAID',
      receivedCents: 900,
      receivedCurrency: 'eur',
      exchangeRate: '0.9',
    })
    expect(itemTo(known, yen)).toMatchObject({ receivedCents: 1_500, receivedCurrency: 'jpy', exchangeRate: '150' })
    expect(known.state).toBe('PAID')
    const again = await services.refresh(run.id)
    expect(again.items.nodes.map(({ facts }: any) => facts.length)).toEqual(
      known.items.nodes.map(({ facts }: any) => facts.length),
    )
    expect(recipients.map((one) => stripe.moved().get(one) ?? 0)).toEqual([1_000, 0, 0, 1_000, 1_000])
    expect(await findViolations(app.database)).toEqual([])
  })

  test('a first payment to a recipient is in a batch of its own', async () => {
    const { program, services, run, coupons } = await makeRun(['known'])
    await services.send(run.id)
    stripe.settle(later(1))
    await services.refresh(run.id)
    await reportSale(program, { coupon: coupons[0] })
    await addPayee(program, stripe.addRecipient('new'))
    const second = await services.prepare({ method: 'STRIPE' })
    const { items } = await services.send(second.id)
    const batches = items.nodes.map((item: any) => stripe.payment(ourId(item)).metadata.tributary_batch)
    expect(new Set(batches).size).toBe(2)
  })

  test('webhooks come twice, late and backwards, and only with the signature of Stripe', async () => {
    const { services, service, run } = await makeRun(['hook'])
    const [item] = (await services.send(run.id)).items.nodes
    const begun = stripe.notice(ourId(item), app.clock.now)
    stripe.change(ourId(item), 'posted', later(1))
    const posted = stripe.notice(ourId(item), app.clock.now)
    const forged = {
      ...posted,
      headers: { 'stripe-signature': `t=${Math.floor(app.clock.now.getTime() / 1000)},v1=00` },
    }
    expect((await notify(app, service.id, forged)).status).toBe(401)
    expect((await notify(app, service.id, { ...posted, headers: {} })).status).toBe(401)
    const old = stripe.notice(ourId(item), new Date(app.clock.now.getTime() - 10 * 60_000))
    expect((await notify(app, service.id, old)).status).toBe(401)
    for (const notice of [posted, begun, posted, begun])
      expect((await notify(app, service.id, notice)).status).toBe(200)
    const [known] = (await services.read(run.id)).items.nodes
    expect(known).toMatchObject({ state: 'PAID', serviceState: 'posted', goneCents: 1_000, contradiction: null })
    stripe.change(ourId(item), 'returned', later(2))
    await notify(app, service.id, stripe.notice(ourId(item), app.clock.now))
    expect((await services.read(run.id)).items.nodes[0]).toMatchObject({ state: 'RETURNED', goneCents: 0 })
  })

  test('a balance that is not enough stops it before anything is sent', async () => {
    const { services, run, recipients } = await makeRun(['poor'])
    const before = stripe.balances.USD ?? 0
    stripe.balances.USD = 999
    expect(await services.quote(run.id)).toMatchObject({ isEnough: false })
    await expect(services.send(run.id)).rejects.toThrow('The balance at Stripe is not enough for 10.00 USD.')
    expect((await services.read(run.id)).items.nodes[0]).toMatchObject({ state: 'PREPARED', isUnknown: false })
    stripe.balances.USD = before
    await services.send(run.id)
    stripe.settle(later(1))
    await services.refresh(run.id)
    expect(stripe.moved().get(recipients[0] ?? '')).toBe(1_000)
  })

  test('a balance that ends in the middle of a batch frees nothing', async () => {
    const { services, run, recipients } = await makeRun(['m1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7'])
    const before = stripe.balances.USD ?? 0
    stripe.balances.USD = 6_000
    const part = await services.send(run.id)
    expect(part.serviceProblem).toMatch(/not enough.*Some payments of the batch were made; the rest follows\./)
    // What was made is known, and the rest is not free.
    const states = part.items.nodes.map(({ state, isUnknown }: any) => `${state} ${isUnknown}`)
    expect(states.toSorted()).toEqual([...Array(1).fill('PREPARED true'), ...Array(6).fill('SENT false')])
    stripe.balances.USD = before
    await services.send(run.id)
    stripe.settle(later(1))
    const known = await services.refresh(run.id)
    expect(known.state).toBe('PAID')
    expect(recipients.map((one) => stripe.moved().get(one))).toEqual(Array.from({ length: 7 }, () => 1_000))
  })

  test('a lost answer among refusals frees nothing', async () => {
    const { services, run, recipients } = await makeRun(['l1', 'l2', 'l3'])
    const before = stripe.balances.USD ?? 0
    stripe.balances.USD = 0
    let count = 0
    stripe.onRequest = (request) => {
      if (creates.test(request)) count += 1
      if (count !== 3) return 'do'
      // The last of three that are sent at once is made, and nobody hears of it.
      stripe.balances.USD = 1_000
      stripe.fault(creates, 'lose answer')
      return 'do'
    }
    const part = await services.send(run.id).finally(() => {
      stripe.onRequest = undefined
    })
    expect(part.items.nodes.map(({ isUnknown }: any) => isUnknown)).toEqual([true, true, true])
    stripe.balances.USD = before
    await services.send(run.id)
    stripe.settle(later(1))
    await services.refresh(run.id)
    expect(recipients.map((one) => stripe.moved().get(one))).toEqual([1_000, 1_000, 1_000])
  })
})

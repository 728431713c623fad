import { afterEach, describe, expect, test } from 'vitest'
import type { Fault } from '../../../src/cli/stand-ins/stand-in.ts'
import { createTestApp } from '../../support/app.ts'
import { findViolations } from '../../support/doctor.ts'
import {
  addPayee,
  createStripe,
  itemTo,
  notify,
  ourId,
  servicesOf,
  stripeCredentials,
} from '../../support/payout-services.ts'

// Affiliates who have accounts that are connected to the program's own at Stripe.

const stripe = await createStripe()
const death: { at: string | null } = { at: null }
const app = await createTestApp({
  payoutServiceUrls: { stripe: stripe.url },
  onPayoutStep(step) {
    if (step !== death.at) return
    death.at = null
    throw new Error('killed')
  },
})
afterEach(() => {
  death.at = null
})
const credentials = { ...stripeCredentials, payees: 'connected_accounts' }
const creates = /^POST \/v1\/transfers$/
const later = (minutes: number) => new Date(Date.now() + minutes * 60_000)

async function makeRun(names: readonly string[]) {
  const program = await app.createProgram()
  const services = servicesOf(program, 'STRIPE', credentials)
  const service = await services.connect()
  const accounts = names.map((name) => stripe.connect(name))
  for (const account of accounts) await addPayee(program, account)
  return { program, services, service, accounts, run: await services.prepare() }
}

const finish = async ({ services, run }: Awaited<ReturnType<typeof makeRun>>) => {
  for (;;) {
    app.clock.advanceMinutes(2)
    const { state } = await services.send(run.id)
    if (state === 'PAID') return services.refresh(run.id)
  }
}

describe('transfers to connected accounts', () => {
  test('say the balance of the platform, and are paid at once', async () => {
    const { services, service, accounts, run } = await makeRun(['ada', 'invalid', 'country', 'incomplete'])
    expect(service).toMatchObject({
      account: 'acct_stand_in, connected accounts',
      canPay: expect.stringContaining('can pay EUR, balance 1204.10 EUR'),
    })
    const [ada, invalid, country, incomplete] = accounts as [string, string, string, string]
    const quote = await services.quote(run.id)
    expect(quote).toMatchObject({ payments: 4, isEnough: true })
    expect(quote.notes[0]).toMatch(/Stripe cannot pay .* yet: it asks for external_account\./)
    const known = await services.send(run.id)
    expect(known).toMatchObject({ state: 'PAID', serviceProblem: null })
    const { id } = stripe.transfer(ourId(itemTo(known, ada)))
    const paid = { state: 'PAID', serviceState: 'paid', serviceId: id, reference: id, goneCents: 1_000 }
    expect(itemTo(known, ada)).toMatchObject({ ...paid, contradiction: null })
    expect(itemTo(known, invalid)).toMatchObject({ state: 'FAILED', reason: expect.stringMatching(/invalid/) })
    expect(itemTo(known, country)).toMatchObject({ state: 'FAILED', reason: expect.stringMatching(/country/) })
    expect(itemTo(known, incomplete)).toMatchObject({ state: 'FAILED', reason: expect.stringMatching(/capability/) })
    expect(accounts.map((account) => stripe.moved().get(account) ?? 0)).toEqual([1_000, 0, 0, 0])
    expect(await findViolations(app.database)).toEqual([])
  })

  test('affiliates are not sent to a page of Stripe, which knows their accounts already', async () => {
    const { program } = await makeRun(['ada'])
    const offered = async () => (await program.graphql('{ program { payoutMethods } }')).program.payoutMethods
    expect(await offered()).not.toContain('STRIPE')
    await servicesOf(program, 'STRIPE', stripeCredentials).connect()
    expect(await offered()).toContain('STRIPE')
    // The credentials before are kept for a while. They do not offer the page.
    await servicesOf(program, 'STRIPE', credentials).connect()
    expect(await offered()).not.toContain('STRIPE')
  })

  test('a reversal is heard by an event, of a part or of the whole', async () => {
    const { services, service, run } = await makeRun(['part', 'whole'])
    const [part, whole] = (await services.send(run.id)).items.nodes
    stripe.reverse(ourId(part), 300, later(1))
    const news = stripe.transferNotice(ourId(part), app.clock.now)
    for (const notice of [news, news]) expect((await notify(app, service.id, notice)).status).toBe(200)
    stripe.reverse(ourId(whole), 1_000, later(1))
    await notify(app, service.id, stripe.transferNotice(ourId(whole), app.clock.now))
    const { items } = await services.read(run.id)
    expect(items.nodes).toMatchObject([
      { state: 'PAID', goneCents: 700, contradiction: null },
      { state: 'RETURNED', goneCents: 0, serviceState: 'reversed', contradiction: null },
    ])
    expect((await notify(app, service.id, { ...news, headers: {} })).status).toBe(401)
    expect(await findViolations(app.database)).toEqual([])
  })

  test.each<[string, Fault]>([
    ['an answer that is lost', 'lose answer'],
    ['a request that is lost', 'lose request'],
    ['an error after it was done', 'fail after'],
    ['HTML', 'html'],
    ['429', 'limit'],
    ['429 without a time', 'limit without time'],
  ])('%s pays nobody twice', async (_what, fault) => {
    const made = await makeRun(['a', 'b', 'c'])
    stripe.fault(creates, fault, 2)
    await made.services.send(made.run.id)
    const known = await finish(made)
    expect(known.items.nodes.map(({ goneCents }: any) => goneCents)).toEqual([1_000, 1_000, 1_000])
    expect(made.accounts.map((account) => stripe.moved().get(account))).toEqual([1_000, 1_000, 1_000])
  })

  test.each(['before intent', 'after intent', 'before keeping', 'before payment', 'after call', 'after answer'])(
    'a process that dies %s pays nobody twice, also if Stripe has forgotten our keys',
    async (step) => {
      const made = await makeRun(['a', 'b', 'c'])
      death.at = step
      await expect(made.services.send(made.run.id)).rejects.toThrow()
      stripe.forgetKeys()
      await finish(made)
      expect(made.accounts.map((account) => stripe.moved().get(account))).toEqual([1_000, 1_000, 1_000])
      expect(await findViolations(app.database)).toEqual([])
    },
  )

  test('a balance that is not enough, wrong credentials, and a recipient of Global Payouts, in words', async () => {
    const { program, services, run } = await makeRun(['poor'])
    const before = stripe.balances.USD ?? 0
    stripe.balances.USD = 999
    expect(await services.quote(run.id)).toMatchObject({ isEnough: false })
    await expect(services.send(run.id)).rejects.toThrow('The balance at Stripe is not enough for 10.00 USD.')
    expect((await services.read(run.id)).items.nodes[0]).toMatchObject({ state: 'PREPARED', isUnknown: false })
    stripe.balances.USD = before
    await services.send(run.id)
    await expect(services.connect('STRIPE', { ...credentials, secretKey: 'rk_wrong' })).rejects.toThrow(
      'Stripe does not accept the credentials',
    )
    await expect(services.connect('STRIPE', { ...credentials, payees: 'all' })).rejects.toThrow(
      /must be one of recipients, connected_accounts/,
    )
    await addPayee(program, stripe.addRecipient('recipient'))
    const other = await services.prepare()
    expect((await services.send(other.id)).items.nodes).toMatchObject([
      { state: 'FAILED', reason: expect.stringContaining('not a connected account') },
    ])
  })
})

import { afterAll } from 'vitest'
import { standIns } from '../../src/cli/stand-ins/all.ts'
import { type PayPalOptions, startPayPal } from '../../src/cli/stand-ins/paypal.ts'
import type { ServiceStandIn, Webhook } from '../../src/cli/stand-ins/stand-in.ts'
import { type StripeOptions, type StripeStandIn, startStripe } from '../../src/cli/stand-ins/stripe.ts'
import { startWise, type WiseOptions } from '../../src/cli/stand-ins/wise.ts'
import { makeScheduledRuns } from '../../src/modules/payout-services/schedule/make-runs.ts'
import type { ServiceSettings } from '../../src/modules/payout-services/settings.ts'
import { type TestApp, type TestProgram, testKey } from './app.ts'
import { silentLog } from './database.ts'
import { createCampaign, createCoupon, reportSale } from './factories.ts'
import { earner } from './payout-runs.ts'

export const paypalCredentials = {
  clientId: 'stand-in',
  clientSecret: 'stand-in-secret',
  webhookId: 'WH-STAND-IN',
}

/** The stand-in of PayPal, which ends with the tests of the file. */
export async function createPayPal(options: PayPalOptions = {}) {
  const paypal = await startPayPal(options)
  afterAll(() => paypal.close())
  return paypal
}

/** The stand-in of Wise, which ends with the tests of the file. */
export async function createWise(options: WiseOptions = {}) {
  const wise = await startWise(options)
  afterAll(() => wise.close())
  return wise
}

type TestKind = {
  /** What GraphQL calls the service, and the method of its runs. */
  service: string
  /** The field of affiliates that it pays. */
  addressField: 'paypalEmail' | 'wiseEmail' | 'stripeAccount'
  /** Names of payees whose payments end in these ways. */
  unpaid: readonly [string, string]
  /** Its own words for the states of a payment. */
  words: Record<'paid' | 'failed' | 'returned', string> & { unclaimed?: string }
  /** The steps of its own at which the process can die, and the requests that can go wrong. */
  steps: readonly string[]
  requests: readonly RegExp[]
}

/** The services that tests go through one by one. */
export const testKinds: Readonly<Record<string, TestKind>> = {
  paypal: {
    service: 'PAYPAL',
    addressField: 'paypalEmail',
    unpaid: ['failed', 'unclaimed'],
    words: { paid: 'SUCCESS', failed: 'FAILED', unclaimed: 'UNCLAIMED', returned: 'RETURNED' },
    steps: [],
    requests: [/^POST .*\/payments\/payouts$/],
  },
  stripe: {
    service: 'STRIPE',
    addressField: 'stripeAccount',
    unpaid: ['failed', 'returned'],
    words: { paid: 'posted', failed: 'failed', returned: 'returned' },
    steps: ['before payment'],
    requests: [/^POST .*\/outbound_payments$/],
  },
  wise: {
    service: 'WISE',
    addressField: 'wiseEmail',
    unpaid: ['failed', 'unclaimed'],
    words: {
      paid: 'outgoing_payment_sent',
      failed: 'cancelled',
      unclaimed: 'waiting_recipient_input_to_proceed',
      returned: 'funds_refunded',
    },
    steps: [
      'before group',
      'after group',
      'before recipient',
      'before quote',
      'before transfer',
      'after transfer',
      'before completion',
      'after completion',
      'before funding',
    ],
    requests: [
      /^POST .*\/batch-groups$/,
      /^POST .*\/accounts$/,
      /^POST .*\/quotes$/,
      /^POST .*\/transfers$/,
      /^PATCH .*\/batch-groups/,
      /^POST .*\/batch-payments/,
    ],
  },
}

type Caller = Pick<TestProgram, 'graphql'>

/** A service of the table, with its stand-in, which ends with the tests of the file. */
export async function startKind(id: string, options: { perSecond?: number } = {}) {
  const [kind, words] = [standIns[id], testKinds[id]]
  if (!kind || !words) throw new Error(`No service ${id}`)
  const standIn: ServiceStandIn = await kind.start(options)
  afterAll(() => standIn.close())
  const services = (program: Caller) => servicesOf(program, words.service, kind.credentialsOf(standIn))
  return {
    ...words,
    id,
    name: kind.name,
    setting: kind.setting,
    standIn,
    credentials: kind.credentialsOf(standIn),
    services,
    /** Where a payee of this name is paid. */
    addressOf: (name: string) => standIn.addRecipient?.(name) ?? name,
  }
}

/** Stripe with payees whose accounts are connected to the program's own. The payee who is not paid does not exist. */
export async function startConnect(): Promise<StartedKind> {
  const stripe = await startKind('stripe')
  const credentials = { ...stripe.credentials, payees: 'connected_accounts' }
  return {
    ...stripe,
    name: 'Stripe Connect',
    credentials,
    unpaid: ['country', 'invalid'],
    services: (program: Caller) => servicesOf(program, stripe.service, credentials),
    addressOf: (name: string) => (stripe.standIn as StripeStandIn).connect(name),
  }
}

export type StartedKind = Awaited<ReturnType<typeof startKind>>

/** A program with a connected service, and an open payout of 10.00 for each payee. */
export async function payingBy(kind: StartedKind, test: TestApp, names: readonly string[]) {
  const program = await test.createProgram()
  const services = kind.services(program)
  const service = await services.connect()
  const addresses = names.map(kind.addressOf)
  const earners = []
  for (const address of addresses) earners.push(await addPayee(program, address, kind.addressField))
  return { program, services, service, earners, addresses }
}

const itemFields = `id payoutId affiliateId state amountCents goneCents recipient reference reason serviceId serviceState feeCents feeCurrency
  exchangeRate receivedCents receivedCurrency isUnknown contradiction isExtra facts { kind at reference amountCents recordedBy { kind } }`
export const sentRunFields = `id state service serviceProblem nextStepAt handedOverAt sentAt paidAt handOvers { text expiresAt }
  items(first: 100, orderBy: [{ field: CREATED_AT, direction: ASC }]) { nodes { ${itemFields} } }`

const call = async (program: Caller, name: string, input: object, payload: string) => {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`
  return (await program.graphql(`mutation ($input: ${type}!) { ${name}(input: $input) { ${payload} } }`, { input }))[
    name
  ]
}

const serviceFields = `id service account canPay problem pausedAt abilities webhookUrl mostPerRunCents mostPerDayCents mostPerPayeeCents`

export const servicesOf = (program: Caller, ofService = 'PAYPAL', own: object = paypalCredentials) => ({
  connect: async (service = ofService, credentials: object = own) =>
    (await call(program, 'connectPayoutService', { service, credentials }, `payoutService { ${serviceFields} }`))
      .payoutService,
  disconnect: (input: object = { service: ofService }) => call(program, 'disconnectPayoutService', input, 'deletedId'),
  update: async (input: object) =>
    (await call(program, 'updatePayoutService', input, `payoutService { ${serviceFields} }`)).payoutService,
  pause: (input: object = { service: ofService }) =>
    call(program, 'pausePayoutService', input, 'payoutService { pausedAt }'),
  resume: (input: object = { service: ofService }) =>
    call(program, 'resumePayoutService', input, 'payoutService { pausedAt }'),
  list: async () => (await program.graphql(`{ payoutServices { ${serviceFields} } }`)).payoutServices,
  prepare: async (input: object = {}) =>
    (
      await call(
        program,
        'createPayoutRun',
        { method: ofService, currency: 'usd', ...input },
        `payoutRun { ${sentRunFields} }`,
      )
    ).payoutRun,
  quote: async (id: string) =>
    (
      await call(
        program,
        'quotePayoutRun',
        { id },
        'payoutRun { id state } quote { payments amountCents currency feeCents feeCurrency balanceCents isEnough exchangeRate expiresAt notes }',
      )
    ).quote,
  send: async (id: string, more: object = {}) =>
    (await call(program, 'sendPayoutRun', { id, ...more }, `payoutRun { ${sentRunFields} }`)).payoutRun,
  refresh: async (id: string) =>
    (await call(program, 'refreshPayoutRun', { id }, `payoutRun { ${sentRunFields} }`)).payoutRun,
  cancelPayment: async (payoutId: string, reason = 'test') =>
    (await call(program, 'cancelPayment', { payoutId, reason }, `payoutRunItem { ${itemFields} }`)).payoutRunItem,
  read: async (id: string) =>
    (await program.graphql(`query ($id: ID!) { payoutRun(id: $id) { ${sentRunFields} } }`, { id })).payoutRun,
})

/** A program with a connected PayPal, and an open payout of 10.00 for each address. */
export async function payingProgram(test: TestApp, addresses: readonly string[]) {
  const program = await test.createProgram()
  const services = servicesOf(program)
  const service = await services.connect()
  const earners = []
  for (const address of addresses) earners.push(await earner(program, { wallet_a_email: address }))
  return { program, services, service, earners }
}

/** The item of an address in a run. */
export const itemTo = (run: any, address: string) => run.items.nodes.find((one: any) => one.recipient === address)

/** How the stand-in knows a payment. */
export const ourId = (item: { id: string }) => item.id.replaceAll('-', '')

/** Sends what a service says by itself. */
export async function notify(test: TestApp, serviceId: string, notice: Webhook) {
  const init = { method: 'POST', ...notice, headers: { ...notice.headers, 'content-type': 'application/json' } }
  return test.app.fetch(new Request(`http://localhost:4000/payout-services/${serviceId}`, init))
}

export const stripeCredentials = { secretKey: 'rk_test_stand_in', webhookSecret: 'whsec_stand_in' }

/** The stand-in of Stripe, which ends with the tests of the file. */
export async function createStripe(options: StripeOptions = {}) {
  const stripe = await startStripe(options)
  afterAll(() => stripe.close())
  return stripe
}

/** A program with a connected Stripe, and an open payout of 10.00 for each recipient of these names. */
export async function stripeProgram(test: TestApp, stripe: StripeStandIn, names: readonly string[]) {
  const program = await test.createProgram()
  const services = servicesOf(program)
  const service = await services.connect('STRIPE', stripeCredentials)
  const recipients = names.map((name) => stripe.addRecipient(name))
  const coupons = []
  for (const recipient of recipients) coupons.push((await addPayee(program, recipient)).coupon)
  return { program, services, service, recipients, coupons }
}

/** A campaign whose commissions are due at once, for the payees of a program. */
const campaigns = new WeakMap<TestProgram, Promise<{ id: string }>>()

/** An affiliate with an open payout of 10.00, who is paid at an address. */
export async function addPayee(
  program: TestProgram,
  address: string,
  field: TestKind['addressField'] = 'stripeAccount',
): Promise<{ affiliate: { id: string }; coupon: string }> {
  const campaign = campaigns.get(program) ?? createCampaign(program, { days_before_commissions_are_due: 0 })
  campaigns.set(program, campaign)
  const { id: campaignId } = await campaign
  payees += 1
  const input = {
    ...{ campaignId, email: `payee-${payees}@example.com`, firstName: 'Ada', lastName: 'Lovelace' },
    [field]: address,
  }
  const { createAffiliate } = await program.graphql(
    'mutation ($input: CreateAffiliateInput!) { createAffiliate(input: $input) { affiliate { id } } }',
    { input },
  )
  const { token: coupon } = await createCoupon(program, createAffiliate.affiliate.id)
  await reportSale(program, { coupon })
  return { affiliate: createAffiliate.affiliate, coupon }
}

let payees = 0

/** Makes the scheduled runs that are due, as each instance does every five minutes. What it warns of is printed. */
export const makeDueRuns = (
  { database: { db }, clock }: TestApp,
  urls: ServiceSettings['urls'],
  onStep: ServiceSettings['onStep'] = () => undefined,
) =>
  makeScheduledRuns({
    db,
    log: Object.assign(Object.create(silentLog), {
      warn: (said: any) => said.err?.message === 'killed' || console.error(said),
    }),
    publicUrl: () => 'http://localhost:4000',
    settings: { key: testKey, urls, now: () => clock.now, onStep },
  })

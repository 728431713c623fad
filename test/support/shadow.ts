import { importProgram } from '../../src/cli/import/run.ts'
import { createSource } from '../../src/cli/import/source.ts'
import { createTarget, type Operate } from '../../src/cli/import/target.ts'
import type { createTestApp, TestProgram } from './app.ts'
import { createSeller, made, reportSale } from './factories.ts'
import { stripeEvent } from './stripe.ts'

type TestApp = Awaited<ReturnType<typeof createTestApp>>

const quiet = { begin() {}, advance() {}, end() {}, notify() {} }

/** Imports a program of the other service into a program here, as the command does. */
export async function importFrom(there: TestApp, from: TestProgram, here: TestApp, into: TestProgram) {
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
  return importProgram(source, target, quiet, { programId: into.id })
}

/** Two affiliates of the other service, who get a tenth, and a function that reports a sale there. */
export async function createOldProgram(there: TestApp) {
  const old = await there.createProgram()
  const ada = await createSeller(old, { commission_percent: 10 })
  const bob = await createSeller(old, { commission_percent: 10, name: 'Bob' })
  await made(old.put(`/affiliates/${ada.affiliate.id}`, { email: 'ada@old.test' }))
  await made(old.put(`/affiliates/${bob.affiliate.id}`, { email: 'bob@old.test' }))
  const sale = (externalId: string, amount: number, coupon = ada.coupon) =>
    reportSale(old, { coupon, external_id: externalId, amount_cents: amount, email: `${externalId}@shop.test` })
  return { old, ada, bob, sale }
}

/** A paid invoice of Stripe with a coupon. @param at seconds since 1970 */
export const couponInvoice = (coupon: string, at: number, id: string, net: number, tax = 0) =>
  stripeEvent(
    'invoice.paid',
    {
      ...{ id, object: 'invoice', customer: `cus_${id}`, customer_email: `${id}@shop.test`, currency: 'usd' },
      ...{ total: net + tax, amount_paid: net + tax, total_taxes: [{ amount: tax }] },
      metadata: { coupon },
    },
    { created: at },
  )

import { expect, test } from 'vitest'
import { createTestApp } from '../../../support/app.ts'
import { runsOf } from '../../../support/payout-runs.ts'
import {
  addPayee,
  createStripe,
  createWise,
  notify,
  ourId,
  servicesOf,
  stripeProgram,
} from '../../../support/payout-services.ts'

const [stripe, wise] = await Promise.all([createStripe(), createWise()])
const app = await createTestApp({ payoutServiceUrls: { stripe: stripe.url, wise: wise.url } })

test('a payment that the service names by a word that is not known here is not free', async () => {
  const { program, services, service } = await stripeProgram(app, stripe, ['word'])
  const run = await services.prepare({ method: 'STRIPE' })
  stripe.fault(/^POST .*\/outbound_payments$/, 'lose answer')
  const [item] = (await services.send(run.id)).items.nodes
  expect(item).toMatchObject({ state: 'PREPARED', isUnknown: true })
  stripe.change(ourId(item), 'in_review')
  const { status } = await notify(app, service.id, stripe.notice(ourId(item), app.clock.now))
  expect(status).toBe(200)
  expect((await services.read(run.id)).items.nodes).toMatchObject([{ state: 'SENT', serviceState: 'in_review' }])
  await expect(services.cancelPayment(item.payoutId)).rejects.toThrow(/Only a payment that waits/)
  await expect(runsOf(program).cancel(run.id)).rejects.toThrow(/paid twice/)
})

test('what is asked contradicts what was heard, though the answer has no time', async () => {
  const program = await app.createProgram()
  const services = servicesOf(program, 'WISE', { token: 'stand-in', webhookKey: wise.webhookKey })
  const service = await services.connect()
  await addPayee(program, 'ada@asked.test', 'wiseEmail')
  await addPayee(program, 'bob@asked.test', 'wiseEmail')
  const run = await services.prepare()
  const [ada] = (await services.send(run.id)).items.nodes
  wise.change(ourId(ada), 'cancelled', app.clock.now)
  await notify(app, service.id, wise.notice(ourId(ada), app.clock.now))
  expect((await services.read(run.id)).items.nodes[0]).toMatchObject({ state: 'FAILED', contradiction: null })
  wise.change(ourId(ada), 'outgoing_payment_sent', app.clock.now)
  const [known] = (await services.refresh(run.id)).items.nodes
  expect(known).toMatchObject({ state: 'PAID', contradiction: expect.stringMatching(/failed at .*, then paid\b/) })
})

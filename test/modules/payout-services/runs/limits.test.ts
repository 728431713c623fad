import { expect, test } from 'vitest'
import { createTestApp } from '../../../support/app.ts'
import { reportSale } from '../../../support/factories.ts'
import { earner } from '../../../support/payout-runs.ts'
import {
  addPayee,
  createPayPal,
  createWise,
  ourId,
  payingProgram,
  servicesOf,
} from '../../../support/payout-services.ts'

const [paypal, wise] = await Promise.all([createPayPal(), createWise()])
const app = await createTestApp({ payoutServiceUrls: { paypal: paypal.url, wise: wise.url } })
const above = /With the run, the last 24 hours are/

test('what a run has not sent yet counts for the limit of a day', async () => {
  const { program, services, earners } = await payingProgram(app, ['known@day.test'])
  const first = await services.prepare()
  const [item] = (await services.send(first.id)).items.nodes
  paypal.change(ourId(item), 'SUCCESS')
  await services.refresh(first.id)
  app.clock.advanceDays(2)
  await reportSale(program, { coupon: earners[0]?.coupon })
  await earner(program, { wallet_a_email: 'new@day.test' })
  await services.update({ service: 'PAYPAL', mostPerDayCents: 2_500 })
  const half = await services.prepare()
  paypal.fault(/^POST .*\/payments\/payouts$/, 'limit without time', 3)
  expect(await services.send(half.id)).toMatchObject({ state: 'PREPARED' })
  await earner(program, { wallet_a_email: 'other@day.test' })
  const other = await services.prepare()
  await expect(services.send(other.id)).rejects.toThrow(above)
  expect(await services.send(half.id)).toMatchObject({ state: 'SENT' })
})

test('two runs that are sent at once do not pass the limit together', async () => {
  const { program, services } = await payingProgram(app, ['one@day.test'])
  const one = await services.prepare()
  await earner(program, { wallet_a_email: 'two@day.test' })
  const two = await services.prepare()
  await services.update({ service: 'PAYPAL', mostPerDayCents: 1_500 })
  const sent = await Promise.allSettled([services.send(one.id), services.send(two.id)])
  expect(sent.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

test('the limit of a service is about its own runs', async () => {
  const { program, services } = await payingProgram(app, ['own@day.test'])
  await services.update({ service: 'PAYPAL', mostPerDayCents: 1_500 })
  const ofWise = servicesOf(program, 'WISE', { token: 'stand-in' })
  await ofWise.connect()
  await addPayee(program, 'own-wise@day.test', 'wiseEmail')
  const run = await ofWise.prepare()
  expect(await ofWise.send(run.id)).toMatchObject({ state: 'SENT' })
  const own = await services.prepare()
  expect(await services.send(own.id)).toMatchObject({ state: 'SENT' })
})

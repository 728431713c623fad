import { expect, test } from 'vitest'
import { createTestApp } from '../../../support/app.ts'
import { reportSale } from '../../../support/factories.ts'
import { earner, runsOf } from '../../../support/payout-runs.ts'
import { createPayPal, itemTo, ourId, payingProgram } from '../../../support/payout-services.ts'

const paypal = await createPayPal()
const app = await createTestApp({ payoutServiceUrls: { paypal: paypal.url } })

/** A run of two batches: a payee who was paid before, and after that a new one. */
async function ofTwo(known: string, fresh: string) {
  const { program, services, earners } = await payingProgram(app, [known])
  const first = await services.prepare()
  const [item] = (await services.send(first.id)).items.nodes
  paypal.change(ourId(item), 'SUCCESS', app.clock.now)
  await services.refresh(first.id)
  await reportSale(program, { coupon: earners[0]?.coupon })
  await earner(program, { wallet_a_email: fresh })
  return { program, services, run: await services.prepare() }
}

test('a batch of which nothing is left to send is not tried every half minute', async () => {
  const [known, fresh] = ['unclaimed@left.test', 'invalid@left.test']
  const { services, run } = await ofTwo(known, fresh)
  expect(itemTo(await services.send(run.id), fresh)).toMatchObject({ state: 'FAILED' })
  paypal.settle(app.clock.now)
  const asked = await services.refresh(run.id)
  expect(itemTo(asked, known)).toMatchObject({ state: 'UNCLAIMED' })
  expect(Date.parse(asked.nextStepAt) - app.clock.now.getTime()).toBeGreaterThanOrEqual(60_000)
})

test('an unknown batch that is too old to be sent again does not keep the others from being asked for', async () => {
  const [known, fresh] = ['unclaimed@old.test', 'ada@old.test']
  const { program, services, run } = await ofTwo(known, fresh)
  let count = 0
  paypal.onRequest = (request) => {
    if (/^POST .*\/payments\/payouts$/.test(request)) count += 1
    return count === 2 ? 'drop' : 'do'
  }
  const sent = await services.send(run.id)
  paypal.onRequest = undefined
  const { payoutId } = itemTo(sent, fresh)
  expect(itemTo(sent, fresh)).toMatchObject({ state: 'PREPARED', isUnknown: true })
  paypal.settle(app.clock.now)
  app.clock.advanceDays(35)
  const tooOld = /knows our ids for 30 days only/
  await expect(services.send(run.id)).rejects.toThrow(tooOld)
  await expect(services.refresh(run.id)).rejects.toThrow(tooOld)
  expect(itemTo(await services.read(run.id), known)).toMatchObject({ state: 'UNCLAIMED' })
  await runsOf(program).record(run.id, [{ payoutId, state: 'CANCELLED' }])
  paypal.change(ourId(itemTo(sent, known)), 'RETURNED', app.clock.now)
  const asked = await services.refresh(run.id)
  expect(itemTo(asked, known)).toMatchObject({ state: 'RETURNED' })
  expect(asked.serviceProblem).toBeNull()
})

test('a paused service is left alone, and sends the rest once it is resumed', async () => {
  const [known, fresh] = ['unclaimed@paused.test', 'ada@paused.test']
  const { services, run } = await ofTwo(known, fresh)
  const posted = /^POST .*\/payments\/payouts$/
  let count = 0
  // The second batch is not taken.
  paypal.onRequest = (request) => {
    if (posted.test(request)) count += 1
    if (posted.test(request) && count === 2) paypal.fault(posted, 'limit without time', 3)
    return 'do'
  }
  const sent = await services.send(run.id)
  paypal.onRequest = undefined
  expect(itemTo(sent, fresh)).toMatchObject({ state: 'PREPARED', isUnknown: false })
  await services.pause()
  paypal.settle(app.clock.now)
  const asked = await services.refresh(run.id)
  expect(Date.parse(asked.nextStepAt) - app.clock.now.getTime()).toBeGreaterThanOrEqual(60_000)
  await services.resume()
  expect(Date.parse((await services.read(run.id)).nextStepAt)).toBe(app.clock.now.getTime())
})

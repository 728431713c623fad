import { expect, test } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { payingBy, startKind } from '../../support/payout-services.ts'

// Calls keep to the limit of rate of a service, or find it.

const names = Array.from({ length: 14 }, (_, n) => `payee-${n}@pace.test`)

test.each([
  // What Stripe says of a sandbox.
  ['stripe', 25],
  // Wise does not say it. Its stand-in takes fewer than are tried first.
  ['wise', 8],
])('a run by %s is sent whole, with %i calls a second', async (id, perSecond) => {
  const kind = await startKind(id, { perSecond })
  const app = await createTestApp({ payoutServiceUrls: { [id]: kind.standIn.url } })
  const { services, addresses } = await payingBy(kind, app, names)
  const run = await services.prepare()
  for (let state = run.state; state !== 'PAID'; ) {
    app.clock.advanceMinutes(2)
    await services.send(run.id)
    kind.standIn.settle(app.clock.now)
    const known = await services.refresh(run.id)
    state = known.state
  }
  expect(addresses.map((address) => kind.standIn.moved().get(address))).toEqual(names.map(() => 1_000))
  const created = kind.standIn.requests.filter((request) => /POST .*(outbound_payments|transfers)$/.test(request))
  // What was limited is asked for again, and each call is limited less than once.
  expect(created.length).toBeGreaterThanOrEqual(names.length)
  expect(kind.standIn.limited).toBeLessThan(3 * names.length)
})

import { expect, test } from 'vitest'
import type { AppDb } from '../../../../src/kernel/db.ts'
import { cancelPayment } from '../../../../src/modules/payout-services/runs/cancel-payment.ts'
import { createTestApp, testKey } from '../../../support/app.ts'
import { silentLog } from '../../../support/database.ts'
import { createPayPal, payingProgram } from '../../../support/payout-services.ts'

const paypal = await createPayPal()
const app = await createTestApp({ payoutServiceUrls: { paypal: paypal.url } })

test('a payment that is handed over while it is cancelled stays with its run', async () => {
  const { program, services } = await payingProgram(app, ['ada@race.test'])
  const run = await services.prepare()
  const [{ payoutId }] = run.items.nodes
  paypal.fault(/^POST .*\/payments\/payouts$/, 'lose answer')
  let isSent = false
  const own = app.database.db.ofProgram(program.id)
  // Another request sends the run after this one has read the payment, and before it writes.
  const db: AppDb = new Proxy(own, {
    get(target, key) {
      if (key === 'base') return { ofProgram: () => db }
      if (key !== '$transaction' || isSent) return Reflect.get(target, key, target)
      isSent = true
      return async (...given: Parameters<AppDb['$transaction']>) => {
        await services.send(run.id)
        return target.$transaction(...given)
      }
    },
  })
  const ctx = {
    db,
    now: () => app.clock.now,
    log: silentLog,
    actor: { kind: 'system' as const },
    program: await app.database.db.program.findUniqueOrThrow({ where: { id: program.id } }),
    requestId: 'test',
  }
  const settings = { key: testKey, urls: { paypal: paypal.url }, now: () => app.clock.now }
  await expect(cancelPayment(ctx, settings, { payoutId, reason: 'test' })).rejects.toThrow(/is unknown/)
  expect((await services.read(run.id)).items.nodes).toMatchObject([{ state: 'PREPARED', isUnknown: true }])
  expect(await services.send(run.id)).toMatchObject({ state: 'SENT' })
})

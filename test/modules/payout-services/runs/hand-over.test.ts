import { expect, test } from 'vitest'
import { openService } from '../../../../src/modules/payout-services/access.ts'
import { batchesOf, divideRun } from '../../../../src/modules/payout-services/runs/batches.ts'
import { handOver } from '../../../../src/modules/payout-services/runs/hand-over.ts'
import { createTestApp, testKey } from '../../../support/app.ts'
import { silentLog } from '../../../support/database.ts'
import { createPayPal, payingProgram } from '../../../support/payout-services.ts'

const paypal = await createPayPal()
const app = await createTestApp({ payoutServiceUrls: { paypal: paypal.url } })
const { db } = app.database
const turn = { isOver: () => false, goOn: async () => undefined }

test('a batch is not sent by an account that was exchanged after the sender had begun', async () => {
  const { program, services, service } = await payingProgram(app, ['ada@exchanged.test'])
  const run = await services.prepare()
  const ctx = {
    db: db.ofProgram(program.id),
    now: () => app.clock.now,
    log: silentLog,
    actor: { kind: 'system' as const },
    program: await db.program.findUniqueOrThrow({ where: { id: program.id } }),
    requestId: 'test',
  }
  const settings = { key: testKey, urls: { paypal: paypal.url }, now: () => app.clock.now }
  const row = await db.payoutService.findFirstOrThrow({ where: { id: service.id } })
  const opened = openService(settings, row)
  await divideRun(ctx, settings, opened, run.id, () => undefined)
  const [batch] = await batchesOf(ctx, run.id)
  if (!batch) throw new Error('The run has no batch')
  const set = (account: string) => db.payoutService.updateMany({ where: { id: service.id }, data: { account } })
  await set('PayPal app of another')
  await expect(handOver(ctx, settings, opened, batch, turn)).rejects.toThrow(/another account/)
  expect(paypal.batches.size).toBe(0)
  expect((await services.read(run.id)).items.nodes).toMatchObject([{ state: 'PREPARED', isUnknown: false }])
  await set(row.account)
  expect(await services.send(run.id)).toMatchObject({ state: 'SENT' })
})

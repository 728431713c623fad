import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { foldAnalyticsInBackground, foldDeltas } from '../../../src/modules/analytics/fold.ts'
import { createTestApp } from '../../support/app.ts'
import { silentLog } from '../../support/database.ts'
import { createSeller, recordVisit } from '../../support/factories.ts'

const app = await createTestApp()
const { db } = app.database
const count = () => db.analyticsDelta.count()

it('folds in the background once there are enough deltas', async () => {
  const program = await app.createProgram()
  const { link } = await createSeller(program)
  await recordVisit(program, link.token)
  const stop = foldAnalyticsInBackground(db, silentLog, 20)
  await pause(200)
  expect(await count()).toBe(1)
  // One row per quarter of an hour, so that each creates its own delta.
  await db.$executeRaw`
    insert into referrals (program_id, id, affiliate_id, campaign_id, expires_at, is_counted, created_at, updated_at)
    select program_id, gen_random_uuid(), affiliate_id, campaign_id, expires_at, false, created_at - n * interval '15 minutes', updated_at
    from referrals, generate_series(1, 1000) n where program_id = ${program.id}::uuid`
  const started = Date.now()
  while ((await count()) > 0 && Date.now() - started < 30_000) await pause(20)
  stop()
  expect(await count()).toBe(0)
  const { analytics } = await program.graphql('{ analytics(range: { preset: LAST_30_DAYS }) { totals { visitors } } }')
  expect(analytics.totals.visitors).toBe(1_001)
})

it('a write that changes no counted value creates no delta', async () => {
  const program = await app.createProgram()
  const { link } = await createSeller(program)
  await foldDeltas(db)
  const { id } = await recordVisit(program, link.token)
  expect(await count()).toBe(1)
  await db.referral.update({ where: { programId_id: { programId: program.id, id } }, data: { expiresAt: new Date() } })
  expect(await count()).toBe(1)
})

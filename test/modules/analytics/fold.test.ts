import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { buildCalendars } from '../../../src/modules/analytics/build-calendars.ts'
import { foldAnalyticsInBackground, foldDeltas } from '../../../src/modules/analytics/fold.ts'
import { examine } from '../../../src/modules/doctor/service.ts'
import { createTestApp } from '../../support/app.ts'
import { silentLog } from '../../support/database.ts'
import { createSeller, recordVisit, reportSale } from '../../support/factories.ts'
import { createRandom } from '../../support/money-traffic.ts'

const app = await createTestApp()
const { db } = app.database
const count = () => db.analyticsDelta.count()
const seed = randomInt(2 ** 31)

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

it(`cohorts are the same whatever the order of the sales, and of folding (seed ${seed})`, async () => {
  const random = createRandom(seed)
  const pick = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)] as T
  const program = await app.createProgram()
  const sellers = [await createSeller(program), await createSeller(program)]
  const cohorts = '{ analytics(range: { preset: THIS_YEAR }, timeZone: "Asia/Kathmandu") { cohorts { month } } }'
  await program.graphql(cohorts)
  await buildCalendars(db)
  for (let n = 0; n < 80; n += 1) {
    const daysAgo = random() < 0.5 ? random() * 70 : random() * 800
    await reportSale(program, {
      coupon: pick(sellers).coupon,
      email: `c${Math.floor(random() * 4)}@customers.test`,
      amount_cents: 1_000 + n,
      currency: pick(['usd', 'eur']),
      occurred_at: new Date(app.clock.now.getTime() - daysAgo * 86_400_000).toISOString(),
    })
    if (random() < 0.2) {
      const days = Math.floor(random() * 200)
      const move = (days: number) => db.$executeRaw`
        update sales set occurred_at = occurred_at + ${days} * interval '1 day'
        where program_id = ${program.id}::uuid and amount_cents % 7 = ${n % 7}`
      await move(-days)
      await foldDeltas(db)
      await move(days)
    }
    if (random() < 0.4) await foldDeltas(db)
  }
  await foldDeltas(db)
  expect(await count()).toBe(0)
  expect(await examine(app.database)).toEqual([])
})

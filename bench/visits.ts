import { createAffiliate } from '../src/modules/affiliates/create.ts'
import { createProgram } from '../src/modules/programs/service.ts'
import { recordVisit } from '../src/modules/referrals/service.ts'
import { createTracker, trackingCtx, trackVisit } from '../src/modules/tracking/service.ts'
import { createBenchDatabase, log, operatorCtx } from './database.ts'

export const summary = 'A tracked click against a plain visit, all on one link.'
export const unit = 'clicks'
export const defaultSize = 2_000

/**
 * A plain visit is a transaction that updates the counters at once; a tracked click is counted later, in batches. All of
 * them go to one link, the worst case for row locks. The embedded database forces each commit to disk.
 */
export async function run(clicks: number): Promise<void> {
  const { db, kind, drop } = await createBenchDatabase()
  try {
    const ctx = operatorCtx(db)
    const program = await createProgram(ctx, { name: 'Bench', url: 'https://acme.test', currency: 'usd' })
    const programCtx = trackingCtx(ctx, program)
    await createAffiliate({ ...ctx, program }, { email: 'ada@example.com', token: 'ada' })
    const tracker = createTracker(db, log)
    const plain = () => recordVisit(programCtx, { token: 'ada' })
    const tracked = (n: number) =>
      trackVisit(
        programCtx,
        tracker,
        { id: `${n}`, address: '', userAgent: '' },
        { token: 'ada', visitor: `${performance.now()} ${n}` },
      )

    console.log(`${clicks} clicks on one link, ${kind}`)
    for (const concurrency of [1, 50, 500]) {
      const count = concurrency === 1 ? Math.ceil(clicks / 10) : clicks
      await measure(20, 1, plain)
      await measure(20, 1, tracked)
      const plainMs = await measure(count, concurrency, plain)
      const trackedMs = await measure(count, concurrency, tracked, () => tracker.flush(new Date()))
      const show = (ms: number) => `${ms.toFixed(2)} ms (${Math.round(1000 / ms)}/s)`
      console.log(
        `  ${concurrency} at once: plain ${show(plainMs)}, tracked ${show(trackedMs)}: ${(plainMs / trackedMs).toFixed(1)} times as many`,
      )
    }
  } finally {
    await drop()
  }
}

/** Milliseconds for each of `count` runs, `concurrency` of them at a time; `after` is part of the cost. */
async function measure(
  count: number,
  concurrency: number,
  runOne: (n: number) => Promise<unknown>,
  after = async () => {},
) {
  const startedAt = performance.now()
  let next = 0
  const work = async () => {
    for (let n = next++; n < count; n = next++) await runOne(n)
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  await after()
  return (performance.now() - startedAt) / count
}

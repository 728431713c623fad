// What a click costs when it is tracked, against the same number of plain visits in the same run: each of those is a
// transaction of its own that updates the counters at once. Everything goes to one link, as when a post goes viral.
// On PostgreSQL with TEST_DATABASE_URL, else on the embedded database with its fsyncs.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { openDatabase } from '../src/database/open.ts'
import { createAffiliate } from '../src/modules/affiliates/create.ts'
import { createProgram } from '../src/modules/programs/service.ts'
import { recordVisit } from '../src/modules/referrals/service.ts'
import { createTracker, trackingCtx, trackVisit } from '../src/modules/tracking/service.ts'

const clicks = Number(process.argv[2] ?? 2_000)
const log = pino({ level: 'silent' })
const serverUrl = process.env.TEST_DATABASE_URL
const name = `tributary_bench_${randomBytes(4).toString('hex')}`
const dataDir = await mkdtemp(join(tmpdir(), 'tributary-bench-'))

async function onServer(sql: string): Promise<void> {
  if (!serverUrl) return
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  await client.query(sql).finally(() => client.end())
}

await onServer(`create database ${name}`)
const databaseUrl = serverUrl && Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href
const { db, kind, close } = await openDatabase({ dataDir, databaseUrl, log })
try {
  const ctx = { db, now: () => new Date(), log, requestId: 'bench', actor: { kind: 'operator' } as const }
  const program = await createProgram(ctx, { name: 'Bench', url: 'https://acme.test', currency: 'usd' })
  const own = trackingCtx(ctx, program)
  await createAffiliate({ ...ctx, program }, { email: 'ada@example.com', token: 'ada' })
  const tracker = createTracker(db, log)
  const plain = () => recordVisit(own, { token: 'ada' })
  const tracked = (n: number) =>
    trackVisit(
      own,
      tracker,
      { id: `${n}`, address: '', userAgent: '' },
      { token: 'ada', visitor: `${performance.now()} ${n}` },
    )

  console.log(`${clicks} clicks on one link, ${kind}`)
  for (const atOnce of [1, 50, 500]) {
    const count = atOnce === 1 ? Math.ceil(clicks / 10) : clicks
    await measure(20, 1, plain)
    await measure(20, 1, tracked)
    const plainMs = await measure(count, atOnce, plain)
    const trackedMs = await measure(count, atOnce, tracked, () => tracker.flush(new Date()))
    const show = (ms: number) => `${ms.toFixed(2)} ms (${Math.round(1000 / ms)}/s)`
    console.log(
      `  ${atOnce} at once: plain ${show(plainMs)}, tracked ${show(trackedMs)}: ${(plainMs / trackedMs).toFixed(1)} times as many`,
    )
  }
} finally {
  await close()
  await onServer(`drop database if exists ${name} with (force)`)
  await rm(dataDir, { recursive: true, force: true })
}

/** Milliseconds for each of `count` runs, so many of them under way at a time; `after` is part of the cost. */
async function measure(count: number, atOnce: number, run: (n: number) => Promise<unknown>, after = async () => {}) {
  const startedAt = performance.now()
  let next = 0
  const work = async () => {
    for (let n = next++; n < count; n = next++) await run(n)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  await after()
  return (performance.now() - startedAt) / count
}

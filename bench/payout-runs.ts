import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { statement } from '../src/database/client/sql.ts'
import type { ProgramCtx } from '../src/kernel/context.ts'
import type { AppDb } from '../src/kernel/db.ts'
import { createPayoutRun } from '../src/modules/payouts/runs/create.ts'
import { findPayoutRun } from '../src/modules/payouts/runs/find.ts'
import { importPayoutResults } from '../src/modules/payouts/runs/import-results.ts'
import { markPayoutRunPaid, markPayoutRunSent } from '../src/modules/payouts/runs/mark.ts'
import { readRunContents } from '../src/modules/payouts/runs/read-run.ts'
import { createProgram } from '../src/modules/programs/service.ts'
import { cpuBetween, readBackends } from './cpu.ts'
import { createPostgresBenchDatabase, operatorCtx, withClient } from './database.ts'

export const summary = 'A large payout run on PostgreSQL: its file, marking it, and a report with all of its results.'
export const unit = 'payouts'
export const defaultSize = 50_000

/** A due commission and an open payout for each affiliate. Triggers are off, so the numbers that they keep are rebuilt. */
export const fill = (programId: string, count: number) => `
  set session_replication_role = replica;
  create function pg_temp.id(kind text, n bigint) returns uuid language sql immutable as
    $$ select ('0000000' || kind || '-0000-7000-a000-' || lpad(to_hex(n), 12, '0'))::uuid $$;
  create temp table made as select '${programId}'::uuid as p, n, timestamptz '2026-01-01Z' as at,
      (select id from campaigns where program_id = '${programId}' and is_default) as campaign from generate_series(1, ${count}) n;
  insert into affiliates (program_id, id, campaign_id, email, email_key, first_name, last_name, paypal_email, state, created_at, updated_at)
    select p, pg_temp.id('a', n), campaign, n || '@example.com', n || '@example.com', 'Ada', 'Affiliate ' || n, n || '@wallet.test', 'active', at, at from made;
  insert into referrals (program_id, id, affiliate_id, campaign_id, became_lead_at, became_conversion_at, expires_at, created_at, updated_at)
    select p, pg_temp.id('2', n), pg_temp.id('a', n), campaign, at, at, at, at, at from made;
  insert into sales (program_id, id, external_id, referral_id, affiliate_id, campaign_id, amount_cents, currency, attributed_by, occurred_at, created_at, updated_at)
    select p, pg_temp.id('4', n), n::text, pg_temp.id('2', n), pg_temp.id('a', n), campaign, 10000, 'usd', 'referral_id', at, at, at from made;
  insert into payouts (program_id, id, affiliate_id, currency, amount_cents, is_payable, due_noted_at, created_at, updated_at)
    select p, pg_temp.id('6', n), pg_temp.id('a', n), 'usd', 2000, true, at, at, at from made;
  insert into commissions (program_id, id, sale_id, referral_id, affiliate_id, campaign_id, payout_id, currency, amount_cents, rule_reward_type,
      rule_basis_points, rule_days_before_due, occurred_at, due_at, due_noted_at, created_at, updated_at)
    select p, pg_temp.id('5', n), pg_temp.id('4', n), pg_temp.id('2', n), pg_temp.id('a', n), campaign, pg_temp.id('6', n), 'usd', 2000, 'percent',
      2000, 0, at, at, at, at, at from made;
  insert into money_events (program_id, id, commission_id, kind, delta_cents, currency, actor_kind, request_id, at)
    select p, pg_temp.id('7', n), pg_temp.id('5', n), 'earned', 2000, 'usd', 'system', 'bench', at from made;
  drop table made;
  set session_replication_role = origin;
  analyze;
  select analytics_rebuild();
  select list_counts_rebuild();
  analyze`

/** Of a report, beside its header. */
const mostRows = 19_999

export async function run(size: number): Promise<void> {
  const database = await createPostgresBenchDatabase()
  try {
    const { db } = database
    const ctx = operatorCtx(db)
    const program = await createProgram(ctx, { name: 'Bench', url: 'https://acme.test', currency: 'usd' })
    await withClient(database.databaseUrl, (client) => client.query(fill(program.id, size)))
    await withClient(serverOf(database.databaseUrl), async (observer) => {
      const measure: Measure = measuring(observer, new URL(database.databaseUrl).pathname.slice(1))
      await measureRun({ ...ctx, program }, size, measure)
    })
  } finally {
    await database.drop()
  }
}

/** Another database of the same server: what observes costs nothing in the one that is measured. */
const serverOf = (databaseUrl: string) => Object.assign(new URL(databaseUrl), { pathname: '/postgres' }).href

type Measure = <T>(what: string, rows: number, work: () => Promise<T>) => Promise<T>

/** Tells how long work took, and the CPU time of this process and of PostgreSQL. A row is a payout. */
const measuring = (observer: pg.Client, database: string): Measure => {
  return async (what, rows, work) => {
    const [backends, cpu, startedAt] = [await readBackends(observer, database), process.cpuUsage(), performance.now()]
    const result = await work()
    const ms = performance.now() - startedAt
    const { user, system } = process.cpuUsage(cpu)
    const databaseMs = cpuBetween(backends, await readBackends(observer, database))
    const each = (total: number) => `${Math.round((total * 1000) / rows)} µs`
    console.log(
      `${what}: ${Math.round(ms)} ms; for each of ${rows} rows ${each(ms)}, CPU ${each((user + system) / 1000)} here and ${each(databaseMs)} in PostgreSQL`,
    )
    return result
  }
}

async function measureRun(ctx: ProgramCtx, size: number, measure: Measure): Promise<void> {
  const { db, program } = ctx
  // The yardstick for the machine as it is now.
  await db.$executeRaw`create table copied (like payouts including all)`
  await measure('the same payouts copied to a table with the same indexes', size, async () => {
    await db.$executeRaw`insert into copied select * from payouts`
  })
  globalThis.gc?.()
  const before = process.memoryUsage().heapUsed
  const runId = await measure('run made, with its file', size, () => createPayoutRun(ctx, { method: 'generic' }))
  console.log(`${mib(process.memoryUsage().heapUsed - before)} MiB of heap more`)
  const [file] = await measure('its file read', size, () => readRunContents(ctx, [runId]))
  console.log(`${mib(file?.length ?? 0)} MiB of file`)
  const stop = watchLocks(db, program.id, size)
  await measure('marked as sent', size, () => untilDone(() => markPayoutRunSent(ctx, runId), ctx, runId, 'sent'))
  console.log(`longest wait of another writer ${await stop()} ms`)
  const items = await db.payoutRunItem.findMany({ where: { programId: program.id, runId } })
  const rows = items.map(({ payoutId }, n) => `${payoutId},T${n},${n % 20 === 0 ? 'FAILED' : 'SUCCESS'}`)
  const reports: string[] = []
  while (rows.length > 0) reports.push(['Reference,Transaction ID,Status', ...rows.splice(0, mostRows)].join('\n'))
  const record = async () => {
    for (const file of reports) while ((await importPayoutResults(ctx, { runId, file })).remaining > 0);
  }
  const watch = watchLocks(db, program.id, size)
  await measure('results recorded, one in 20 failed', size, record)
  console.log(`longest wait of another writer ${await watch()} ms`)
  await measure('the same files again', size, record)
  const nextId = await createPayoutRun(ctx, { method: 'generic' })
  const { payoutCount } = await findPayoutRun(ctx, nextId)
  await measure('the next run marked as paid', payoutCount, () =>
    untilDone(() => markPayoutRunPaid(ctx, nextId), ctx, nextId, 'paid'),
  )
}

async function untilDone(step: () => Promise<void>, ctx: ProgramCtx, id: string, state: string): Promise<void> {
  do await step()
  while ((await findPayoutRun(ctx, id)).state !== state)
}

const mib = (bytes: number) => Math.round(bytes / 2 ** 20)

const touched = statement('update affiliates set visitors = visitors where program_id = $1::uuid and id = $2::uuid')

/** Locks an affiliate again and again, as a sale or a refund does. Returns the longest wait. */
function watchLocks(db: AppDb, programId: string, size: number): () => Promise<number> {
  let [longest, isOver] = [0, false]
  const watching = (async () => {
    while (!isOver) {
      const number = 1 + Math.floor(Math.random() * size)
      const id = `0000000a-0000-7000-a000-${number.toString(16).padStart(12, '0')}`
      const startedAt = performance.now()
      await db.sql.query(touched, [programId, id])
      longest = Math.max(longest, Math.round(performance.now() - startedAt))
      await pause(20)
    }
  })()
  return async () => {
    isOver = true
    await watching
    return longest
  }
}

import { setTimeout as pause } from 'node:timers/promises'
import type { PrismaClient } from '../src/generated/prisma/client.ts'
import type { ProgramCtx } from '../src/kernel/context.ts'
import { createPayoutRun } from '../src/modules/payouts/runs/create.ts'
import { findPayoutRun } from '../src/modules/payouts/runs/find.ts'
import { importPayoutResults } from '../src/modules/payouts/runs/import-results.ts'
import { markPayoutRunPaid, markPayoutRunSent } from '../src/modules/payouts/runs/mark.ts'
import { readRunContents } from '../src/modules/payouts/runs/read.ts'
import { createProgram } from '../src/modules/programs/service.ts'
import { createPostgresBenchDatabase, operatorCtx, withClient } from './database.ts'

export const summary = 'A large payout run on PostgreSQL: its file, marking it, and a report with all of its results.'
export const unit = 'payouts'
export const defaultSize = 50_000

/** A due commission and an open payout for each affiliate. Triggers are off, so the numbers that they keep are rebuilt. */
const fill = (programId: string, count: number) => `
  set session_replication_role = replica;
  create function pg_temp.id(kind text, n bigint) returns uuid language sql immutable as
    $$ select ('0000000' || kind || '-0000-7000-a000-' || lpad(to_hex(n), 12, '0'))::uuid $$;
  create temp table made as select '${programId}'::uuid as p, n, timestamptz '2026-01-01Z' as at,
      (select id from campaigns where program_id = '${programId}' and is_default) as campaign from generate_series(1, ${count}) n;
  insert into affiliates (program_id, id, campaign_id, email, email_key, first_name, last_name, wallet_a_email, state, created_at, updated_at)
    select p, pg_temp.id('a', n), campaign, n || '@example.com', n || '@example.com', 'Ada', 'Affiliate ' || n, n || '@wallet.test', 'active', at, at from made;
  insert into referrals (program_id, id, affiliate_id, campaign_id, became_lead_at, became_conversion_at, expires_at, created_at, updated_at)
    select p, pg_temp.id('2', n), pg_temp.id('a', n), campaign, at, at, at, at, at from made;
  insert into sales (program_id, id, external_id, referral_id, affiliate_id, campaign_id, amount_cents, currency, attributed_by, occurred_at, created_at, updated_at)
    select p, pg_temp.id('4', n), n::text, pg_temp.id('2', n), pg_temp.id('a', n), campaign, 10000, 'usd', 'referral_id', at, at, at from made;
  insert into payouts (program_id, id, affiliate_id, currency, amount_cents, due_noted_at, created_at, updated_at)
    select p, pg_temp.id('6', n), pg_temp.id('a', n), 'usd', 2000, at, at, at from made;
  insert into commissions (program_id, id, sale_id, referral_id, affiliate_id, campaign_id, payout_id, currency, amount_cents, rule_reward_type,
      rule_basis_points, rule_days_before_due, occurred_at, due_at, due_noted_at, created_at, updated_at)
    select p, pg_temp.id('5', n), pg_temp.id('4', n), pg_temp.id('2', n), pg_temp.id('a', n), campaign, pg_temp.id('6', n), 'usd', 2000, 'percent',
      2000, 0, at, at, at, at, at from made;
  insert into money_events (program_id, id, commission_id, kind, delta_cents, currency, actor_kind, request_id, at)
    select p, pg_temp.id('7', n), pg_temp.id('5', n), 'earned', 2000, 'usd', 'system', 'bench', at from made;
  drop table made;
  set session_replication_role = origin;
  select analytics_rebuild();
  select list_counts_rebuild();
  analyze`

export async function run(size: number): Promise<void> {
  const database = await createPostgresBenchDatabase()
  try {
    const { db } = database
    const ctx = operatorCtx(db)
    const program = await createProgram(ctx, { name: 'Bench', url: 'https://acme.test', currency: 'usd' })
    await withClient(database.databaseUrl, (client) => client.query(fill(program.id, size)))
    await measure({ ...ctx, program }, size)
  } finally {
    await database.drop()
  }
}

async function measure(ctx: ProgramCtx, size: number): Promise<void> {
  globalThis.gc?.()
  const before = process.memoryUsage().heapUsed
  const [created, runId] = await timed(() => createPayoutRun(ctx, { method: 'generic' }))
  const after = process.memoryUsage().heapUsed
  const run = await findPayoutRun(ctx, runId)
  const [read, file] = await timed(() => readRunContents(ctx, [runId]))
  console.log(
    `run of ${run.payoutCount} payouts made, with its file: ${created} ms, ${mib(after - before)} MiB of heap more`,
  )
  console.log(`its file of ${mib(file.join('').length)} MiB read: ${read} ms`)
  const stop = watchLocks(ctx.db, ctx.program.id, size)
  const [sent] = await timed(() => untilDone(() => markPayoutRunSent(ctx, runId), ctx, runId, 'sent'))
  console.log(`marked as sent: ${sent} ms; longest wait of another writer ${await stop()} ms`)
  const watch = watchLocks(ctx.db, ctx.program.id, size)
  const items = await ctx.db.payoutRunItem.findMany({ where: { programId: ctx.program.id, runId } })
  const rows = items.map(({ payoutId }, n) => `${payoutId},T${n},${n % 20 === 0 ? 'FAILED' : 'SUCCESS'}`)
  const report = ['Reference,Transaction ID,Status', ...rows].join('\n')
  const [imported, requests] = await timed(async () => {
    for (let count = 1; ; count += 1)
      if ((await importPayoutResults(ctx, { runId, file: report })).remaining === 0) return count
  })
  console.log(
    `${size} results, one in 20 failed: ${imported} ms, ${requests} requests; longest wait ${await watch()} ms`,
  )
  const [again] = await timed(() => importPayoutResults(ctx, { runId, file: report }))
  console.log(`the same file again: ${again} ms`)
  const nextId = await createPayoutRun(ctx, { method: 'generic' })
  const [paid] = await timed(() => untilDone(() => markPayoutRunPaid(ctx, nextId), ctx, nextId, 'paid'))
  console.log(`the next run of ${(await findPayoutRun(ctx, nextId)).payoutCount} marked as paid: ${paid} ms`)
}

async function untilDone(step: () => Promise<void>, ctx: ProgramCtx, id: string, state: string): Promise<void> {
  do await step()
  while ((await findPayoutRun(ctx, id)).state !== state)
}

async function timed<T>(work: () => Promise<T>): Promise<[number, T]> {
  const startedAt = performance.now()
  const result = await work()
  return [Math.round(performance.now() - startedAt), result]
}

const mib = (bytes: number) => Math.round(bytes / 2 ** 20)

/** Locks an affiliate again and again, as a sale or a refund does. Returns the longest wait. */
function watchLocks(db: PrismaClient, programId: string, size: number): () => Promise<number> {
  let [longest, isOver] = [0, false]
  const watching = (async () => {
    while (!isOver) {
      const number = 1 + Math.floor(Math.random() * size)
      const id = `0000000a-0000-7000-a000-${number.toString(16).padStart(12, '0')}`
      const [waited] = await timed(
        () => db.$executeRaw`
          update affiliates set visitors = visitors where program_id = ${programId}::uuid and id = ${id}::uuid`,
      )
      longest = Math.max(longest, waited)
      await pause(5)
    }
  })()
  return async () => {
    isOver = true
    await watching
    return longest
  }
}

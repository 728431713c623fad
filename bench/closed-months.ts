import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { acceptReconciliation } from '../src/modules/statements/accept.ts'
import { closeMonth } from '../src/modules/statements/close.ts'
import { findPrinted, pdfOfStatement } from '../src/modules/statements/find.ts'
import { createPostgresBenchDatabase, operatorCtx, withClient } from './database.ts'
import { createFilledProgram, filledYear } from './filled.ts'

export const summary = 'Closing a month of 5,000 affiliates: its time, memory, the longest turn, and PDFs. PostgreSQL.'
export const unit = 'sales of the month'
export const defaultSize = 100_000

const affiliates = 5_000
export const month = `${filledYear}-01`
const papers = 500
const goals = { seconds: 60, papersPerMinute: 500 }

/** What was filled as a year becomes a month, and half of it was paid by hand, which a person has to accept. */
export const squeeze = (programId: string) => {
  const begin = `timestamptz '${filledYear}-01-01Z'`
  const squeezed = (column: string) => `${column} = ${begin} + (${column} - ${begin}) / 14`
  // Ids are made from the time, and what is booked in a month is found by them.
  const idAt = (at: string, id: string) => `(left(least_id(${at})::text, 24) || right(${id}::text, 12))::uuid`
  return `
  set session_replication_role = replica;
  update programs set created_at = ${begin} where id = '${programId}';
  update sales set ${squeezed('created_at')}, ${squeezed('occurred_at')} where program_id = '${programId}';
  update money_events set ${squeezed('at')} where program_id = '${programId}';
  update commissions c set sale_id = ${idAt('s.created_at', 's.id')} from sales s
    where c.program_id = '${programId}' and s.program_id = c.program_id and s.id = c.sale_id;
  update sales set id = ${idAt('created_at', 'id')} where program_id = '${programId}';
  update money_events set id = ${idAt('at', 'id')} where program_id = '${programId}';
  set session_replication_role = origin`
}

export async function run(sales: number): Promise<void> {
  const { db, databaseUrl, drop } = await createPostgresBenchDatabase()
  try {
    const { programId } = await createFilledProgram({ db, databaseUrl }, { sales, affiliates })
    await withClient(databaseUrl, async (client) => {
      await client.query(squeeze(programId))
      await client.query('vacuum analyze')
    })
    const program = await db.program.findUniqueOrThrow({ where: { id: programId } })
    const ctx = { ...operatorCtx(db), program, webhooks: { key: Buffer.alloc(32, 1) } }
    const secondsOf = async (work: () => Promise<unknown>) => {
      const startedAt = performance.now()
      await work()
      return (performance.now() - startedAt) / 1_000
    }
    const accepted = await secondsOf(() => acceptReconciliation(ctx, { month, reason: 'Paid by hand' }))
    const before = process.memoryUsage().rss
    let most = before
    let isRunning = true
    const watch = async () => {
      for (; isRunning; await pause(50)) most = Math.max(most, process.memoryUsage().rss)
    }
    const watching = watch()
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const cpuBefore = process.cpuUsage()
    const closed = await secondsOf(() => closeMonth(ctx, { month }))
    const cpu = process.cpuUsage(cpuBefore)
    delay.disable()
    isRunning = false
    await watching
    const count = await db.statement.count({ where: { programId } })
    console.log(
      `${sales} sales, ${count} statements: closed in ${closed.toFixed(1)} s (goal ${goals.seconds}), of them ${((cpu.user + cpu.system) / 1e6).toFixed(1)} s of CPU, differences accepted in ${accepted.toFixed(1)} s, ` +
        `${((most - before) / 1e6).toFixed(0)} MB more at most, longest turn ${(delay.max / 1e6).toFixed(0)} ms`,
    )
    const some = await db.statement.findMany({ where: { programId }, take: papers, select: { id: true } })
    const printed = await secondsOf(async () => {
      for (const { id } of some) await pdfOfStatement(await findPrinted(ctx, id), 'https://affiliates.example.com')
    })
    const perMinute = (some.length / printed) * 60
    console.log(
      `${some.length} PDFs in ${printed.toFixed(1)} s: ${perMinute.toFixed(0)} a minute (goal ${goals.papersPerMinute})`,
    )
  } finally {
    await drop()
  }
}

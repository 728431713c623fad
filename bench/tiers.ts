import { setTimeout as pause } from 'node:timers/promises'
import type { AppDb } from '../src/kernel/db.ts'
import { standing } from '../src/modules/rules/read-standing.ts'
import { createCommissionRule } from '../src/modules/rules/service.ts'
import { recordSaleOf } from '../src/modules/sales/by-hand/service.ts'
import { createPostgresBenchDatabase, operatorCtx } from './database.ts'
import { createFilledProgram } from './filled.ts'

export const summary = 'Sales under tiers, with many sales before: what the measure costs. PostgreSQL.'
export const unit = 'sales that are there'
export const defaultSize = 1_000_000

const counted = 300
const steps = [
  { from: 0, percent: 10 },
  { from: 1_000_000, percent: 15 },
  { from: 1_000_000_000, percent: 20 },
]

const scannable = ['sales', 'commissions', 'affiliate_measures', 'affiliate_measure_deltas']

/** How many rows sequential scans have read so far. Backends report it within a second. */
async function scannedRows(db: AppDb): Promise<number> {
  await pause(1_500)
  const [{ rows }] = await db.$queryRaw<[{ rows: number }]>`
    select sum(seq_tup_read)::float8 as rows from pg_stat_user_tables where relname = any(${scannable})`
  return rows
}

/** Records sales of affiliates without rules, and then under tiers over all that they have ever sold. */
export async function run(sales: number): Promise<void> {
  const { db, databaseUrl, drop } = await createPostgresBenchDatabase()
  try {
    const { programId } = await createFilledProgram({ db, databaseUrl }, { sales, affiliates: 500 })
    const program = await db.program.findUniqueOrThrow({ where: { id: programId } })
    const ctx = { ...operatorCtx(db), program }
    const sellers = await db.affiliate.findMany({ where: { programId, state: 'active' }, orderBy: { id: 'asc' } })
    const medianOf = async () => {
      const times: number[] = []
      for (let n = 0; n < counted; n += 1) {
        const startedAt = performance.now()
        await recordSaleOf(ctx, sellers[n % sellers.length]?.id ?? '', { amountCents: 10_000 })
        times.push(performance.now() - startedAt)
      }
      return times.sort((a, b) => a - b)[counted / 2] ?? 0
    }
    await medianOf()
    const without = await medianOf()
    for (const campaignId of new Set(sellers.map((seller) => seller.campaignId)))
      await createCommissionRule(ctx, {
        campaignId,
        name: 'Tiers',
        appliesTo: 'all_sales',
        reward: { tiers: { measure: 'revenue', period: 'ever', appliesTo: 'above', steps } },
      })
    await medianOf()
    const read = await scannedRows(db)
    const under = await medianOf()
    const scanned = (await scannedRows(db)) - read
    const [{ rows }] = await db.$queryRaw<[{ rows: number }]>`
      select max(count)::int as rows from (select count(*) from affiliate_measures where program_id = ${programId}::uuid group by affiliate_id) of`
    console.log(
      `${sales} sales, ${sellers.length} affiliates: ${without.toFixed(2)} ms a sale by hand without rules, ${under.toFixed(2)} ms under tiers over all time ` +
        `(${(under / without).toFixed(2)} times), which read at most ${rows} kept rows of an affiliate. Meanwhile, ${scanned} rows of these tables were read by scans: ${scannable.join(', ')}`,
    )
    const [seller] = sellers
    if (!seller) return
    const values = [programId, seller.id, seller.campaignId, 'usd', 'usd', '-infinity', 'infinity']
    const plan = await db.$queryRawUnsafe<{ 'QUERY PLAN': string }[]>(
      `explain (analyze, buffers) ${standing.text}`,
      ...values,
    )
    for (const line of plan) console.log(line['QUERY PLAN'])
  } finally {
    await drop()
  }
}

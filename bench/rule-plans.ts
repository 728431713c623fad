import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { planRules } from '../src/modules/rule-plans/service.ts'
import { createCommissionRule } from '../src/modules/rules/service.ts'
import { createPostgresBenchDatabase, operatorCtx } from './database.ts'
import { createFilledProgram } from './filled.ts'

export const summary = 'A plan of commission rules over past sales: its time, the longest turn, and memory. PostgreSQL.'
export const unit = 'sales to replay'
export const defaultSize = 100_000

const rulesOfCampaign = 200
const goals = { ms: 10_000, turnMs: 50 }

setFlagsFromString('--expose_gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Plans another rate for one of 200 rules of a campaign. */
export async function run(sales: number): Promise<void> {
  const { db, databaseUrl, drop } = await createPostgresBenchDatabase()
  try {
    const { programId } = await createFilledProgram({ db, databaseUrl }, { sales, affiliates: 1_000 })
    const program = await db.program.findUniqueOrThrow({ where: { id: programId } })
    const ctx = { ...operatorCtx(db), program }
    const [campaign] = await db.campaign.findMany({ where: { programId, isDefault: false }, orderBy: { id: 'asc' } })
    if (!campaign) throw new Error('The program has no campaign.')
    const rules = Array.from({ length: rulesOfCampaign }, (_, n) => ({
      campaignId: campaign.id,
      name: `Rule ${n}`,
      appliesTo: 'all_sales',
      reward: { percent: 10 },
      conditions: { minimumAmountCents: 1_000 + n * 45 },
    }))
    for (const rule of rules) await createCommissionRule(ctx, rule)
    const planned = rules.map((rule, n) => (n === 0 ? { ...rule, reward: { percent: 20 } } : rule))
    collectGarbage()
    const before = process.memoryUsage().heapUsed
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const [cpu, startedAt] = [process.cpuUsage(), performance.now()]
    const plan = await planRules(ctx, { rules: planned, since: '2024-12-31T00:00:00Z' })
    const { sales: replayed, changedSales } = await plan.cost()
    const ms = performance.now() - startedAt
    delay.disable()
    const { user, system } = process.cpuUsage(cpu)
    collectGarbage()
    const grown = (process.memoryUsage().heapUsed - before) / 1_000_000
    console.log(
      `${replayed} sales, ${rulesOfCampaign} rules, ${changedSales} changed: ${ms.toFixed(0)} ms (goal ${goals.ms}), ${((user + system) / 1_000).toFixed(0)} ms of CPU, ` +
        `longest turn ${(delay.max / 1e6).toFixed(0)} ms (goal ${goals.turnMs}), p99 ${(delay.percentile(99) / 1e6).toFixed(0)} ms, the heap has ${grown.toFixed(0)} MB more after it`,
    )
  } finally {
    await drop()
  }
}

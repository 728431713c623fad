import type { ProgramCtx } from '../src/kernel/context.ts'
import type { AppDb } from '../src/kernel/db.ts'
import { importAffiliates } from '../src/modules/affiliates/csv-import.ts'
import { collectDueCommissions } from '../src/modules/payouts/service.ts'
import { createProgram } from '../src/modules/programs/service.ts'
import { createCommissionRule } from '../src/modules/rules/service.ts'
import { reportConversion } from '../src/modules/sales/report-sale.ts'
import { createBenchDatabase, operatorCtx } from './database.ts'

export const summary = 'A late first sale of a customer with many sales: all are evaluated, and what differs is booked.'
export const unit = 'sales of the customer'
export const defaultSize = 1_000

const customers = 3
const begin = Date.UTC(2026, 0, 1)
const at = (days: number) => new Date(begin + days * 86_400_000)

const cases = {
  'one other sale changes': { appliesTo: 'all_sales', conditions: { payment: 'first' }, reward: { percent: 50 } },
  'all sales change': { appliesTo: 'new_customers', startsAt: at(15), reward: { percent: 40 } },
}

/** Measures one late sale of each customer. The rules are made before all sales. */
export async function run(size: number): Promise<void> {
  const { db, drop } = await createBenchDatabase()
  try {
    for (const [name, rule] of Object.entries(cases)) {
      const ctx = await createShop(db, rule)
      const times: number[] = []
      for (let customer = 0; customer < customers; customer += 1) times.push(await lateSaleOf(ctx, customer, size))
      times.sort((a, b) => a - b)
      const median = times[Math.floor(customers / 2)]
      console.log(`${size} sales, ${name}: median ${median?.toFixed(0)} ms, at most ${times.at(-1)?.toFixed(0)} ms`)
    }
  } finally {
    await drop()
  }
}

async function createShop(db: AppDb, rule: object): Promise<ProgramCtx> {
  const past = { ...operatorCtx(db), now: () => at(0) }
  const program = await createProgram(past, { name: 'Bench', url: 'https://acme.test', currency: 'usd' })
  const ctx = { ...past, program }
  await importAffiliates(ctx, { csv: 'email,coupon\nada@example.com,ADA' })
  const { id: campaignId } = await db.campaign.findFirstOrThrow({ where: { programId: program.id } })
  await createCommissionRule(ctx, { campaignId, name: 'Rule', ...rule })
  return { ...ctx, now: () => at(100) }
}

/** @returns what the late sale took, in milliseconds */
async function lateSaleOf(ctx: ProgramCtx, customer: number, size: number): Promise<number> {
  const report = (number: number, occurredAt: Date) =>
    reportConversion(ctx, {
      coupon: 'ADA',
      email: `${customer}@example.com`,
      externalId: `${customer}-${number}`,
      amountCents: 1_000 + number,
      occurredAt: occurredAt.toISOString(),
    })
  for (let number = 1; number <= size; number += 1) await report(number, at(20 + number / 100))
  // As the service does in the background.
  await collectDueCommissions(ctx, { forMs: 60_000 })
  await ctx.db.$executeRaw`analyze`
  const startedAt = performance.now()
  await report(0, at(10))
  return performance.now() - startedAt
}

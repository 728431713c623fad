import { createHash } from 'node:crypto'
import type { TestDatabase } from '../../support/database.ts'

export const now = new Date('2026-03-18T14:25:36.789Z')

export const tables = [
  'programs',
  'campaigns',
  'affiliates',
  'affiliate_links',
  'affiliate_coupons',
  'applications',
  'customers',
  'referrals',
  'sales',
  'unattributed_sales',
  'refunds',
  'commissions',
  'payouts',
  'payout_runs',
  'payout_run_items',
  'payment_facts',
  'money_events',
]

/** A hash of all rows except the API keys, whose secrets are random. */
export async function digest({ db }: Pick<TestDatabase, 'db'>): Promise<string> {
  const hash = createHash('sha256')
  for (const table of tables) {
    const [row] = await db.$queryRawUnsafe<{ rows: string }[]>(
      `select json_agg(t order by t.id)::text as rows from ${table} t`,
    )
    hash.update(`${table} ${row?.rows}\n`)
  }
  return hash.digest('hex')
}

import { Prisma } from '../../../generated/prisma/client.ts'
import type { KeptDecision } from '../report/keep-unattributed.ts'

// Why a sale has no affiliate, as one word: the strongest signal that was given decides, as in prisma/sql/reports.sql.

const misses = ({ outcome }: { outcome: string }) => !['not_given', 'not_tried', 'matched'].includes(outcome)

export function reasonOf({ signals }: Pick<KeptDecision, 'signals'>): string {
  const decisive = signals.find(misses)
  return decisive ? `${decisive.signal}_${decisive.outcome}` : 'no_signal'
}

/** The same in SQL. @param table of the row */
export const reasonSql = (table: string): Prisma.Sql => Prisma.sql`coalesce((
  select concat(tried ->> 'signal', '_', tried ->> 'outcome')
  from jsonb_array_elements(${Prisma.raw(table)}.decision -> 'signals') with ordinality signals(tried, n)
  where tried ->> 'outcome' not in ('not_given', 'not_tried', 'matched') order by n limit 1), 'no_signal')`

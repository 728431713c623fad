import { statement } from '../../database/client/sql.ts'
import type { SqlTransaction } from '../../kernel/db.ts'
import { type CapUse, capPeriods } from './cap.ts'
import { centsOfLine, lineRests } from './lines-sql.ts'
import type { StoredRule } from './rule.ts'

const affiliateLock = statement(
  'select 1 from affiliates where program_id = $1::uuid and id = $2::uuid for no key update',
)

/** Locks an affiliate until the transaction ends: the last of the locks, see `lockInOrder`. */
export const lockAffiliate = (tx: SqlTransaction, programId: string, affiliateId: string): Promise<void> =>
  tx.defer(affiliateLock, [programId, affiliateId])

/** What the sales of the year and of the month have earned by the rule: with debts and credits, without void ones. */
const capUse = statement<{ month: string; year: string }>(`
  select coalesce(sum(m.amount_cents) filter (where e.occurred_at >= $5::timestamptz and e.occurred_at < $6::timestamptz), 0)::text as month,
    coalesce(sum(m.amount_cents), 0)::text as year
  from commissions e
    join commissions m on m.program_id = e.program_id and (m.sale_id = e.sale_id or m.corrects_sale_id = e.sale_id)
      and m.voided_at is null
  where e.program_id = $1::uuid and e.affiliate_id = $2::uuid and e.rule_id = $3::uuid and e.refund_id is null
    and e.currency = $4::text and e.occurred_at >= $7::timestamptz and e.occurred_at < $8::timestamptz`)

/** As `capUse` for a rule for products: what its lines have earned after refunds. */
const capUseOfItems = statement<{ month: string; year: string }>(`
  select coalesce(sum(cents) filter (where occurred_at >= $5::timestamptz and occurred_at < $6::timestamptz), 0)::text as month,
    coalesce(sum(cents), 0)::text as year
  from (
    select c.occurred_at, least(sum(${centsOfLine}), min((line->>'capLeftCents')::numeric)) as cents
    from commissions c join sales s on s.program_id = c.program_id and s.id = c.sale_id
      cross join lateral ${lineRests} rests
    where c.program_id = $1::uuid and c.affiliate_id = $2::uuid and c.rule_lines is not null and c.refund_id is null
      and c.voided_at is null and c.currency = $4::text
      and c.occurred_at >= $7::timestamptz and c.occurred_at < $8::timestamptz and line->'rule'->>'id' = $3::text
    group by c.id, c.occurred_at) earned`)

/** What an affiliate has earned by a rule. The affiliate is locked. */
export async function readCapUse(
  tx: SqlTransaction,
  { programId, affiliateId, rule }: { programId: string; affiliateId: string; rule: StoredRule },
  { currency, occurredAt, timeZone }: { currency: string; occurredAt: Date; timeZone: string },
): Promise<CapUse> {
  const { month, year } = capPeriods(occurredAt, timeZone)
  const times = [month.from, month.to, year.from, year.to].map((time) => (time as Date).toISOString())
  const counted = rule.conditions.productIds ? capUseOfItems : capUse
  const [use] = await tx.query(counted, [programId, affiliateId, rule.id, currency, ...times])
  return { monthCents: BigInt(use?.month ?? 0), yearCents: BigInt(use?.year ?? 0) }
}

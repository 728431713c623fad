import { statement } from '../../database/client/sql.ts'
import { measureRows } from '../rules/standing.ts'

/** What a step earns of the rest of a sale, as `earnedByStep`. */
const byStep = (step: string) => `case when ${step} ? 'basisPoints'
  then div(rest::numeric * (${step}->>'basisPoints')::numeric + 5000, 10000)
  when rest > 0 then (${step}->>'amountCents')::numeric else 0 end`

/** What is left of a sale `s` after refunds. Of one with rules for products, that of the part without them. */
const rest = `case when c.rule_lines is null then s.amount_cents - s.refunded_cents else coalesce((
    select div(sum((line->>'saleCents')::numeric) * (s.amount_cents - s.refunded_cents), s.amount_cents)
    from jsonb_array_elements(c.rule_lines) line where line->>'productId' is null), 0) end`

/** What a commission lacks. An amount that a person has set stays as it is. */
export const missing = `case when actual = own_cents or c.rule_lines is not null then target_cents - own_cents else 0 end`

/**
 * The commissions `c` of sales under tiers for the whole period, with what their sales have earned, what they earn by
 * the step that they have, and by the step that the affiliate has reached.
 * @param measured a relation of currency, conversions, revenue and commissions
 */
export const tieredEarnings = (measured: string): string => `
  (select ${rest} as rest, s.decision->'rule'->'tier' as tier, s.currency as sale_currency,
    (select sum(m.amount_cents) from commissions m
      where m.program_id = c.program_id and m.sale_id = c.sale_id and m.voided_at is null) as actual
    from sales s where s.program_id = c.program_id and s.id = c.sale_id) sale
  cross join lateral (select coalesce(case tier->>'measure'
    when 'conversions' then (select sum(conversions) from ${measured} x)
    when 'revenue' then (select revenue from ${measured} x where x.currency = sale_currency)
    else (select commissions from ${measured} x where x.currency = c.currency) end, 0) as measure) reached
  cross join lateral (select tier->'steps'->(tier->>'step')::int as own,
    (select step from jsonb_array_elements(tier->'steps') with ordinality as steps (step, number)
      where number = 1 or (step->>'from')::numeric <= measure order by number desc limit 1) as target) steps
  cross join lateral (select ${byStep('own')} as own_cents, ${byStep('target')} as target_cents) earned`

/**
 * What corrections of an affiliate in a campaign are missing, by the tiers of a rule for a period, in each currency.
 * A correction that a person has voided is not made again.
 */
export const correctionsOf = statement<{ currency: string; cents: string; dueAt: Date | string }>(`
  with measured as materialized (
    select currency, sum(conversions) as conversions, sum(revenue_cents) as revenue, sum(commissions_cents) as commissions
    from (${measureRows('$1::uuid', '$2::uuid', '$3::uuid')}) measures
    where start >= $6::timestamptz and start < $7::timestamptz group by currency
  ), due as (
    select c.currency, max(c.due_at) as due_at, sum(${missing}) as cents
    from commissions c cross join lateral ${tieredEarnings('measured')}
    where c.program_id = $1::uuid and c.affiliate_id = $2::uuid and c.campaign_id = $3::uuid and c.rule_id = $4::uuid
      and c.occurred_at >= $6::timestamptz and c.occurred_at < $7::timestamptz
      and c.kind = 'sale' and c.refund_id is null and c.voided_at is null
      and tier->>'appliesTo' = 'whole_period' and tier->>'period' = $5::text
    group by c.currency
  ), corrected as (
    select currency, max(due_at) as due_at, sum(amount_cents) as cents from commissions
    where program_id = $1::uuid and affiliate_id = $2::uuid and rule_id = $4::uuid and kind = 'correction'
      and occurred_at >= $6::timestamptz and occurred_at < $7::timestamptz
    group by currency
  )
  select currency, (coalesce(due.cents, 0) - coalesce(corrected.cents, 0))::text as cents,
    greatest(due.due_at, corrected.due_at) as "dueAt"
  from due full join corrected using (currency)
  where coalesce(due.cents, 0) <> coalesce(corrected.cents, 0) order by currency`)

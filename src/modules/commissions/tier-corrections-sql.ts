import { statement } from '../../database/client/sql.ts'
import { centsOfLine, lineRests, percentSql } from '../rules/lines-sql.ts'
import { measureRows } from '../rules/read-standing.ts'

/** What a step earns of the rest of a sale or of a line, as `earnedByStep`. */
const byStep = (step: string) => `case when ${step} ? 'basisPoints'
  then ${percentSql('rest', `(${step}->>'basisPoints')::numeric`)}
  when rest > 0 then (${step}->>'amountCents')::numeric * units else 0 end`

/** The tiers that a sale has recorded: of the rule that applied, and of rules for products. */
export const recordedTiers = `
  (select s.decision->'rule'->'applied'->>'id' as tiers_of, s.decision->'rule'->'tier' as tier, false as is_for_items
  where s.decision->'rule'->'tier' is not null
  union all
  select product->>'id', product->'tier', true from jsonb_array_elements(s.decision->'rule'->'products') product
  where product->'tier' is not null)`

/**
 * What the sale of a commission `c` lacks by recorded tiers. An amount that a person has set stays as it is. Each line
 * of a rule for products is rounded for itself.
 */
export const missing = `case when actual = expected then target_cents - own_cents else 0 end`

/**
 * The commissions `c` of sales `s` with recorded tiers: what the sale has earned, what its rates give, and what the
 * parts under the tiers earn by the step that they have, and by the step that the affiliate has reached.
 * @param measured a relation of currency, conversions, revenue and commissions
 */
export const tieredEarnings = (measured: string): string => `
  (select sum(m.amount_cents) as actual from commissions m
    where m.program_id = c.program_id and m.sale_id = c.sale_id and m.voided_at is null) paid
  cross join lateral (select coalesce(case tier->>'measure'
    when 'conversions' then (select sum(conversions) from ${measured} x)
    when 'revenue' then (select revenue from ${measured} x where x.currency = s.currency)
    else (select commissions from ${measured} x where x.currency = c.currency) end, 0) as measure) reached
  cross join lateral (select tier->'steps'->(tier->>'step')::int as own,
    (select step from jsonb_array_elements(tier->'steps') with ordinality as steps (step, number)
      where number = 1 or (step->>'from')::numeric <= measure order by number desc limit 1) as target) steps
  cross join lateral (
    select sum(least(rate_cents, cap_left)) as expected, sum(own) as own_cents, sum(target) as target_cents
    from (
      select sum(rate_cents) as rate_cents, min(cap_left) as cap_left, coalesce(sum(own) filter (where is_tiered), 0) as own,
        coalesce(sum(target) filter (where is_tiered), 0) as target
      from (
      select line->'rule'->>'id' as line_rule, (line->>'capLeftCents')::numeric as cap_left, case when is_for_items then line->'rule'->>'id' = tiers_of
          else line is null or jsonb_typeof(line->'rule') = 'null' end as is_tiered,
        case when line is null then ${byStep('steps.own')} else ${centsOfLine} end as rate_cents,
        ${byStep('steps.own')} as own, ${byStep('steps.target')} as target
      from ${lineRests} rests) parts group by line_rule) by_rule) earned`

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
    from commissions c join sales s on s.program_id = c.program_id and s.id = c.sale_id
      cross join lateral ${recordedTiers} tiers cross join lateral ${tieredEarnings('measured')}
    where c.program_id = $1::uuid and c.affiliate_id = $2::uuid and c.campaign_id = $3::uuid
      and (c.rule_id = $4::uuid or c.rule_lines is not null)
      and c.occurred_at >= $6::timestamptz and c.occurred_at < $7::timestamptz
      and c.kind = 'sale' and c.refund_id is null and c.voided_at is null
      and tiers_of = $4::text and tier->>'appliesTo' = 'whole_period' and tier->>'period' = $5::text
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

import { missing, recordedTiers, tieredEarnings } from '../commissions/tier-corrections-sql.ts'
import { measureRows } from '../rules/read-standing.ts'

// Checks that the measures of tiers are what affiliates have sold and earned.

export const measureInvariants = [
  {
    name: 'measures-are-the-facts',
    promise: 'The measures of affiliates, with the deltas that wait, are the sums of their sales and commissions.',
    sql: `select program_id, affiliate_id as id, format('campaign %s, %s, from %s: %s sales, %s revenue, %s commissions too many',
        campaign_id, currency, start, sum(conversions), sum(revenue), sum(commissions)) as detail
      from (
        select program_id, affiliate_id, campaign_id, start, currency, conversions, revenue_cents as revenue, commissions_cents as commissions
        from affiliate_measures
        union all
        select program_id, affiliate_id, campaign_id, start, currency, conversions, revenue_cents, commissions_cents
        from affiliate_measure_deltas
        union all
        select program_id, affiliate_id, campaign_id, measure_start(at), currency, -conversions, -revenue, -commissions from measure_facts
      ) parts
      group by program_id, affiliate_id, campaign_id, start, currency
      having sum(conversions) <> 0 or sum(revenue) <> 0 or sum(commissions) <> 0`,
  },
  {
    name: 'corrections-make-the-whole-period-equal',
    promise:
      'Under tiers for the whole period, sales and corrections of a period add up to what all sales earn by the step that is reached.',
    sql: `with spans as (
        select c.program_id, c.affiliate_id, c.campaign_id, tiers_of, c.currency, tier->>'period' as period, p.time_zone,
          case when tier->>'period' = 'ever' then timestamptz '-infinity'
            else date_trunc(tier->>'period', c.occurred_at at time zone p.time_zone) at time zone p.time_zone end as start
        from commissions c join programs p on p.id = c.program_id
          join sales s on s.program_id = c.program_id and s.id = c.sale_id
          cross join lateral ${recordedTiers} tiers
        where c.refund_id is null and tier->>'appliesTo' = 'whole_period'
          and exists (select from campaigns k join commission_rule_versions v
              on v.program_id = k.program_id and v.campaign_id = k.id and v.number = k.rules_version
            where k.program_id = c.program_id and k.id = c.campaign_id and v.rules @> jsonb_build_array(jsonb_build_object(
              'id', tiers_of, 'reward', jsonb_build_object('period', tier->>'period', 'appliesTo', 'whole_period'))))
        group by 1, 2, 3, 4, 5, 6, 7, 8
      )
      select t.program_id, t.affiliate_id as id, format('rule %s, %s from %s: %s %s missing', t.tiers_of, t.period, t.start, due.cents - done.cents, t.currency) as detail
      from spans t
        cross join lateral (select case when t.period = 'ever' then timestamptz 'infinity'
          else (t.start at time zone t.time_zone + case t.period when 'quarter' then interval '3 months' else ('1 ' || t.period)::interval end)
            at time zone t.time_zone end as until) ends
        cross join lateral (
          with measured as materialized (
            select currency, sum(conversions) as conversions, sum(revenue_cents) as revenue, sum(commissions_cents) as commissions
            from (${measureRows('t.program_id', 't.affiliate_id', 't.campaign_id')}) measures
            where start >= t.start and start < until group by currency
          )
          select coalesce(sum(${missing}), 0) as cents
          from commissions c join sales s on s.program_id = c.program_id and s.id = c.sale_id
            cross join lateral ${recordedTiers} tiers cross join lateral ${tieredEarnings('measured')}
          where c.program_id = t.program_id and c.affiliate_id = t.affiliate_id and c.campaign_id = t.campaign_id and tiers.tiers_of = t.tiers_of
            and c.currency = t.currency and c.occurred_at >= t.start and c.occurred_at < until
            and c.refund_id is null and c.voided_at is null and tier->>'appliesTo' = 'whole_period' and tier->>'period' = t.period) due
        cross join lateral (select coalesce(sum(amount_cents), 0) as cents from commissions m
          where m.program_id = t.program_id and m.affiliate_id = t.affiliate_id and m.rule_id = t.tiers_of::uuid and m.kind = 'correction'
            and m.currency = t.currency and m.occurred_at >= t.start and m.occurred_at < until) done
      where due.cents <> done.cents`,
  },
]

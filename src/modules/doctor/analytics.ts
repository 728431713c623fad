const detail = `format('%s %s %s: count off by %s, amount off by %s', kind, grain, start, sum(count), sum(amount)) as detail`

/** The rollup at its finest grain, plus the deltas that are not folded into it, minus the facts. It has to be zero. */
const differsFromFacts = (rollup: string, grain: string, key: string) => `
  select program_id, ${key.split(',')[0]} as id, ${detail}
  from (
    select program_id, kind, grain, start, ${key}, currency, count, amount from ${rollup} where grain = '${grain}'
    union all
    select program_id, kind, '${grain}', analytics_start('${grain}', start), ${key}, currency, count, amount from analytics_deltas
    union all
    select program_id, kind, '${grain}', analytics_start('${grain}', at), ${key}, currency, -count, -amount from analytics_facts
  ) compared
  group by program_id, kind, grain, start, ${key}, currency having sum(count) <> 0 or sum(amount) <> 0`

/** The coarser grains of a rollup minus its finest grain. It has to be zero. */
const grainsDiffer = (rollup: string, finest: string, key: string) => `
  select program_id, ${key.split(',')[0]} as id, ${detail}
  from (
    select program_id, kind, grain, start, ${key}, currency, count, amount from ${rollup} where grain <> '${finest}'
    union all
    select program_id, kind, coarse.grain, analytics_start(coarse.grain, start), ${key}, currency, -count, -amount
    from ${rollup} fine cross join unnest(enum_range('${finest}', null::analytics_grain)) coarse(grain)
    where fine.grain = '${finest}' and coarse.grain <> '${finest}'
  ) compared
  group by program_id, kind, grain, start, ${key}, currency having sum(count) <> 0 or sum(amount) <> 0`

const source = 'affiliate_id, campaign_id, link_id, coupon_id'

export const analyticsInvariants = [
  {
    name: 'analytics-by-campaign-are-the-facts',
    promise:
      'The analytics rollup by campaign, plus the deltas that are not folded into it yet, equals the sums of the facts.',
    sql: differsFromFacts('analytics_by_campaign', 'quarter_hour', 'campaign_id'),
  },
  {
    name: 'analytics-by-source-are-the-facts',
    promise:
      'The analytics rollup by affiliate, link and coupon, plus the deltas that are not folded into it yet, equals the sums of the facts.',
    sql: differsFromFacts('analytics_by_source', 'day', source),
  },
  {
    name: 'analytics-grains-agree',
    promise: 'In the analytics rollups, hours, days and months are the sums of their quarter hours, or of their days.',
    sql: `${grainsDiffer('analytics_by_campaign', 'quarter_hour', 'campaign_id')}
      union all ${grainsDiffer('analytics_by_source', 'day', source)}`,
  },
  {
    name: 'affiliate-money-is-that-of-the-rollup',
    promise:
      "The sums by which lists of affiliates are sorted are those of the analytics rollup, and of open payouts, in the program's currency.",
    sql: `
      select a.program_id, a.id, format('revenue %s, commissions %s, paid %s, due %s', a.revenue_cents, a.commissions_cents, a.paid_cents, a.due_cents) as detail
      from affiliates a join programs p on p.id = a.program_id
        left join (
          select program_id, affiliate_id, currency, sum(amount) filter (where kind = 'sale') as revenue,
            sum(amount) filter (where kind = 'accrued') as commissions, sum(amount) filter (where kind = 'paid') as paid
          from analytics_by_source where grain = 'year' group by program_id, affiliate_id, currency
        ) s on s.program_id = a.program_id and s.affiliate_id = a.id and s.currency = p.currency
        left join payouts o on o.program_id = a.program_id and o.affiliate_id = a.id and o.currency = p.currency
          and o.paid_at is null and o.failed_at is null
      where (a.revenue_cents, a.commissions_cents, a.paid_cents, a.due_cents) is distinct from
        (least(coalesce(s.revenue, 0), 9007199254740991)::bigint, greatest(least(coalesce(s.commissions, 0), 9007199254740991), -9007199254740991)::bigint,
          greatest(least(coalesce(s.paid, 0), 9007199254740991), -9007199254740991)::bigint, coalesce(o.amount_cents, 0))`,
  },
  {
    name: 'analytics-cohorts-are-the-sales',
    promise:
      'The analytics rollup of cohorts, with the sales whose deltas are not folded into it yet, equals the sales by the first sale of their customer.',
    sql: `
      select program_id, program_id as id,
        format('%s %s %s %s %s %s %s: customers off by %s, amount off by %s', calendar, campaign_id, cohort_grain, cohort, grain, start, currency, sum(customers), sum(amount)) as detail
      from (
        select program_id, calendar, campaign_id, cohort_grain, grain, start, cohort, currency, customers, amount from analytics_cohorts
        union all
        select program_id, calendar, campaign_id, cohort_grain, grain, analytics_start(grain, day), analytics_start(cohort_grain, cohort), currency, -customers, -amount
        from (
          select program_id, calendar, campaign_id, cohort, day, currency, sum(customers) as customers, sum(amount) as amount
          from analytics_cohort_facts group by 1, 2, 3, 4, 5, 6
        ) days
        cross join unnest(array['day', 'month']::analytics_grain[]) cohort_grain
        cross join unnest(array['day', 'month']::analytics_grain[]) grain
      ) compared
      group by program_id, calendar, campaign_id, cohort_grain, grain, start, cohort, currency having sum(customers) <> 0 or sum(amount) <> 0`,
  },
]

// Checks that the rollups of analytics agree with the facts.

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
]

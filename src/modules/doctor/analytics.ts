// What analytics adds up, held against the rows themselves.

const detail = `format('%s %s %s: %s too many, %s too much', kind, grain, start, sum(count), sum(amount)) as detail`

/** The rollup at its finest grain, and what is not in it yet, without the facts: nothing is left. */
const remains = (rollup: string, grain: string, key: string) => `
  select program_id, ${key.split(',')[0]} as id, ${detail}
  from (
    select program_id, kind, grain, start, ${key}, currency, count, amount from ${rollup} where grain = '${grain}'
    union all
    select program_id, kind, '${grain}', analytics_start('${grain}', start), ${key}, currency, count, amount from analytics_deltas
    union all
    select program_id, kind, '${grain}', analytics_start('${grain}', at), ${key}, currency, -count, -amount from analytics_facts
  ) compared
  group by program_id, kind, grain, start, ${key}, currency having sum(count) <> 0 or sum(amount) <> 0`

/** The coarser grains without the finest: nothing is left. */
const disagrees = (rollup: string, finest: string, key: string) => `
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
    promise: 'What analytics adds up by campaign, and the writes it has not added yet, are what the rows come to.',
    sql: remains('analytics_by_campaign', 'quarter_hour', 'campaign_id'),
  },
  {
    name: 'analytics-by-source-are-the-facts',
    promise: 'What analytics adds up by affiliate, link and coupon, and the writes it has not added yet, are the rows.',
    sql: remains('analytics_by_source', 'day', source),
  },
  {
    name: 'analytics-grains-agree',
    promise: 'The hours, days and months of analytics are the sums of their quarters of an hour, or of their days.',
    sql: `${disagrees('analytics_by_campaign', 'quarter_hour', 'campaign_id')}
      union all ${disagrees('analytics_by_source', 'day', source)}`,
  },
]

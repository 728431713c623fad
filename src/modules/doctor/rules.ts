// Checks that sales earn by the commission rules of when they occurred.

/**
 * The reward of a rule `r`, or the step of its tiers that a sale reached: by the measure before it, or for the whole
 * period as recorded.
 */
const rewardBy = (tier: string) => `case when r.rule->'reward'->>'kind' <> 'tiers' then r.rule->'reward' else
    (select step from jsonb_array_elements(r.rule->'reward'->'steps') with ordinality as steps (step, number)
      where number = 1 or case when r.rule->'reward'->>'appliesTo' = 'above'
        then (step->>'from')::numeric <= (${tier}->>'before')::numeric
        else number <= 1 + (${tier}->>'step')::int end
      order by number desc limit 1) end`

/** The sales under a rule, with the version that was recorded, and what the rule says in it. */
const salesUnderRules = `
  select s.program_id, s.id, s.affiliate_id, s.campaign_id, s.occurred_at, s.created_at, a.version, a.rule_id, v.holds_from,
    r.rule, ${rewardBy("s.decision->'rule'->'tier'")} as reward
  from sales s
    cross join lateral (select (s.decision->'rule'->'applied'->>'version')::int as version,
      s.decision->'rule'->'applied'->>'id' as rule_id) a
    left join commission_rule_versions v
      on v.program_id = s.program_id and v.campaign_id = s.campaign_id and v.number = a.version
    left join lateral (select rule from jsonb_array_elements(v.rules) rules (rule) where rule->>'id' = a.rule_id) r on true
  where s.decision->'rule'->'applied' is not null`

export const ruleInvariants = [
  {
    name: 'lead-is-rewarded-once',
    promise: 'An affiliate has at most one commission for the lead of a customer.',
    sql: `select r.program_id, r.affiliate_id as id, format('customer %s, %s commissions', r.customer_id, count(*)) as detail
      from commissions c join referrals r on r.program_id = c.program_id and r.id = c.referral_id
      where c.kind = 'lead' and r.customer_id is not null
      group by r.program_id, r.affiliate_id, r.customer_id having count(*) > 1`,
  },
  {
    name: 'lead-is-by-its-rule',
    promise:
      'A commission for a lead has the amount of its rule, and is due the days of it after the lead, or as rescheduled.',
    sql: `select c.program_id, c.id, format('rule %s, %s %s, due %s', c.rule_id, c.rule_amount_cents, c.currency, c.due_at) as detail
      from commissions c
      where c.kind = 'lead' and (
        c.due_at <> coalesce((
          select e.due_at from money_events e where e.program_id = c.program_id and e.commission_id = c.id and e.kind = 'rescheduled'
          order by e.id desc limit 1), c.occurred_at + make_interval(hours => 24 * c.rule_days_before_due))
        or not exists (
          select from commission_rule_versions v cross join lateral jsonb_array_elements(v.rules) rules (rule)
          where v.program_id = c.program_id and v.campaign_id = c.campaign_id and v.holds_from <= c.occurred_at
            and rule->>'id' = c.rule_id::text and rule->'reward'->>'kind' = 'lead'
            and rule->'reward'->>'currency' = c.currency and (rule->'reward'->>'amountCents')::bigint = c.rule_amount_cents))`,
  },
  {
    name: 'sale-has-rules-of-its-time',
    promise:
      "A sale has the newest version of its campaign's rules that held when it occurred and was there when it was recorded.",
    // A version that was made in the minute before was perhaps not committed yet.
    sql: `select s.program_id, s.id, format('version %s, should be %s', s.version, newest.number) as detail
      from (${salesUnderRules}) s cross join lateral (
        select max(number) as number,
          max(number) filter (where v.created_at <= s.created_at - interval '1 minute') as least
        from commission_rule_versions v
        where v.program_id = s.program_id and v.campaign_id = s.campaign_id
          and v.holds_from <= s.occurred_at and v.created_at <= s.created_at) newest
      where newest.number is null or s.version not between coalesce(newest.least, 0) and newest.number`,
  },
  {
    name: 'commission-is-by-its-rule',
    promise:
      'A commission has the reward that its rule has in the version of the sale, by the step of its tiers that was reached.',
    sql: `select c.program_id, c.id, format('%s %s %s, rule %s', c.rule_reward_type, c.rule_basis_points, c.rule_amount_cents, s.rule->'reward') as detail
      from (${salesUnderRules}) s join commissions c on c.program_id = s.program_id and c.sale_id = s.id and c.refund_id is null
      where s.rule_id is not null and (
        s.rule is null
        or (s.rule->'reward'->>'kind' <> 'tiers'
          and case s.rule->'reward'->>'kind' when 'none' then 'percent' else s.rule->'reward'->>'kind' end is distinct from c.rule_reward_type::text)
        or (s.rule->'reward'->>'kind' <> 'none' and (s.reward->>'basisPoints')::int is distinct from c.rule_basis_points)
        or (s.reward->>'amountCents')::bigint is distinct from c.rule_amount_cents)`,
  },
  {
    name: 'commission-is-within-its-cap',
    promise:
      'A commission was earned for at most what the cap of its rule left, and the cap is that of the version of the sale.',
    sql: `select s.program_id, s.id, format('earned %s, cap %s, rule %s', f.cents, d.cap, s.rule->'cap') as detail
      from (${salesUnderRules}) s
        join sales x on x.program_id = s.program_id and x.id = s.id
        cross join lateral (select coalesce(x.decision->'rule'->'cap', '[]') as cap) d
        left join commissions c on c.program_id = s.program_id and c.sale_id = s.id and c.refund_id is null
        left join lateral (select case when count(*) > 1 then c.amount_cents else min(delta_cents) end as cents from money_events m
          where m.program_id = c.program_id and m.commission_id = c.id and m.kind in ('earned', 'recalculated')) f on true
      where s.rule_id is not null and (
        (select count(*) from jsonb_object_keys(coalesce(s.rule->'cap', '{}'))) <> jsonb_array_length(d.cap)
        or exists (select from jsonb_array_elements(d.cap) l
          where s.rule->'cap'->>('per' || initcap(l->>'per') || 'Cents') is distinct from l->>'atMostCents'
            or f.cents > greatest((l->>'atMostCents')::numeric - (l->>'usedCents')::numeric, 0)))`,
  },
  {
    name: 'commission-names-its-rule',
    promise: 'A commission of a sale names the rule that applied to the sale.',
    sql: `select s.program_id, c.id, format('rule %s, should be %s', c.rule_id, s.rule_id) as detail
      from (${salesUnderRules}) s join commissions c on c.program_id = s.program_id and c.sale_id = s.id
      where c.rule_id::text is distinct from s.rule_id`,
  },
  {
    name: 'lines-are-the-sale',
    promise:
      'The lines of a commission add up to its sale, and to what it earned first, unless a cap took away from it.',
    sql: `select c.program_id, c.id, format('lines of %s for %s, earned %s', l.sale_cents, s.amount_cents, l.cents) as detail
      from commissions c
        join sales s on s.program_id = c.program_id and s.id = c.sale_id
        cross join lateral (select sum((line->>'saleCents')::numeric) as sale_cents, sum((line->>'earnedCents')::numeric) as cents
          from jsonb_array_elements(c.rule_lines) line) l
        left join money_events e on e.program_id = c.program_id and e.commission_id = c.id and e.kind = 'earned'
      where c.rule_lines is not null
        and not exists (select from money_events m where m.program_id = c.program_id and m.commission_id = c.id and m.kind = 'recalculated')
        and not exists (select from commissions n where n.program_id = c.program_id and n.corrects_sale_id = c.sale_id)
        and (l.sale_cents is distinct from s.amount_cents or e.delta_cents is null or l.cents < e.delta_cents
          or (l.cents > e.delta_cents and s.decision->'rule'->'cap' is null))`,
  },
  {
    name: 'line-is-by-its-rule',
    promise:
      'A line of a commission has the reward that its rule for products has in the version of the sale, by the step of its tiers that was reached.',
    sql: `select c.program_id, c.id, format('line %s, rule %s', line, reward) as detail
      from commissions c
        join sales s on s.program_id = c.program_id and s.id = c.sale_id
        cross join lateral jsonb_array_elements(c.rule_lines) line
        left join commission_rule_versions v on v.program_id = s.program_id and v.campaign_id = s.campaign_id
          and v.number = (s.decision->'rule'->'applied'->>'version')::int
        left join lateral (select r as rule from jsonb_array_elements(v.rules) r where r->>'id' = line->'rule'->>'id') r on true
        left join lateral (select product from jsonb_array_elements(s.decision->'rule'->'products') product
          where product->>'id' = line->'rule'->>'id') p on true
        cross join lateral (select ${rewardBy("p.product->'tier'")} as reward) rewards
      where c.rule_lines is not null and line->'rule'->>'id' is not null and line->>'reason' is null and (
        r.rule is null
        or (reward->>'basisPoints')::int is distinct from (line->>'basisPoints')::int
        or (reward->>'amountCents')::numeric * (line->>'quantity')::numeric is distinct from (line->>'fixedCents')::numeric)`,
  },
  {
    name: 'items-are-within-their-cap',
    promise:
      'The lines of a rule for products have earned at most what its cap left, and the cap is that of the version of the sale.',
    sql: `select c.program_id, c.id, format('rule %s, earned %s, cap %s', r.id, r.cents, d.cap) as detail
      from commissions c
        join sales s on s.program_id = c.program_id and s.id = c.sale_id
        cross join lateral (
          select line->'rule'->>'id' as id, sum((line->>'earnedCents')::numeric) as cents,
            min((line->>'capLeftCents')::numeric) as left_cents
          from jsonb_array_elements(c.rule_lines) line where line->'rule'->>'id' is not null group by 1) r
        left join commission_rule_versions v on v.program_id = s.program_id and v.campaign_id = s.campaign_id
          and v.number = (s.decision->'rule'->'applied'->>'version')::int
        left join lateral (select coalesce(rule->'cap', '{}') as cap from jsonb_array_elements(v.rules) rule where rule->>'id' = r.id) stored on true
        cross join lateral (select coalesce((select product->'cap' from jsonb_array_elements(s.decision->'rule'->'products') product
          where product->>'id' = r.id), '[]') as cap) d
        cross join lateral (select min(greatest((l->>'atMostCents')::numeric - (l->>'usedCents')::numeric, 0)) as cents
          from jsonb_array_elements(d.cap) l) most
      where c.rule_lines is not null and (
        (select count(*) from jsonb_object_keys(stored.cap)) <> jsonb_array_length(d.cap)
        or exists (select from jsonb_array_elements(d.cap) l
          where stored.cap->>('per' || initcap(l->>'per') || 'Cents') is distinct from l->>'atMostCents')
        or r.left_cents is distinct from most.cents or r.cents > most.cents)`,
  },
  {
    name: 'rule-of-group-has-member',
    promise: 'A sale under a rule for groups is of an affiliate who was in one of them when it occurred.',
    // Who left in the minute before was perhaps still a member for the report.
    sql: `select s.program_id, s.id, format('rule %s, groups %s', s.rule_id, s.rule->'conditions'->'groupIds') as detail
      from (${salesUnderRules}) s
      where s.rule->'conditions'->'groupIds' is not null and not exists (
        select from affiliate_group_memberships m
        where m.program_id = s.program_id and m.affiliate_id = s.affiliate_id
          and s.rule->'conditions'->'groupIds' ? m.group_id::text and m.from_at <= s.occurred_at
          and (m.until_at is null or m.until_at > least(s.occurred_at, s.created_at - interval '1 minute')))`,
  },
  {
    name: 'present-members-have-a-group',
    promise: 'An affiliate is only in groups that exist.',
    sql: `select m.program_id, m.id, format('group %s', m.group_id) as detail
      from affiliate_group_memberships m left join affiliate_groups g on g.program_id = m.program_id and g.id = m.group_id
      where m.until_at is null and g.id is null`,
  },
]

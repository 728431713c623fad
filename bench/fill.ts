/**
 * SQL that inserts the rows of a large program: through the service, a million sales would take hours. It makes affiliates
 * in five campaigns, each with a link; referrals, half of them without a sale; and a commission for each sale, half paid.
 * The counters and the facts about money follow, so that the doctor finds nothing. Triggers are off, so the numbers that they
 * keep are rebuilt in the end.
 */
export const fill = (programId: string, count: number, affiliates: number, year: number) => `
  set session_replication_role = replica;
  create temp table seed as select '${programId}'::uuid as p, ${count} as sales, ${affiliates} as affiliates;
  create function pg_temp.id(kind text, n bigint) returns uuid language sql immutable as
    $$ select ('0000000' || kind || '-0000-7000-a000-' || lpad(to_hex(n), 12, '0'))::uuid $$;
  create function pg_temp.at(n bigint) returns timestamptz language sql immutable as
    $$ select timestamptz '${year}-01-01Z' + (n::float8 / ${count}) * interval '365 days' $$;
  insert into campaigns (program_id, id, name, url, private, is_default, reward_type, commission_basis_points, commission_currency,
      minimum_payout_cents, days_before_referrals_expire, days_before_commissions_are_due, created_at, updated_at)
    select p, pg_temp.id('c', n), 'Campaign ' || n, 'https://acme.test/start', false, false, 'percent', 2000, 'usd', 0, 60, 30,
      pg_temp.at(0), pg_temp.at(0) from seed, generate_series(0, 4) n;
  insert into affiliates (program_id, id, campaign_id, email, email_key, first_name, last_name, state, created_at, updated_at)
    select p, pg_temp.id('a', n), pg_temp.id('c', n % 5), n || '@example.com', n || '@example.com', 'Ada', 'Affiliate ' || n,
      'active', pg_temp.at(0), pg_temp.at(0) from seed, generate_series(0, affiliates - 1) n;
  insert into affiliate_coupons (program_id, id, affiliate_id, first_of, token, token_key, created_at, updated_at)
    select p, pg_temp.id('6', n), pg_temp.id('a', n), pg_temp.id('a', n), 'ADA' || n, 'ada' || n, pg_temp.at(0), pg_temp.at(0)
    from seed, generate_series(0, affiliates - 1, 2) n;
  insert into affiliate_links (program_id, id, affiliate_id, token, token_key, created_at, updated_at)
    select p, pg_temp.id('1', n), pg_temp.id('a', n), 't' || n, 't' || n, pg_temp.at(0), pg_temp.at(0)
    from seed, generate_series(0, affiliates - 1) n;
  create temp table made as
    select p, n, pg_temp.at(n) as at, pg_temp.id('a', a) as affiliate, pg_temp.id('c', a % 5) as campaign,
      pg_temp.id('1', a) as link, pg_temp.id('2', n) as referral, pg_temp.id('4', n) as sale, 1000 + n % 9000 as cents
    from seed, generate_series(0, sales - 1) n, lateral (select (affiliates * power(random(), 2))::int % affiliates as a where n is not null) picked;
  insert into referrals (program_id, id, affiliate_id, campaign_id, link_id, became_lead_at, became_conversion_at, expires_at, created_at, updated_at)
    select p, referral, affiliate, campaign, link, at, at, at + interval '60 days', at - interval '1 hour', at from made
    union all
    select p, pg_temp.id('3', n), affiliate, campaign, link, null, null, at + interval '60 days', at, at from made;
  insert into sales (program_id, id, external_id, referral_id, affiliate_id, campaign_id, amount_cents, currency, attributed_by, occurred_at, created_at, updated_at)
    select p, sale, n::text, referral, affiliate, campaign, cents, 'usd', 'referral_id', at, at, at from made;
  insert into commissions (program_id, id, sale_id, referral_id, affiliate_id, campaign_id, currency, amount_cents, rule_reward_type,
      rule_basis_points, rule_days_before_due, occurred_at, due_at, due_noted_at, paid_at, voided_at, created_at, updated_at)
    select p, pg_temp.id('5', n), sale, referral, affiliate, campaign, 'usd', cents / 5, 'percent', 2000, 30, at,
      at + interval '30 days', at + interval '30 days', case when n % 2 = 0 then at + interval '40 days' end, case when n % 20 = 1 then at + interval '1 day' end, at, at
    from made;
  insert into money_events (program_id, id, commission_id, kind, delta_cents, currency, paid_at, actor_kind, request_id, at)
    select p, pg_temp.id('7', n), pg_temp.id('5', n), 'earned'::money_event_kind, cents / 5, 'usd', null, 'system'::actor_kind, 'bench', at from made
    union all
    select p, pg_temp.id('8', n), pg_temp.id('5', n), 'paid'::money_event_kind, 0, 'usd', at + interval '40 days', 'system'::actor_kind, 'bench', at + interval '40 days'
      from made where n % 2 = 0
    union all
    select p, pg_temp.id('9', n), pg_temp.id('5', n), 'voided'::money_event_kind, 0, 'usd', null, 'system'::actor_kind, 'bench', at + interval '1 day'
      from made where n % 20 = 1;
  update affiliates a set visitors = 2 * counted.sales, leads = counted.sales, conversions = counted.sales
    from (select p, affiliate, count(*) as sales from made group by 1, 2) counted
    where a.program_id = counted.p and a.id = counted.affiliate;
  update affiliate_links l set visitors = 2 * counted.sales, leads = counted.sales, conversions = counted.sales
    from (select p, link, count(*) as sales from made group by 1, 2) counted
    where l.program_id = counted.p and l.id = counted.link;
  drop table seed, made;
  set session_replication_role = origin;
  select analytics_rebuild();
  select list_counts_rebuild()`

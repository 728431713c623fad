import type pg from 'pg'

/** How often a visitor comes. */
export const visitsOfReferral = 10

/**
 * Inserts visits with their referrals, evenly over the last year, and events for the last 90 days of them: the rows of the one click in
 * the database, with other ids and times. Indexes are made afterwards, as a restore does.
 */
export async function fillVisits(client: pg.Client, programId: string, count: number): Promise<void> {
  const tables = `'{visits,referrals,events,event_states}'::regclass[]`
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(`
    select indexrelid::regclass::text as name, replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') as definition from pg_index
    where indrelid = any(${tables}) and not indisunique`)
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  await client.query(`
    set session_replication_role = replica;
    create function pg_temp.at(n bigint) returns timestamptz language sql stable as
      $$ select date_trunc('hour', now()) - interval '365 days' + (n::float8 / ${count}) * interval '365 days' $$;
    create function pg_temp.id(n bigint, kind int) returns uuid language sql stable as
      $$ select (lpad(to_hex((extract(epoch from pg_temp.at(n)) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(kind), 3, '0')
        || 'a' || substr(md5(n::text), 1, 3) || lpad(to_hex(n), 12, '0'))::uuid $$;
    create temp table link as select row_number() over (order by id) - 1 as n, * from affiliate_links where program_id = '${programId}';
    create temp table made as select n, pg_temp.at(n) as at, pg_temp.id(n, 1) as visit, pg_temp.id(n - n % ${visitsOfReferral}, 2) as referral,
        ((select count(*) from link) * power(random(), 2))::int % (select count(*) from link) as link
      from generate_series(0::bigint, ${count - 1}) n;
    create temp view first as select * from made where n % ${visitsOfReferral} = 0;
    insert into referrals (program_id, id, affiliate_id, campaign_id, link_id, expires_at, is_counted, created_at, updated_at)
      select r.program_id, referral, l.affiliate_id, r.campaign_id, l.id, made.at + (r.expires_at - r.created_at), true, made.at, made.at
      from first made join link l on l.n = made.link, (select * from referrals limit 1) r;
    insert into visits (program_id, id, link_id, referral_id, visitor_hash, url, referrer, at)
      select v.program_id, visit, l.id, referral, translate(v.visitor_hash, 'abcdef', substr(md5(made.n::text), 1, 6)), v.url, v.referrer, made.at
      from made join link l on l.n = made.link, (select * from visits limit 1) v;
    insert into event_states (program_id, id, rows)
      select s.program_id, pg_temp.id(n, 3), s.rows
      from first made, (select s.* from event_states s join events e on e.program_id = s.program_id and e.state_id = s.id
        where e.type = 'referral.created' limit 1) s where made.at > now() - interval '90 days';
    insert into events (program_id, id, type, subject, subject_id, version, affiliate_id, campaign_id, actor_kind, request_id, state_id, created_at, transaction)
      select e.program_id, pg_temp.id(made.n, 4), e.type, e.subject, referral, 1000 * extract(epoch from made.at)::bigint, l.affiliate_id, e.campaign_id,
        e.actor_kind, e.request_id, pg_temp.id(made.n, 3), made.at, e.transaction
      from first made join link l on l.n = made.link, (select * from events where type = 'referral.created' limit 1) e
      where made.at > now() - interval '90 days';
    drop view first;
    drop table made, link;
    set session_replication_role = origin`)
  for (const { definition } of indexes) await client.query(definition)
  await client.query('vacuum analyze')
}

const months = 12

/** Puts visits into partitions by month, as they are after a year in which each month had enough of them. */
export async function partitionVisits(client: pg.Client): Promise<void> {
  const startOf = (month: number) => `least_id(date_trunc('day', now()) + ${month - months} * interval '30.5 days')`
  await client.query('begin')
  for (let month = 0; month <= months; month += 1)
    await client.query(`select create_partition('visits', 'visits_month_${month}')`)
  await client.query('alter table visits detach partition visits_first')
  for (let month = 0; month <= months; month += 1) {
    const { rows } = await client.query<{ from: string; to: string }>(
      `select ${startOf(month)}::text as from, ${startOf(month + 1)}::text as to`,
    )
    const [bounds] = rows as [{ from: string; to: string }]
    const from = month === 0 ? 'minvalue' : `'${bounds.from}'`
    const to = month === months ? 'maxvalue' : `'${bounds.to}'`
    await client.query(`insert into visits_month_${month} select * from visits_first
      where ${month === 0 ? 'true' : `id >= ${from}`} and ${month === months ? 'true' : `id < ${to}`}`)
    await client.query(`alter table visits attach partition visits_month_${month} for values from (${from}) to (${to})`)
  }
  await client.query('drop table visits_first')
  await client.query('commit')
  await client.query('vacuum analyze')
}

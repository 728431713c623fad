// Checks the chain of statements and months, and that they say what the ledger says.

const sha256 = (text: string) => `encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`

/** Statements of months that are signed. */
const signed = `(select s.*, m.until_at from statements s
  join statement_months m on m.program_id = s.program_id and m.id = s.month_id where m.closed_at is not null)`

export const statementInvariants = [
  {
    name: 'statements-follow-each-other',
    promise: 'A statement opens where the one before closed, and names its hash. The numbers have no gap.',
    sql: `select s.program_id, s.id, format('number %s, opening %s, before %s', s.number, s.opening_cents, b.closing_cents) as detail
      from statements s left join statements b on b.program_id = s.program_id and b.affiliate_id = s.affiliate_id
        and b.currency = s.currency and b.number = s.number - 1
      where case when s.number = 1 then s.previous_hash is not null
        else b.id is null or b.closing_cents <> s.opening_cents or b.hash is distinct from s.previous_hash or b.month >= s.month end`,
  },
  {
    name: 'months-follow-each-other',
    promise: 'A closed month begins when the one before ended. The numbers have no gap.',
    sql: `select m.program_id, m.id, format('%s, from %s, before until %s', m.month, m.from_at, b.until_at) as detail
      from statement_months m left join statement_months b on b.program_id = m.program_id and b.number = m.number - 1
      where m.number > 1 and (b.id is null or b.until_at <> m.from_at or b.closed_at is null)`,
  },
  {
    name: 'closed-month-has-its-statements',
    promise: 'A signed month has as many statements as were signed, each in its place.',
    sql: `select m.program_id, m.id, format('%s signed, %s found', m.count, count(s.id)) as detail
      from statement_months m left join statements s on s.program_id = m.program_id and s.month_id = m.id
      where m.closed_at is not null group by m.program_id, m.id, m.count
      having m.count <> count(s.id) or m.count <> count(distinct s.index) or m.count <> coalesce(max(s.index), -1) + 1`,
  },
]

/** They read each statement, so they are for the command. */
export const expensiveStatementInvariants = [
  {
    name: 'statement-is-what-was-signed',
    promise: 'The hash of a statement is that of its header, and the header has the hash of each line.',
    sql: `select s.program_id, s.id, 'the hash differs' as detail from ${signed} s
      where s.hash <> ${sha256('s.header')} or (s.header::jsonb ->> 'openingCents')::bigint <> s.opening_cents
        or (s.header::jsonb ->> 'closingCents')::bigint <> s.closing_cents
        or s.header::jsonb -> 'lines' <> (
          select coalesce(jsonb_agg(${sha256('line::text')} order by place), '[]')
          from json_array_elements(s.lines::json) with ordinality as lines (line, place))`,
  },
  {
    name: 'statements-say-what-the-ledger-says',
    promise: 'The last statement of an affiliate in a currency closes with what the facts until then say is owed.',
    sql: `with closed as (
        select program_id, max(until_at) as until_at from statement_months where closed_at is not null group by program_id
      ), folded as (
        select c.program_id, c.currency, coalesce((
            select f.affiliate_id from former_earnings f
            where f.program_id = c.program_id and f.kind = 'commission' and f.row_id = c.id and f.booked_at >= closed.until_at
            order by f.id limit 1), c.affiliate_id) as affiliate_id,
          sum(e.delta_cents) as cents,
          sum(case e.kind when 'voided' then 1 when 'unvoided' then -1 when 'paid' then 1 when 'unpaid' then -1 else 0 end) as settled
        from closed join commissions c on c.program_id = closed.program_id
          join money_events e on e.program_id = c.program_id and e.commission_id = c.id
          left join late_facts l on l.program_id = e.program_id and l.kind = 'money' and l.fact_id = e.id
        where coalesce(l.booked_at, e.at) < closed.until_at
        group by c.program_id, c.id, c.currency, c.affiliate_id, closed.until_at
      ), owed as (
        select program_id, affiliate_id, currency, sum(cents) as cents from folded where settled = 0
        group by program_id, affiliate_id, currency
      ), last as (
        select distinct on (program_id, affiliate_id, currency) program_id, id, affiliate_id, currency, closing_cents
        from ${signed} s order by program_id, affiliate_id, currency, number desc
      )
      select program_id, coalesce(last.id, affiliate_id) as id, format('closed with %s, facts %s', coalesce(closing_cents, 0), coalesce(cents, 0)) as detail
      from owed full join last using (program_id, affiliate_id, currency)
      where coalesce(cents, 0) <> coalesce(closing_cents, 0)`,
  },
]

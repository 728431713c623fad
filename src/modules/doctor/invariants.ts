import { analyticsInvariants } from './analytics.ts'
import { givenInvariants } from './given-commissions.ts'
import { listInvariants } from './lists.ts'
import { measureInvariants } from './measures.ts'
import { payoutRunInvariants } from './payout-runs.ts'
import { payoutServiceInvariants } from './payout-services.ts'
import { refundInvariants } from './refunds.ts'
import { ruleInvariants } from './rules.ts'
import { expensiveStatementInvariants, statementInvariants } from './statements.ts'

/** A rule that is always true of the data. `sql` selects the rows that violate it: program_id, id and detail. */
export type Invariant = { name: string; promise: string; sql: string }

const counters = (name: string, table: string, key: string): Invariant[] =>
  [
    ['visitors', 'r.is_counted'],
    ['leads', 'r.became_lead_at is not null'],
    ['conversions', 'r.became_conversion_at is not null'],
  ].map(([counter, counts]) => ({
    name: `${name}-${counter}`,
    promise: `The counter \`${counter}\` of ${table} equals the number of such referrals.`,
    sql: `
      select t.program_id, t.id, format('%s is %s, but there are %s', '${counter}', t.${counter}, count(r.id) filter (where ${counts})) as detail
      from ${table} t left join referrals r on r.program_id = t.program_id and r.${key} = t.id
      group by t.program_id, t.id, t.${counter}
      having t.${counter} <> count(r.id) filter (where ${counts})`,
  }))

/** Whether the row was imported from another server, where other rules may apply. */
const imported = (kind: string, row: string) =>
  `exists (select 1 from imported_records i where i.program_id = ${row}.program_id and i.id = ${row}.id and i.kind = '${kind}')`

/** The last fact of a kind for each commission. */
const last = (kind: 'paid' | 'rescheduled') => `
  select distinct on (program_id, commission_id) program_id, commission_id, at, due_at, paid_at
  from money_events where kind = '${kind}' order by program_id, commission_id, id desc`

/** Those of money and attribution, which the service checks by itself. */
export const cheapInvariants: readonly Invariant[] = [
  {
    name: 'commission-is-sum-of-facts',
    promise: "A commission's amount is the sum of the deltas of its facts.",
    sql: `select c.program_id, c.id, format('amount %s, facts %s', c.amount_cents, coalesce(sum(e.delta_cents), 0)) as detail
     from commissions c left join money_events e on e.program_id = c.program_id and e.commission_id = c.id
     group by c.program_id, c.id, c.amount_cents having c.amount_cents <> coalesce(sum(e.delta_cents), 0)`,
  },
  {
    name: 'commission-is-earned-once',
    promise: 'Every commission has exactly one fact that it was earned.',
    sql: `select c.program_id, c.id, format('%s facts', count(e.id)) as detail
      from commissions c left join money_events e on e.program_id = c.program_id and e.commission_id = c.id and e.kind = 'earned'
      group by c.program_id, c.id having count(e.id) <> 1`,
  },
  {
    name: 'void-and-paid-are-facts',
    promise: 'A commission is void or paid exactly if a fact records it and no later fact reverses it.',
    sql: `select c.program_id, c.id, format('%s void, %s unvoided, %s paid, %s unpaid', count(e.id) filter (where e.kind = 'voided'), count(e.id) filter (where e.kind = 'unvoided'), count(e.id) filter (where e.kind = 'paid'), count(e.id) filter (where e.kind = 'unpaid')) as detail
      from commissions c left join money_events e on e.program_id = c.program_id and e.commission_id = c.id
      group by c.program_id, c.id, c.voided_at, c.paid_at
      having count(e.id) filter (where e.kind = 'voided') - count(e.id) filter (where e.kind = 'unvoided') <> (c.voided_at is not null)::int
        or count(e.id) filter (where e.kind = 'paid') - count(e.id) filter (where e.kind = 'unpaid') <> (c.paid_at is not null)::int`,
  },
  {
    name: 'payable-payouts-reach-their-minimum',
    promise:
      'The payouts that can be paid are exactly the open ones, in no open run, that reach the minimum of their campaign, and of which something would leave.',
    sql: `select o.program_id, o.id, format('payable %s, amount %s, minimum %s', o.is_payable, o.amount_cents, minimum_payout(c, o.currency)) as detail
      from payouts o join affiliates a on a.program_id = o.program_id and a.id = o.affiliate_id
        join campaigns c on c.program_id = a.program_id and c.id = a.campaign_id
      where o.is_payable <> (o.paid_at is null and o.failed_at is null and o.sent_at is null and o.amount_cents > 0
        and o.amount_cents >= minimum_payout(c, o.currency) and not is_all_withheld(o.amount_cents, withholding_of(a))
        and not exists (select from payout_run_items item
          where item.program_id = o.program_id and item.payout_id = o.id and item.state in ('prepared', 'sent', 'unclaimed') and not item.is_extra))`,
  },
  {
    name: 'facts-keep-the-currency',
    promise: 'A fact has the currency of its commission.',
    sql: `select e.program_id, e.id, format('%s, commission %s', e.currency, c.currency) as detail
      from money_events e join commissions c on c.program_id = e.program_id and c.id = e.commission_id
      where e.currency <> c.currency`,
  },
  {
    name: 'paid-in-a-paid-payout',
    promise:
      'A paid commission is in a payout that was paid at the same instant, or in none if it was marked as paid outside of any payout.',
    sql: `select c.program_id, c.id, coalesce(format('payout %s', c.payout_id), 'no payout') as detail
      from commissions c
      left join payouts p on p.program_id = c.program_id and p.id = c.payout_id
      left join (${last('paid')}) e on e.program_id = c.program_id and e.commission_id = c.id
      where c.paid_at is not null
        and case when e.paid_at is null then p.id is null or p.paid_at is distinct from c.paid_at else c.payout_id is not null end`,
  },
  {
    name: 'payout-of-one-affiliate-and-currency',
    promise: 'A payout holds only commissions of its own affiliate and currency.',
    sql: `select c.program_id, c.id, format('payout %s', p.id) as detail
      from commissions c join payouts p on p.program_id = c.program_id and p.id = c.payout_id
      where c.affiliate_id <> p.affiliate_id or c.currency <> p.currency`,
  },
  {
    name: 'payout-is-sum-of-commissions',
    promise: 'The amount of a payout is the sum of its commissions, unless its payment failed.',
    sql: `select p.program_id, p.id, format('amount %s, commissions %s', p.amount_cents, coalesce(sum(c.amount_cents), 0)) as detail
     from payouts p left join commissions c on c.program_id = p.program_id and c.payout_id = p.id
     where p.failed_at is null
     group by p.program_id, p.id, p.amount_cents having p.amount_cents <> coalesce(sum(c.amount_cents), 0)`,
  },
  {
    name: 'payout-history-adds-up',
    promise: 'The changes in the history of a payout add up to its amount.',
    sql: `select p.program_id, p.id, format('amount %s, history %s', p.amount_cents, sum(c.delta)) as detail
     from payouts p join (
       select program_id, subject_id, action,
         coalesce((fields->'amountCents'->>1)::bigint, 0) - coalesce((fields->'amountCents'->>0)::bigint, 0) as delta
       from changes where subject = 'payout'
     ) c on c.program_id = p.program_id and c.subject_id = p.id
     group by p.program_id, p.id, p.amount_cents
     having bool_or(c.action = 'opened') and p.amount_cents <> sum(c.delta)`,
  },
  {
    name: 'payout-is-not-empty',
    promise: 'Every payout has commissions, unless its payment failed. Another empty payout is deleted.',
    sql: `select p.program_id, p.id, 'no commissions' as detail from payouts p
      where p.failed_at is null
        and not exists (select 1 from commissions c where c.program_id = p.program_id and c.payout_id = p.id)`,
  },
  {
    name: 'paid-payout-is-paid-whole',
    promise: 'All commissions of a paid payout are paid.',
    sql: `select c.program_id, c.id, format('payout %s', p.id) as detail
      from payouts p join commissions c on c.program_id = p.program_id and c.payout_id = p.id
      where p.paid_at is not null and c.paid_at is null`,
  },
  {
    name: 'payout-is-not-negative',
    promise: 'No payout is negative. A debt is carried forward to later commissions.',
    sql: `select program_id, id, format('amount %s', amount_cents) as detail from payouts where amount_cents < 0`,
  },
  {
    name: 'void-is-in-no-payout',
    promise: 'A void commission is in no payout and is not paid.',
    sql: `select program_id, id, coalesce(format('payout %s', payout_id), 'paid') as detail from commissions
      where voided_at is not null and (payout_id is not null or paid_at is not null)`,
  },
  {
    name: 'payment-is-a-fact-of-its-moment',
    promise: 'The fact that a commission was paid has the time of the payment, or names it.',
    sql: `select c.program_id, c.id, format('paid %s, fact %s', c.paid_at, coalesce(e.paid_at, e.at)) as detail
      from commissions c join (${last('paid')}) e on e.program_id = c.program_id and e.commission_id = c.id
      where c.paid_at is not null and c.paid_at <> coalesce(e.paid_at, e.at)`,
  },
  {
    name: 'reference-means-paid',
    promise: 'Only a paid payout has a payment reference.',
    sql: `select program_id, id, format('reference %s', reference) as detail from payouts
      where reference is not null and paid_at is null`,
  },
  {
    name: 'due-follows-from-the-sale',
    promise:
      "A commission is due the rule's number of days after its sale, or at the date of the last fact that rescheduled it.",
    sql: `select c.program_id, c.id, format('due %s, sale %s, moved to %s', c.due_at, s.occurred_at, e.due_at) as detail
      from commissions c
      join sales s on s.program_id = c.program_id and s.id = c.sale_id
      left join (${last('rescheduled')}) e on e.program_id = c.program_id and e.commission_id = c.id
      where c.refund_id is null
        and (c.occurred_at <> s.occurred_at
          or c.due_at <> coalesce(e.due_at, s.occurred_at + make_interval(hours => 24 * c.rule_days_before_due)))`,
  },
  {
    name: 'commission-belongs-to-its-sale',
    promise:
      'A commission has the referral, affiliate and campaign of its sale. A sale has the affiliate and campaign of its referral.',
    sql: `select s.program_id, s.id, 'sale and referral' as detail
      from sales s join referrals r on r.program_id = s.program_id and r.id = s.referral_id
      where (s.affiliate_id, s.campaign_id) <> (r.affiliate_id, r.campaign_id)
      union all
      select c.program_id, c.id, 'commission and sale'
      from commissions c join sales s on s.program_id = c.program_id and s.id = c.sale_id
      where (c.referral_id, c.affiliate_id, c.campaign_id) <> (s.referral_id, s.affiliate_id, s.campaign_id)
      union all
      select c.program_id, c.id, 'commission and the sale of its refund'
      from commissions c join refunds r on r.program_id = c.program_id and r.id = c.refund_id
      where r.sale_id <> c.sale_id`,
  },
  {
    name: 'sale-earns-or-says-why-not',
    promise:
      'A sale has either a commission or a reason why it has none. A commission that was calculated again to nothing is void. One that was paid before its attribution was undone stays, and is corrected.',
    sql: `select s.program_id, s.id, coalesce(s.no_commission_reason::text, 'no reason') as detail
      from sales s left join commissions c on c.program_id = s.program_id and c.sale_id = s.id and c.refund_id is null
      where (c.id is null or c.voided_at is not null and c.amount_cents = 0 and s.no_commission_reason is not null)
        <> (s.no_commission_reason is not null)
        and (s.no_commission_reason is distinct from 'attribution_undone' or c.voided_at is not null)`,
  },
  ...refundInvariants,
  ...givenInvariants,
  ...payoutRunInvariants,
  ...payoutServiceInvariants,
  ...ruleInvariants,
  ...statementInvariants,
  {
    name: 'held-is-in-no-payout',
    promise: 'A held commission is in no payout and is not paid, and one that is not held has no further reasons.',
    sql: `select program_id, id, held_reason::text as detail from commissions
      where held_reason is not null and (paid_at is not null or payout_id is not null)
        or held_reason is null and further_held_reasons is not null`,
  },
  {
    name: 'most-commissions-are-kept',
    promise:
      'No referral has more commissions that are not void than the rule of the last of them allowed, without those that came back when a refund was reversed, and those that a correction follows.',
    sql: `select c.program_id, c.id, format('%s of %s', count(e.id), c.rule_max_commissions) as detail
      from commissions c
      join commissions e on e.program_id = c.program_id and e.referral_id = c.referral_id
        and e.refund_id is null and e.voided_at is null and (e.occurred_at, e.id) <= (c.occurred_at, c.id)
        and not exists (select from commissions n where n.program_id = e.program_id and n.corrects_sale_id = e.sale_id)
        and not exists (select from money_events f where f.program_id = e.program_id and f.commission_id = e.id and f.kind in ('unvoided', 'amended'))
      where c.refund_id is null and c.voided_at is null and c.rule_max_commissions is not null
      group by c.program_id, c.id, c.rule_max_commissions having count(e.id) > c.rule_max_commissions`,
  },
  {
    name: 'commission-period-is-kept',
    promise:
      "No sale with a commission that is not void occurred after the commission period, which starts with the referral's first commission.",
    sql: `select c.program_id, c.id, format('occurred %s, period began %s', c.occurred_at, min(e.occurred_at)) as detail
      from commissions c
      join commissions e on e.program_id = c.program_id and e.referral_id = c.referral_id and e.refund_id is null
        and (e.occurred_at, e.id) < (c.occurred_at, c.id) and (e.voided_at is null or e.amount_cents > 0)
      where c.refund_id is null and c.rule_max_period_in_months is not null and c.voided_at is null
        and not exists (select from commissions n where n.program_id = c.program_id and n.corrects_sale_id = c.sale_id)
      group by c.program_id, c.id, c.occurred_at, c.rule_max_period_in_months
      having c.occurred_at >= (min(e.occurred_at) at time zone 'UTC' + make_interval(months => c.rule_max_period_in_months)) at time zone 'UTC'`,
  },
  {
    name: 'conversion-means-a-sale',
    promise:
      'A referral is a conversion exactly if it has a sale or was imported as one. Every conversion is also a lead.',
    sql: `select r.program_id, r.id, format('converted %s, lead %s', r.became_conversion_at, r.became_lead_at) as detail
      from referrals r
      where ((r.became_conversion_at is not null)
          <> exists (select 1 from sales s where s.program_id = r.program_id and s.referral_id = r.id)
          and not (r.became_conversion_at is not null and ${imported('referral', 'r')}))
        or (r.became_conversion_at is not null and r.became_lead_at is null)`,
  },
  {
    name: 'only-sandboxes-have-a-clock',
    promise: 'Only the clock of a sandbox is advanced, and it is never set back.',
    sql: `select id as program_id, id, format('%s days', clock_advanced_by_days) as detail from programs
      where clock_advanced_by_days < 0 or (clock_advanced_by_days > 0 and not is_sandbox)`,
  },
  {
    name: 'one-default-campaign',
    promise: 'Every program has exactly one default campaign.',
    sql: `select p.id as program_id, p.id, format('%s', count(c.id)) as detail
      from programs p left join campaigns c on c.program_id = p.id and c.is_default
      group by p.id having count(c.id) <> 1`,
  },
  {
    name: 'referral-came-through-its-affiliate',
    promise: 'The link or coupon of a referral belongs to the affiliate of the referral.',
    sql: `select r.program_id, r.id, 'link' as detail
      from referrals r join affiliate_links l on l.program_id = r.program_id and l.id = r.link_id
      where l.affiliate_id <> r.affiliate_id
      union all
      select r.program_id, r.id, 'coupon'
      from referrals r join affiliate_coupons k on k.program_id = r.program_id and k.id = r.coupon_id
      where k.affiliate_id <> r.affiliate_id`,
  },
  {
    name: 'first-coupon-is-the-oldest',
    promise: 'The first coupon of an affiliate is the oldest one that is not archived.',
    sql: `select k.program_id, k.id, format('affiliate %s', k.affiliate_id) as detail from affiliate_coupons k
      where (k.first_of is not null) <> (k.archived_at is null and not exists (select from affiliate_coupons o
        where o.program_id = k.program_id and o.affiliate_id = k.affiliate_id and o.archived_at is null and o.id < k.id))`,
  },
  {
    name: 'visit-is-of-its-referral',
    promise: 'A tracked visit has the link and the creation time of the referral that it created.',
    sql: `select v.program_id, v.id, format('referral %s', r.id) as detail
      from visits v join referrals r on r.program_id = v.program_id and r.id = v.referral_id
      where r.link_id is distinct from v.link_id or r.created_at <> v.at`,
  },
]

/** What reads every visit and fact, in groups: minutes for a million rows. */
const expensiveInvariants: readonly Invariant[] = [
  ...counters('affiliate', 'affiliates', 'affiliate_id'),
  ...counters('link', 'affiliate_links', 'link_id'),
  ...counters('coupon', 'affiliate_coupons', 'coupon_id'),
  ...analyticsInvariants,
  ...listInvariants,
  ...measureInvariants,
  ...expensiveStatementInvariants,
]

/** These are true after every transaction, also after retries, races and crashes. */
export const invariants: readonly Invariant[] = [...cheapInvariants, ...expensiveInvariants]

import { byHand } from '../payout-methods/manual.ts'

// Checks what runs promise of their payouts.

const open = `('prepared', 'sent', 'unclaimed')`
const undecided = `('prepared', 'sent')`
const back = `('failed', 'returned')`

/** What the payment `i` settles: what is gone, and what is withheld with it. */
const settled = '(i.gone_cents + withheld_with(i.amount_cents, i.withheld_cents, i.gone_cents))'

/** Whether another payment pays the payout of `i`, or has paid it. */
const otherPays = `exists (select from payout_run_items o where o.program_id = i.program_id and o.payout_id = i.payout_id
  and o.id <> i.id and not o.is_extra and (o.state in ${open} or o.gone_cents > 0))`

export const payoutRunInvariants = [
  {
    name: 'payout-is-in-one-open-run',
    promise: 'A payout is in at most one open run.',
    sql: `select program_id, payout_id as id, format('%s open runs', count(*)) as detail from payout_run_items
      where state in ${open} and not is_extra group by program_id, payout_id having count(*) > 1`,
  },
  {
    name: 'run-is-sum-of-its-items',
    promise: 'The number and the sum of a run are those of its payments.',
    sql: `select r.program_id, r.id, format('%s of %s, payments %s of %s', r.payout_count, r.amount_cents, count(i.id), coalesce(sum(i.amount_cents), 0)) as detail
      from payout_runs r left join payout_run_items i on i.program_id = r.program_id and i.run_id = r.id
      group by r.program_id, r.id, r.payout_count, r.amount_cents
      having r.payout_count <> count(i.id) or r.amount_cents <> coalesce(sum(i.amount_cents), 0)`,
  },
  {
    name: 'run-keeps-its-file',
    promise: 'A run has all parts of its file, from the first to the last. A run without a file has no parts.',
    sql: `select r.program_id, r.id, format('file %s, %s parts', r.file_name, count(p.number)) as detail
      from payout_runs r left join payout_run_file_parts p on p.program_id = r.program_id and p.run_id = r.id
      group by r.program_id, r.id, r.file_name
      having case when r.file_name is null then count(p.number) > 0
        else count(p.number) < 3 or min(p.number) <> 0 or max(p.number) <> count(p.number) - 1 end`,
  },
  {
    name: 'closed-run-has-no-open-payment',
    promise: 'A run is paid or cancelled exactly if none of its payments is open.',
    sql: `select r.program_id, r.id, format('%s, %s open', r.state, count(i.id)) as detail
      from payout_runs r left join payout_run_items i on i.program_id = r.program_id and i.run_id = r.id and i.state in ${undecided}
      group by r.program_id, r.id, r.state having (r.state in ('paid', 'cancelled')) <> (count(i.id) = 0)`,
  },
  {
    name: 'payout-is-paid-as-in-the-file',
    promise:
      'What is gone of a payment, with what is withheld, is the amount of its paid payout, with the corrections for what differs. What was paid beside it is in corrections alone.',
    sql: `select i.program_id, i.id, format('%s settled, payout %s paid %s, corrections %s', ${settled}, p.amount_cents, p.paid_at, coalesce(c.cents, 0)) as detail
      from payout_run_items i
        left join payouts p on p.program_id = i.program_id and p.id = i.payout_id
        left join (
          select program_id, payment_id, sum(amount_cents) as cents from commissions
          where payment_id is not null and payout_id is null and paid_at is not null group by program_id, payment_id
        ) c on c.program_id = i.program_id and c.payment_id = i.id
      where (i.gone_cents > 0 and not i.is_extra and p.paid_at is null) or (i.state = 'paid' and i.gone_cents = 0 and i.amount_cents > 0)
        or ${settled} <> coalesce(c.cents, 0) + case when i.gone_cents > 0 and not i.is_extra then coalesce(p.amount_cents, 0) else 0 end`,
  },
  {
    name: 'owed-is-earned-less-gone',
    promise:
      'What an affiliate is owed in a currency is what was earned, less what is gone and not back by the facts of payments and what is withheld with it, and less what was paid without a run.',
    sql: `select a.program_id, a.affiliate_id as id, format('%s: earned %s, owed %s, settled %s, paid without a run %s', a.currency, a.earned, a.owed, coalesce(g.gone, 0), coalesce(w.cents, 0)) as detail
      from (
        select program_id, affiliate_id, currency, sum(amount_cents) as earned, coalesce(sum(amount_cents) filter (where paid_at is null), 0) as owed
        from commissions where voided_at is null group by program_id, affiliate_id, currency
      ) a
      left join (
        select program_id, affiliate_id, currency, sum(${settled}) as gone from payout_run_items i group by program_id, affiliate_id, currency
      ) g on g.program_id = a.program_id and g.affiliate_id = a.affiliate_id and g.currency = a.currency
      left join (
        select c.program_id, c.affiliate_id, c.currency, sum(c.amount_cents) as cents from commissions c
        where c.paid_at is not null and c.voided_at is null and not (c.payment_id is not null and c.payout_id is null)
          and not exists (select from payout_run_items i where i.program_id = c.program_id and i.payout_id = c.payout_id
            and i.gone_cents > 0 and not i.is_extra)
        group by c.program_id, c.affiliate_id, c.currency
      ) w on w.program_id = a.program_id and w.affiliate_id = a.affiliate_id and w.currency = a.currency
      where a.owed <> a.earned - coalesce(g.gone, 0) - coalesce(w.cents, 0)`,
  },
  {
    name: 'withheld-is-booked',
    promise:
      'What the ledger has as withheld of an affiliate in a currency is what is withheld of the payments that are gone.',
    sql: `select program_id, affiliate_id as id, format('%s: %s by payments, %s booked', currency, sum(paid), sum(booked)) as detail
      from (
        select i.program_id, i.affiliate_id, i.currency, withheld_with(i.amount_cents, i.withheld_cents, i.gone_cents) as paid, 0 as booked
        from payout_run_items i where i.withheld_cents > 0
        union all
        select e.program_id, c.affiliate_id, e.currency, 0, e.withheld_cents
        from money_events e join commissions c on c.program_id = e.program_id and c.id = e.commission_id where e.withheld_cents is not null
      ) withheld
      group by program_id, affiliate_id, currency having sum(paid) <> sum(booked)`,
  },
  {
    name: 'sent-payout-is-fixed',
    promise: 'An open payout is marked as sent exactly if its payment was sent, or waits to be claimed.',
    sql: `select i.program_id, i.id, format('%s, payout sent %s', i.state, p.sent_at) as detail
      from payout_run_items i join payouts p on p.program_id = i.program_id and p.id = i.payout_id
      where i.state in ('sent', 'unclaimed') and not i.is_extra and p.sent_at is null and p.paid_at is null and p.failed_at is null
      union all
      select p.program_id, p.id, 'sent in no run' from payouts p
      where p.sent_at is not null and p.paid_at is null
        and not exists (select from payout_run_items i where i.program_id = p.program_id and i.payout_id = p.id and i.state in ('sent', 'unclaimed') and not i.is_extra)`,
  },
  {
    name: 'failed-payout-is-given-back',
    promise: 'A payout whose payment failed is not paid, and has no commissions: they are due again.',
    sql: `select p.program_id, p.id, format('paid %s, %s commissions', p.paid_at, count(c.id)) as detail
      from payouts p left join commissions c on c.program_id = p.program_id and c.payout_id = p.id
      where p.failed_at is not null
      group by p.program_id, p.id, p.paid_at having p.paid_at is not null or count(c.id) > 0`,
  },
  {
    name: 'payment-that-came-back-closes-its-payout',
    promise:
      'A payment that failed or came back is of a payout that is closed as failed, unless another payment pays it, it was paid beside it, or a person had said before that it was not paid.',
    sql: `select i.program_id, i.id, format('%s, payout failed %s', i.state, p.failed_at) as detail
      from payout_run_items i left join payouts p on p.program_id = i.program_id and p.id = i.payout_id
      where i.state in ${back} and p.id is not null and p.failed_at is null and not ${otherPays}
        and not exists (select from commissions c where c.program_id = i.program_id and c.payment_id = i.id)
        and not exists (select from payment_facts f where f.program_id = i.program_id and f.item_id = i.id and f.kind = 'cancelled')`,
  },
  {
    name: 'run-is-approved-by-another',
    promise: 'A run above the limit is sent or paid only after somebody else than who made it has approved it.',
    sql: `select program_id, id, format('prepared by %s, approved by %s', prepared_by_id, approved_by_id) as detail from payout_runs
      where (needs_approval and approved_at is null and (sent_at is not null or paid_at is not null))
        or (approved_at is not null and (approved_by_kind, coalesce(approved_by_id::text, '')) = (prepared_by_kind, coalesce(prepared_by_id::text, '')))`,
  },
  {
    name: 'waiting-payout-is-in-no-new-run',
    promise:
      'No run is made of payouts that wait because the affiliate has changed the payout address, except payments by hand with an API key.',
    // A run that begins in the moment of the change still has the old address.
    sql: `select i.program_id, i.id, format('run made %s, payouts wait until %s', i.created_at, c.fields->'payoutsHeldUntil'->>1) as detail
      from payout_run_items i
        join payout_runs r on r.program_id = i.program_id and r.id = i.run_id
        join changes c on c.program_id = i.program_id and c.subject = 'affiliate' and c.subject_id = i.affiliate_id
          and c.at < i.created_at - interval '1 minute'
      where (c.fields->'payoutsHeldUntil'->>1)::timestamptz > i.created_at
        and not (r.method = '${byHand}' and r.prepared_by_kind = 'api_key')`,
  },
]

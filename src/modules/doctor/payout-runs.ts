// Checks what runs promise of their payouts.

const open = `('prepared', 'sent')`
const back = `('failed', 'returned', 'unclaimed')`

export const payoutRunInvariants = [
  {
    name: 'payout-is-in-one-open-run',
    promise: 'A payout is in at most one open run.',
    sql: `select program_id, payout_id as id, format('%s open runs', count(*)) as detail from payout_run_items
      where state in ${open} group by program_id, payout_id having count(*) > 1`,
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
      from payout_runs r left join payout_run_items i on i.program_id = r.program_id and i.run_id = r.id and i.state in ${open}
      group by r.program_id, r.id, r.state having (r.state in ('paid', 'cancelled')) <> (count(i.id) = 0)`,
  },
  {
    name: 'payout-is-paid-as-in-the-file',
    promise: 'A payment that a run says is paid is of a paid payout, at the amount in the run.',
    sql: `select i.program_id, i.id, format('%s in the run, payout %s paid %s', i.amount_cents, p.amount_cents, p.paid_at) as detail
      from payout_run_items i left join payouts p on p.program_id = i.program_id and p.id = i.payout_id
      where i.state = 'paid' and (p.id is null or p.paid_at is null or p.amount_cents <> i.amount_cents)`,
  },
  {
    name: 'sent-payout-is-fixed',
    promise:
      'A payout whose payment was sent has the amount in the run, and an open payout is marked as sent exactly if its run says so.',
    sql: `select i.program_id, i.id, format('%s in the run, payout %s sent %s', i.amount_cents, p.amount_cents, p.sent_at) as detail
      from payout_run_items i left join payouts p on p.program_id = i.program_id and p.id = i.payout_id
      where i.state = 'sent' and (p.id is null or p.sent_at is null or p.paid_at is not null or p.failed_at is not null or p.amount_cents <> i.amount_cents)
      union all
      select p.program_id, p.id, 'sent in no run' from payouts p
      where p.sent_at is not null and p.paid_at is null
        and not exists (select from payout_run_items i where i.program_id = p.program_id and i.payout_id = p.id and i.state = 'sent')`,
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
    promise: 'A payment that failed, came back or was not claimed is of a payout that is closed as failed.',
    sql: `select i.program_id, i.id, format('%s, payout failed %s', i.state, p.failed_at) as detail
      from payout_run_items i left join payouts p on p.program_id = i.program_id and p.id = i.payout_id
      where i.state in ${back} and p.id is not null and p.failed_at is null`,
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
        and not (r.method = 'manual' and r.prepared_by_kind = 'api_key')`,
  },
]

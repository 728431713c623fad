// Checks what sending runs by services promises.

export const payoutServiceInvariants = [
  {
    name: 'unknown-payment-was-handed-over',
    promise: 'A payment is unknown exactly if its batch was handed over without an answer, and nothing is known of it.',
    sql: `select i.program_id, i.id, format('%s, unknown %s, batch %s', i.state, i.is_unknown, b.state) as detail
      from payout_run_items i left join payout_batches b on b.program_id = i.program_id and b.id = i.batch_id
      where i.is_unknown and (i.state <> 'prepared' or b.state is distinct from 'unknown')
      union all
      select i.program_id, i.id, format('%s, of a batch without an answer', i.state)
      from payout_batches b join payout_run_items i on i.program_id = b.program_id and i.batch_id = b.id
      where b.state = 'unknown' and i.state = 'prepared' and not i.is_unknown`,
  },
  {
    name: 'sent-batch-leaves-nothing-behind',
    promise: "A batch that a service has knows the service's id, and none of its payments waits to be sent.",
    sql: `select b.program_id, b.id, format('service id %s, %s prepared', b.service_id, count(i.id)) as detail
      from payout_batches b
        left join payout_run_items i on i.program_id = b.program_id and i.batch_id = b.id and i.state = 'prepared'
      where b.state in ('sent', 'handed_over') group by b.program_id, b.id, b.service_id having b.service_id is null or count(i.id) > 0`,
  },
  {
    name: 'handed-over-run-is-fixed',
    promise: 'A run of which a service may have a batch is marked so, and its payouts are fixed.',
    sql: `select r.program_id, r.id, format('batch %s, handed over %s, fetched %s', b.number, r.handed_over_at, r.fetched_at) as detail
      from payout_batches b join payout_runs r on r.program_id = b.program_id and r.id = b.run_id
      where b.first_tried_at is not null and (r.handed_over_at is null or r.fetched_at is null)`,
  },
]

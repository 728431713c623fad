// Checks bonuses and corrections: commissions that are given by hand.

export const givenInvariants = [
  {
    name: 'given-has-a-reason',
    promise: 'A bonus or correction has no sale, and its reason is in the fact that it was given.',
    sql: `select c.program_id, c.id, format('%s, sale %s, reason %s', c.kind, c.sale_id, e.reason) as detail
      from commissions c left join money_events e on e.program_id = c.program_id and e.commission_id = c.id and e.kind = 'earned'
      where c.kind in ('bonus', 'correction')
        and (c.sale_id is not null or c.referral_id is not null or c.refund_id is not null or e.reason is distinct from c.reason)`,
  },
  {
    name: 'given-is-due-at-once',
    promise:
      'A bonus or correction that a person gave is due when it is given, or at the date of the last fact that rescheduled it.',
    sql: `select c.program_id, c.id, format('due %s, given %s', c.due_at, c.occurred_at) as detail
      from commissions c
      where c.kind in ('bonus', 'correction') and c.rule_id is null and c.due_at <> coalesce((
        select e.due_at from money_events e where e.program_id = c.program_id and e.commission_id = c.id and e.kind = 'rescheduled'
        order by e.id desc limit 1), c.occurred_at)`,
  },
  {
    name: 'given-keeps-its-amount',
    promise: 'Only a correction is negative without a refund, and its amount is never changed.',
    sql: `select c.program_id, c.id, format('%s of %s, given %s', c.kind, c.amount_cents, c.rule_amount_cents) as detail
      from commissions c
      where (c.kind = 'correction' and c.amount_cents <> c.rule_amount_cents)
        or (c.kind <> 'correction' and c.refund_id is null and c.amount_cents < 0)`,
  },
]

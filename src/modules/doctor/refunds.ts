// Checks what refunds and their reversals leave of sales and commissions.

/** The debts and credits of refunds after payment. A void debt of a reversed refund does not count. */
const afterPayment = `
  select d.program_id, d.sale_id, d.id, d.amount_cents
  from commissions d join refunds r on r.program_id = d.program_id and r.id = d.refund_id
  where d.voided_at is null or r.reversed_at is null`

export const refundInvariants = [
  {
    name: 'refunds-are-of-the-sale',
    promise:
      'The refunded amount of a sale is the sum of its refunds that are not reversed, and at most the amount of the sale.',
    sql: `select s.program_id, s.id, format('refunded %s of %s, refunds %s', s.refunded_cents, s.amount_cents, coalesce(sum(r.amount_cents), 0)) as detail
      from sales s left join refunds r on r.program_id = s.program_id and r.sale_id = s.id and r.reversed_at is null
      group by s.program_id, s.id, s.amount_cents, s.refunded_cents
      having s.refunded_cents <> coalesce(sum(r.amount_cents), 0) or s.refunded_cents > s.amount_cents`,
  },
  {
    name: 'refunds-take-back-what-was-earned',
    promise:
      'Debts from refunds after the payment was made or sent, less the credits of reversed ones, are at most the commission, and equal to it if the sale is refunded in full.',
    sql: `select c.program_id, c.id, format('paid %s, debts and credits %s', c.amount_cents, coalesce(sum(n.amount_cents), 0)) as detail
      from commissions c
      join sales s on s.program_id = c.program_id and s.id = c.sale_id
      left join (${afterPayment}) n on n.program_id = c.program_id and n.sale_id = c.sale_id
      where c.refund_id is null
      group by c.program_id, c.id, c.amount_cents, c.paid_at, c.voided_at, s.amount_cents, s.refunded_cents
      having c.amount_cents + coalesce(sum(n.amount_cents), 0) < 0
        or (s.refunded_cents > 0 and s.refunded_cents = s.amount_cents and c.voided_at is null
          and ((c.paid_at is null and count(n.id) = 0) or c.amount_cents + coalesce(sum(n.amount_cents), 0) <> 0))`,
  },
  {
    name: 'reversed-refunds-count-for-nothing',
    promise:
      'If all refunds of a sale are reversed, it has earned what it did before them: the amount by the last change by hand, else the earned one.',
    sql: `select c.program_id, c.id, format('%s, not %s', c.amount_cents + coalesce(sum(n.amount_cents), 0), set.cents) as detail
      from commissions c
      join sales s on s.program_id = c.program_id and s.id = c.sale_id
      cross join lateral (
        select sum(e.delta_cents) as cents from money_events e where e.program_id = c.program_id and e.commission_id = c.id
          and e.id <= (select l.id from money_events l where l.program_id = c.program_id and l.commission_id = c.id
            and l.kind in ('earned', 'amended') order by l.id desc limit 1)
      ) set
      left join (${afterPayment}) n on n.program_id = c.program_id and n.sale_id = c.sale_id
      where c.refund_id is null and c.voided_at is null and s.refunded_cents = 0
        and not exists (select from money_events e where e.program_id = c.program_id and e.commission_id = c.id and e.kind = 'recalculated')
        and exists (select from refunds r where r.program_id = s.program_id and r.sale_id = s.id)
      group by c.program_id, c.id, c.amount_cents, set.cents
      having c.amount_cents + coalesce(sum(n.amount_cents), 0) <> set.cents`,
  },
  {
    name: 'no-refund-waits-for-a-known-sale',
    promise: 'A refund that waits for its sale is recorded with the sale, unless it had expired or has a problem.',
    sql: `select w.program_id, w.id, format('sale %s', s.id) as detail
      from waiting_refunds w join sales s on s.program_id = w.program_id and s.external_id = w.sale_external_id
      where w.problem is null and w.created_at >= s.created_at - interval '90 days'`,
  },
  {
    name: 'reversals-undo-their-refund',
    promise: 'Only a reversed refund has a credit, and a fact that undoes what a refund did is of a reversed one.',
    sql: `select c.program_id, c.id, format('credit of %s', c.refund_id) as detail
      from commissions c join refunds r on r.program_id = c.program_id and r.id = c.refund_id
      where c.amount_cents > 0 and r.reversed_at is null
      union all
      select e.program_id, e.id, format('%s by %s', e.kind, coalesce(e.refund_id::text, 'no refund'))
      from money_events e left join refunds r on r.program_id = e.program_id and r.id = e.refund_id
      where (e.kind = 'refund_reversed' or e.kind = 'unvoided' and e.refund_id is not null) and r.reversed_at is null`,
  },
]

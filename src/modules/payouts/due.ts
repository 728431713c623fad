import { Prisma } from '../../generated/prisma/client.ts'
import { maxCents } from '../../kernel/money/amounts.ts'

/** Commissions that are neither paid, void nor held: what payouts are, or will be, made of. */
export const unsettled = Prisma.sql`paid_at is null and voided_at is null and held_reason is null`

/**
 * The commissions that are due at a moment, of those that `whose` selects. A payout is exact up to 2^53 - 1 minor units:
 * what would exceed that does not fit, and waits for the next one. Debts come first, so that they are never what waits.
 */
export const dueCommissions = (whose: Prisma.Sql, at: Date): Prisma.Sql => Prisma.sql`
  select id, affiliate_id, currency, amount_cents, payout_id,
    sum(amount_cents) over (partition by affiliate_id, currency order by amount_cents >= 0, due_at, id) <= ${maxCents} as fits
  from commissions where ${whose} and ${unsettled} and due_at <= ${at}::timestamptz`

/**
 * What the rows of `due` come to, by affiliate and currency; amounts of two currencies are never added. Where the amount
 * is negative there is no payout: the debt waits for later commissions.
 */
export const dueGroups = Prisma.sql`
  select affiliate_id, currency, sum(amount_cents) filter (where fits) as amount_cents,
    count(*) filter (where fits) as commissions, -coalesce(sum(amount_cents) filter (where amount_cents < 0), 0) as debt_cents
  from due group by affiliate_id, currency`

import { Prisma } from '../../generated/prisma/client.ts'
import { maxCents } from '../../kernel/money/amounts.ts'
import { commissions } from '../../resources/commissions.ts'
import { payouts } from '../../resources/payouts.ts'

/** Commissions that are neither paid, void nor held. They are in an open payout, or will be once they are due. */
export const payable = Prisma.sql`paid_at is null and voided_at is null and held_reason is null`

/** Payouts that are neither paid nor failed: due commissions are collected into them. */
export const openPayout = payouts.states.sql('pending')

/**
 * The commissions that are due at `at` and match `whose`. `fits` is false for those that would bring the payout above
 * 2^53 - 1 minor units; they wait for the next one. Debts come first in the running sum, so they never wait.
 */
export const dueCommissions = (whose: Prisma.Sql, at: Date): Prisma.Sql => Prisma.sql`
  select id, affiliate_id, currency, amount_cents, payout_id,
    sum(amount_cents) over (partition by affiliate_id, currency order by amount_cents >= 0, due_at, id) <= ${maxCents} as fits
  from commissions where ${whose} and ${commissions.states.sql('due', at)}`

/** The sums of `due`, by affiliate and currency. A negative sum opens no payout: the debt is carried forward. */
export const dueGroups = Prisma.sql`
  select affiliate_id, currency, sum(amount_cents) filter (where fits) as amount_cents,
    count(*) filter (where fits) as commissions, -coalesce(sum(amount_cents) filter (where amount_cents < 0), 0) as debt_cents
  from due group by affiliate_id, currency`

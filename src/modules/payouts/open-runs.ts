import { Prisma } from '../../generated/prisma/client.ts'
import { openPayout } from './due.ts'
import { openItemStates } from './runs/input.ts'

/**
 * Whether the payment `item` is open: it holds its payout. Once money has left, the payout is paid, also if the payment
 * is unclaimed. The names are literals, so that the planner can use the index of open items.
 */
export const openItem = Prisma.raw(
  `item.state in ('${openItemStates.join(`', '`)}') and not item.is_extra and item.gone_cents = 0`,
)

/**
 * Whether `item` is the open payment of a payout. It is looked up by affiliate and currency too: the planner expects
 * few open payments, and may take either of their indexes.
 * @param row an alias of the payout
 */
export const openItemOf = (row: string): Prisma.Sql =>
  Prisma.raw(`item.program_id = ${row}.program_id and item.payout_id = ${row}.id
    and item.affiliate_id = ${row}.affiliate_id and item.currency = ${row}.currency and ${openItem.sql}`)

/** Whether an open run pays the affiliate of a row in its currency. @param row an alias of a row with both */
export const inOpenRun = (row: Prisma.Sql): Prisma.Sql => Prisma.sql`exists (
  select from payout_run_items item where item.program_id = ${row}.program_id and item.affiliate_id = ${row}.affiliate_id
    and item.currency = ${row}.currency and ${openItem})`

/** Open items whose payout has another amount now, or is not open: `item`, for a further condition. */
export const changedItems = Prisma.sql`payout_run_items item
  left join payouts on payouts.program_id = item.program_id and payouts.id = item.payout_id and ${openPayout}
  where ${openItem} and payouts.amount_cents is distinct from item.amount_cents + item.withheld_cents`

import { Prisma } from '../../generated/prisma/client.ts'

/** The states of an item whose run can still pay it. The index of open items has the same condition. */
export const openItem = Prisma.sql`state in ('prepared', 'sent')`

/** Whether an open run pays the affiliate of a row in its currency. @param row an alias of a row with both */
export const inOpenRun = (row: Prisma.Sql): Prisma.Sql => Prisma.sql`exists (
  select from payout_run_items item where item.program_id = ${row}.program_id and item.affiliate_id = ${row}.affiliate_id
    and item.currency = ${row}.currency and item.${openItem})`

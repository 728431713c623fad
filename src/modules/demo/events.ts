import type { Prisma } from '../../generated/prisma/client.ts'
import { eventsOf, recordEvents } from '../events/record.ts'
import type { EventType } from '../events/types.ts'
import type { Rows } from './rows.ts'

const batchSize = 500

/** Records events of what the demo has, as if all happened now, to read and to replay to webhooks. */
export async function recordDemoEvents(
  tx: Prisma.TransactionClient,
  programId: string,
  rows: Rows,
  now: Date,
): Promise<void> {
  const of = (list: readonly { id: string }[], ...types: EventType[]) => list.flatMap(({ id }) => eventsOf(id, types))
  const events = [
    ...of(rows.affiliates, 'affiliate.created', 'affiliate.confirmed'),
    ...of(rows.affiliate_links, 'affiliate_link.created'),
    ...of(rows.affiliate_coupons, 'affiliate_coupon.created'),
    ...of(rows.sales, 'sale.created'),
    ...of(rows.commissions, 'commission.created'),
    ...of(rows.payouts, 'payout.created'),
  ]
  const recorder = { program: { id: programId }, actor: { kind: 'system' }, requestId: 'demo' } as const
  for (let start = 0; start < events.length; start += batchSize)
    await recordEvents(tx, recorder, events.slice(start, start + batchSize), now)
}

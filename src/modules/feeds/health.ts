import { Prisma } from '../../generated/prisma/client.ts'
import type { AppDb } from '../../kernel/db.ts'
import { groupBy } from '../../kernel/group-by.ts'
import { feedProblems } from '../mails/feed-problems.ts'

/** What can be wrong with a feed, and what to do about it. */
export const problemTexts = {
  requests_rejected: 'The last request was rejected. Compare the secret here with that of the billing system.',
  live_events_ignored:
    'Live events are ignored, because the feed takes events of test mode. Change its mode, and derive again.',
  thin_events: 'This endpoint sends thin events. Choose snapshot events at Stripe.',
  no_payments: 'No payment has come for a month. Look whether the billing system still sends its events here.',
  invoice_payments_missing:
    'Invoices come without invoice_payment.paid. Choose this event too: only it says which payment is of which invoice.',
} as const

export type FeedProblem = keyof typeof problemTexts

/** New versions of Stripe's API name no payment in an invoice. */
const invoicePaymentsMissing = Prisma.sql`(
  select 'invoice_payments_missing' as problem
  from (
    select e.type, e.facts from feed_events e
    where e.program_id = f.program_id and e.feed_id = f.id order by e.id desc limit 200
  ) last
  where f.kind = 'stripe'
  having bool_or(type = 'invoice.paid' and facts -> 0 ->> 'kind' = 'payment'
      and jsonb_array_length(case jsonb_typeof(facts -> 0 -> 'objects') when 'array' then facts -> 0 -> 'objects' else '[null]' end) = 0)
    and not bool_or(type = 'invoice_payment.paid'))`

/** What is wrong with each feed. */
export async function problemsOfFeeds(
  db: AppDb,
  programId: string,
  ids: readonly string[],
  now: Date,
): Promise<FeedProblem[][]> {
  const rows = await db.$queryRaw<{ id: string; problem: FeedProblem }[]>`
    select f.id::text, problem
    from feeds f, lateral (
      select problem from ${feedProblems(now)} failing union all select problem from ${invoicePaymentsMissing} missing
    ) problems
    where f.program_id = ${programId}::uuid and f.id = any (${[...ids]}::uuid[])`
  const byFeed = groupBy(rows, ({ id }) => id)
  return ids.map((id) => (byFeed.get(id) ?? []).map(({ problem }) => problem))
}

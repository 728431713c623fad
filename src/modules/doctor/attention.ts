import { Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { addDays } from '../../kernel/dates.ts'
import { problemsOfFeeds } from '../feeds/health.ts'
import { failingEndpoint, openProposal, waits } from '../mails/what-waits.ts'
import { previewPayouts } from '../payouts/preview.ts'
import { findBlockedMonth } from '../statements/open-months.ts'

/** Payments that failed or came back are shown for this long. */
const backForDays = 30

const plural = (one: string, more: string) => (count: number) => (count === 1 ? one : more)

/** Each kind with its words, which are read after the number, and the page of the dashboard that lists it. */
const counted = {
  applications: [plural('application waits for a decision', 'applications wait for a decision'), 'applications'],
  proposals: [plural('proposal waits for confirmation', 'proposals wait for confirmation'), 'proposals'],
  held: [plural('commission is held for review', 'commissions are held for review'), 'commissions?held=yes'],
  unattributed: [plural('sale has no affiliate', 'sales have no affiliate'), 'sales?show=unattributed&attention=yes'],
  back: [
    plural(
      `payment failed or came back in the last ${backForDays} days`,
      `payments failed or came back in the last ${backForDays} days`,
    ),
    'payouts/runs',
  ],
  unclaimed: [plural('payment is unclaimed at the service', 'payments are unclaimed at the service'), 'payouts/runs'],
  prepared: [
    plural('payout run waits for approval or payment', 'payout runs wait for approval or payment'),
    'payouts/runs',
  ],
  sent: [plural('payout run waits for results', 'payout runs wait for results'), 'payouts/runs?state=SENT'],
  schedule: [plural('scheduled payout run failed', 'scheduled payout runs failed'), 'settings/payouts'],
  months: [
    plural('difference keeps a month from being closed', 'differences keep a month from being closed'),
    'payouts/statements',
  ],
  feed_events: [
    plural('event of a billing system failed', 'events of billing systems failed'),
    'sales/events?outcome=FAILED',
  ],
  feeds: [plural('feed has a problem', 'feeds have a problem'), 'developers'],
  webhooks: [plural('webhook endpoint is failing', 'webhook endpoints are failing'), 'developers'],
} satisfies Record<string, [words: (count: number) => string, page: string]>

/** Those of an earlier day have been followed by other runs. */
const ofLatestDay = Prisma.sql`state = 'failed'
  and day = (select max(day) from scheduled_runs latest where latest.program_id = scheduled_runs.program_id)`

type CountedKind = keyof typeof counted
export type AttentionKind = 'payouts' | CountedKind

/** Something that waits for a person, and where it is decided. */
export type AttentionItem = {
  kind: AttentionKind
  count: number
  /** Of payouts, in minor units. Null for other kinds, and above 2^53 - 1. */
  amountCents: bigint | null
  currency: string | null
  text: string
  page: string
}

/** What waits for a person in a program, without what waits for nobody. Each count is that of the list on its page. */
export async function readAttention(ctx: ProgramCtx): Promise<AttentionItem[]> {
  const [totals, counts] = await Promise.all([totalsOf(ctx), countsOf(ctx)])
  const payouts = totals
    .filter(({ payablePayouts }) => payablePayouts > 0)
    .map(
      ({ currency, payablePayouts: count, payableCents: amountCents }): AttentionItem => ({
        kind: 'payouts',
        count,
        amountCents,
        currency,
        text: `can be paid in ${count} ${count === 1 ? 'payout' : 'payouts'}`,
        page: `payouts?currency=${currency}`,
      }),
    )
  const others = (Object.keys(counted) as CountedKind[]).flatMap((kind): AttentionItem[] => {
    const [words, page] = counted[kind]
    const count = counts[kind]
    return count === 0 ? [] : [{ kind, count, amountCents: null, currency: null, text: words(count), page }]
  })
  return [...payouts, ...others]
}

async function totalsOf(ctx: ProgramCtx) {
  const { totals } = await previewPayouts(ctx, {}, { first: 0 })
  return totals()
}

async function countsOf(ctx: ProgramCtx): Promise<Record<CountedKind, number>> {
  const { db, program, now } = ctx
  const at = now()
  const since = addDays(at, -backForDays)
  const count = (table: Prisma.Sql, condition: Prisma.Sql) =>
    Prisma.sql`(select count(*)::int from ${table} where program_id = ${program.id}::uuid and ${condition})`
  const { sql } = Prisma
  const [[counts], feeds, blocked] = await Promise.all([
    db.$queryRaw<[Record<Exclude<CountedKind, 'feeds' | 'months'>, number>]>`select
      ${count(sql`applications`, waits.applications)} as applications,
      ${count(sql`proposals`, openProposal(sql`${at}::timestamptz`))} as proposals,
      ${count(sql`commissions`, waits.held)} as held,
      ${count(sql`unattributed_sales`, waits.unattributed)} as unattributed,
      ${count(sql`payout_run_items`, sql`state in ('failed', 'returned') and updated_at >= ${since}::timestamptz`)} as back,
      ${count(sql`payout_run_items`, sql`state = 'unclaimed'`)} as unclaimed,
      ${count(sql`payout_runs`, sql`state in ('prepared', 'approved')`)} as prepared,
      ${count(sql`payout_runs`, sql`state = 'sent'`)} as sent,
      ${count(sql`scheduled_runs`, ofLatestDay)} as schedule,
      ${count(sql`feed_events`, sql`outcome = 'failed'`)} as feed_events,
      ${count(sql`webhook_endpoints`, failingEndpoint(at))} as webhooks`,
    db.feed.findMany({ where: { programId: program.id }, select: { id: true } }),
    findBlockedMonth(ctx),
  ])
  const ids = feeds.map(({ id }) => id)
  const problems = ids.length > 0 ? await problemsOfFeeds(db, program.id, ids, at) : []
  const troubled = problems.filter((found) => found.length > 0)
  return { ...counts, feeds: troubled.length, months: blocked?.openDifferences ?? 0 }
}

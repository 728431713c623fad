import type { FeedEvent, Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { emailKey } from '../../kernel/email.ts'
import { invalid, refused } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import { parseInput, problem } from '../../kernel/input/parse.ts'
import { findById } from '../../kernel/lookup.ts'
import { recordAction } from '../history/record.ts'
import { withBudget } from './check-settings.ts'
import { deriveEvents } from './derive/derive.ts'
import { createDifferences, type Difference, type DifferenceTotal } from './derive/differences.ts'
import { rederiveFeedInput, testFeedMappingInput } from './input.ts'
import { evaluate } from './kinds/generic/evaluate.ts'
import { factsOfResult } from './kinds/generic/result.ts'
import { objectOf, Unusable } from './kinds/json.ts'
import { findFeed } from './service.ts'

/** @throws NOT_FOUND */
export const findFeedEvent = (
  ctx: ProgramCtx,
  id: string,
  query: Prisma.FeedEventDefaultArgs = {},
): Promise<FeedEvent> =>
  findById('Feed event', id, (own) =>
    ctx.db.feedEvent.findUnique({ ...query, where: { programId_id: { programId: ctx.program.id, id: own } } }),
  )

const mostExplained = 100

/** What else events can be about: customers, and kept sales that have no affiliate. */
type Also = { feedId?: string; customerIds?: readonly string[]; unattributedSaleIds?: readonly string[] }

/**
 * The ids of the events that have one of these ids, mention it, or are about the sale with it; or about the sales of
 * the customer with an e-mail, or of what else is named. The newest first.
 */
async function idsAbout(
  { db, program }: ProgramCtx,
  externalIds: readonly string[],
  { feedId, customerIds = [], unattributedSaleIds = [] }: Also = {},
): Promise<string[]> {
  const programId = program.id
  const ofFeed = feedId === undefined ? {} : { feedId }
  const newest = { orderBy: { id: 'desc' }, take: mostExplained } as const
  const emails = externalIds.filter((text) => text.includes('@')).map(emailKey)
  const externalId = { in: [...externalIds] }
  // Each condition is a query of its own: PostgreSQL would read all sales for one OR over two tables.
  const withEmail = { programId, emailKey: { in: emails } }
  const ofEmail = emails.length > 0 ? await db.customer.findMany({ where: withEmail, select: { id: true } }) : []
  const customerId = { in: [...customerIds, ...ofEmail.map(({ id }) => id)] }
  const lostWith = { select: { externalId: true }, ...newest }
  const [sales, salesOfCustomers, lost, lostOfEmail] = await Promise.all([
    db.sale.findMany({ where: { programId, externalId }, select: { id: true }, ...newest }),
    db.sale.findMany({ where: { programId, customerId }, select: { id: true }, ...newest }),
    // They are kept with the id of their payment, which their events mention.
    db.unattributedSale.findMany({ where: { programId, id: { in: [...unattributedSaleIds] } }, ...lostWith }),
    db.unattributedSale.findMany({
      where: { programId, OR: emails.map((email) => ({ email: { equals: email, mode: 'insensitive' as const } })) },
      ...lostWith,
    }),
  ])
  const saleId = { in: [...sales, ...salesOfCustomers].map(({ id }) => id) }
  const object = {
    in: [...new Set([...externalIds, ...[...lost, ...lostOfEmail].flatMap(({ externalId: id }) => id ?? [])])],
  }
  const [own, ofSale, mentions] = await Promise.all([
    db.feedEvent.findMany({ where: { programId, ...ofFeed, externalId }, select: { id: true }, take: mostExplained }),
    db.feedEvent.findMany({ where: { programId, ...ofFeed, saleId }, select: { id: true }, ...newest }),
    db.feedObject.findMany({
      where: { programId, ...ofFeed, object },
      orderBy: { eventId: 'desc' },
      take: mostExplained,
    }),
  ])
  return [...new Set([...[...own, ...ofSale].map(({ id }) => id), ...mentions.map(({ eventId }) => eventId)])]
}

/** The events that have one of these ids, or mention it: an event, an invoice, a charge, an e-mail. Newest first. */
export async function findEventsAbout(
  ctx: ProgramCtx,
  externalIds: readonly string[],
  query: Prisma.FeedEventDefaultArgs = {},
  { first = mostExplained, ...also }: Also & { first?: number } = {},
): Promise<FeedEvent[]> {
  const ids = await idsAbout(ctx, externalIds, also)
  const where = { programId: ctx.program.id, id: { in: ids } }
  return ctx.db.feedEvent.findMany({ ...query, where, orderBy: { id: 'desc' }, take: first })
}

export type Rederived = {
  events: number
  differences: Difference[]
  totals: DifferenceTotal[]
  dryRun: boolean
  next: string | null
}

/** How many events are read again together. */
const batchSize = 100
/** How long a call goes on. The last batch can take longer. */
const callMs = 4_000
/** How long one batch may take, on a slow and busy machine. */
const batchMs = 60_000

/**
 * Reads stored events again and applies what differs, as refunds and sales of now. Nothing that was paid is changed. A
 * call ends after some seconds, and says where the next one begins.
 * @throws INVALID_INPUT; NOT_FOUND; REFUSED if the feed is paused
 */
export async function rederiveFeed(ctx: ProgramCtx & { trueNow: () => Date }, raw: unknown): Promise<Rederived> {
  const { feedId, since, externalId, after: begin, dryRun = false } = await parseInput(rederiveFeedInput, raw)
  if (begin !== undefined && !isId(begin)) throw invalid([problem('after', 'must be `next` of the call before')])
  const feed = await findFeed(ctx, feedId)
  if (feed.pausedAt !== null && !dryRun) throw refused('The feed is paused. Resume it first.')
  const programId = ctx.program.id
  const only = externalId === undefined ? undefined : await idsAbout(ctx, [externalId], { feedId: feed.id })
  const differences = createDifferences()
  const isAsked = (row: Pick<FeedEvent, 'id' | 'externalId' | 'raw' | 'createdAt'>) =>
    row.externalId !== null &&
    row.raw !== null &&
    (!since || row.createdAt >= since) &&
    (!only || only.includes(row.id))
  const isCounted = (row: Parameters<typeof isAsked>[0]) => begin !== undefined && row.id <= begin && isAsked(row)
  const options = { readsAgain: isAsked, ...(dryRun && { dryRun: differences, isCounted }) }
  const startedAt = performance.now()
  // Events of later batches that were derived together with earlier ones of their customers.
  const done = new Set<string>()
  let events = 0
  let after = begin
  let hasMore = true
  while (hasMore && performance.now() - startedAt < callMs) {
    ctx.db.deadline?.extend(batchMs)
    const rows = await ctx.db.feedEvent.findMany({
      where: {
        programId,
        feedId: feed.id,
        externalId: { not: null },
        raw: { not: null },
        id: { ...(after !== undefined && { gt: after }), ...(only && { in: only.filter(isId) }) },
        ...(since && { createdAt: { gte: since } }),
      },
      orderBy: { id: 'asc' },
      take: batchSize,
    })
    const last = rows.at(-1)?.id
    const open = rows.filter(({ id }) => !done.delete(id))
    if (last !== undefined && open.length > 0)
      for (const id of await deriveEvents(ctx, feed, open, ctx.trueNow(), options)) if (id > last) done.add(id)
    events += rows.length
    after = last ?? after
    hasMore = rows.length === batchSize
  }
  const at = ctx.now()
  const what = { subject: 'feed', subjectId: feed.id, action: 'rederived' } as const
  if (!dryRun && events > 0)
    await ctx.db.$transaction((tx) => recordAction(tx, ctx, what, null, { events: String(events) }, at))
  const next = hasMore ? (after ?? null) : null
  return { events, differences: differences.shown, totals: differences.totals(), dryRun, next }
}

export type MappingResult = { event: FeedEvent; result: string | null; problem: string | null }

/** What a mapping makes of the newest events of a feed. Nothing is stored. @throws INVALID_INPUT; NOT_FOUND; REFUSED */
export async function testFeedMapping(ctx: ProgramCtx, id: string, raw: unknown): Promise<MappingResult[]> {
  const { mapping, first = 5 } = await parseInput(testFeedMappingInput, raw)
  const feed = await findFeed(ctx, id)
  const where = { programId: ctx.program.id, feedId: feed.id, raw: { not: null } }
  const events = await ctx.db.feedEvent.findMany({ where, orderBy: { id: 'desc' }, take: first })
  const results: MappingResult[] = []
  for (const event of events) {
    let result: string | null = null
    try {
      const value = await withBudget(() => evaluate(feed.programId, mapping, objectOf(JSON.parse(event.raw as string))))
      result = JSON.stringify(value, null, 2)
      const reading = factsOfResult(value)
      results.push({ event, result, problem: 'ignored' in reading ? reading.ignored : null })
    } catch (error) {
      if (!(error instanceof Unusable)) throw error
      results.push({ event, result, problem: error.message })
    }
  }
  return results
}

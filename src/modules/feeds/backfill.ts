import type { Feed } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { parseInput, problem } from '../../kernel/input/parse.ts'
import { recordAction } from '../history/record.ts'
import { deriveEvents, type Row } from './derive/derive.ts'
import { createDifferences, type Difference, type DifferenceTotal } from './derive/differences.ts'
import { bareWaitMs } from './derive/fold.ts'
import { foreignReason, modeOf } from './foreign.ts'
import { backfillFeedInput } from './input.ts'
import { kinds } from './kinds/all.ts'
import { type Json, objectOf, Unusable } from './kinds/json.ts'
import type { Envelope } from './kinds/kind.ts'
import { foreignTo, store } from './receive.ts'
import { findFeed } from './service.ts'

const mostEvents = 500
/** How long that may take, on a slow and busy machine. */
const backfillMs = 120_000

export type Backfilled = {
  stored: number
  known: number
  dryRun: boolean
  differences: Difference[]
  totals: DifferenceTotal[]
}

type Given = { envelope: Envelope; text: string }

/**
 * Stores events that were read from the API of a billing system, as if it had sent them. Those that are known already
 * are left out. @throws INVALID_INPUT; NOT_FOUND
 */
export async function backfillFeed(ctx: ProgramCtx & { trueNow: () => Date }, raw: unknown): Promise<Backfilled> {
  const { feedId, events, dryRun = false } = await parseInput(backfillFeedInput, raw)
  const feed = await findFeed(ctx, feedId)
  const given = givenEvents(feed, events)
  ctx.db.deadline?.extend(backfillMs)
  rejectForeign(feed, given)
  if (dryRun) return { stored: 0, known: 0, dryRun, ...(await differencesOf(ctx, feed, given)) }
  let stored = 0
  const own = { db: ctx.db, now: ctx.trueNow }
  for (const [index, { envelope, text }] of given.entries()) {
    if (index === 0) await foreignTo(own, feed, envelope)
    if (await store(own, feed, envelope, text, null)) stored += 1
  }
  const what = { subject: 'feed', subjectId: feed.id, action: 'imported' } as const
  if (stored > 0)
    await ctx.db.$transaction((tx) => recordAction(tx, ctx, what, null, { events: String(stored) }, ctx.now()))
  return { stored, known: given.length - stored, dryRun, differences: [], totals: [] }
}

function givenEvents(feed: Feed, text: string): Given[] {
  let list: unknown
  try {
    list = JSON.parse(text)
  } catch {
    list = undefined
  }
  if (!Array.isArray(list) || list.length > mostEvents)
    throw invalid([problem('events', `must be a JSON list of at most ${mostEvents} events`)])
  const header = () => null
  return list.map((item, index) => {
    const body = Buffer.from(JSON.stringify(item))
    try {
      return {
        envelope: kinds[feed.kind].envelopeOf(objectOf(item) as Json, { body, header }, feed),
        text: body.toString(),
      }
    } catch (error) {
      if (!(error instanceof Unusable)) throw error
      throw invalid([problem('events', `has an event that cannot be used, the one at ${index + 1}: ${error.message}`)])
    }
  })
}

/** @throws INVALID_INPUT if an event is of another mode or account than the feed, or than the first event */
function rejectForeign(feed: Feed, given: readonly Given[]): void {
  const [first] = given
  if (!first) return
  const { mode, account } = feed
  const learned = { mode: mode ?? modeOf(first.envelope), account: account ?? first.envelope.account ?? null }
  for (const { envelope } of given) {
    const reason = foreignReason(learned, envelope)
    if (reason !== null) throw invalid([problem('events', `are not all of this feed. ${reason}`)])
  }
}

/** What these events would change, together with the stored ones of their customers. */
async function differencesOf(ctx: ProgramCtx & { trueNow: () => Date }, feed: Feed, given: readonly Given[]) {
  const dryRun = createDifferences()
  const now = ctx.trueNow()
  // As if the time that payments wait for their invoice was over.
  const createdAt = new Date(now.getTime() - bareWaitMs)
  const externalIds = given.map(({ envelope }) => envelope.externalId)
  const where = { programId: feed.programId, feedId: feed.id, externalId: { in: externalIds } }
  const known = new Set(
    (await ctx.db.feedEvent.findMany({ where, select: { externalId: true } })).map(({ externalId }) => externalId),
  )
  const rows = given.map(({ envelope: { externalId, type }, text: raw }): Row => {
    const notDerived = {
      facts: null,
      outcome: 'waiting',
      reason: null,
      saleId: null,
      deriveAt: null,
      tries: 0,
    } as const
    return { id: `event:${externalId}`, externalId, type, raw, createdAt, ...notDerived }
  })
  const fresh = [...new Map(rows.map((row) => [row.id, row])).values()].filter((row) => !known.has(row.externalId))
  await deriveEvents(ctx, feed, fresh, now, { dryRun, areNew: true })
  return { differences: dryRun.shown, totals: dryRun.totals() }
}

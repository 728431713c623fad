import type { Feed } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { groupBy } from '../../kernel/group-by.ts'
import { parseInput, problem } from '../../kernel/input/parse.ts'
import { recordAction } from '../history/record.ts'
import { createDifferences, type Difference, type DifferenceTotal } from './derive/differences.ts'
import { bareWaitMs, type SourceEvent } from './derive/fold.ts'
import { deriveGroup, planGroups } from './derive/group.ts'
import { createSets } from './derive/sets.ts'
import { connects, objectsOf } from './facts.ts'
import { foreignReason, modeOf } from './foreign.ts'
import { backfillFeedInput } from './input.ts'
import { kinds } from './kinds/all.ts'
import { type Json, objectOf, Unusable } from './kinds/json.ts'
import type { Envelope } from './kinds/kind.ts'
import { readStored } from './read-stored.ts'
import { foreignTo, store } from './receive.ts'
import { findFeed } from './service.ts'

const mostEvents = 500

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

/** What these events alone would change. Events of other calls can add to it: a referral, an invoice of a payment. */
async function differencesOf(ctx: ProgramCtx & { trueNow: () => Date }, feed: Feed, given: readonly Given[]) {
  const dryRun = createDifferences()
  const sets = createSets()
  const sources: SourceEvent[] = []
  // As if the time that payments wait for their invoice was over.
  const receivedAt = new Date(ctx.trueNow().getTime() - bareWaitMs)
  for (const [index, { envelope, text }] of given.entries()) {
    const reading = await readStored(feed, { raw: text, type: envelope.type })
    if (!('facts' in reading)) continue
    const id = `event:${index}`
    sets.unite([id, ...objectsOf(reading.facts).filter(connects)])
    sources.push({ id, receivedAt, facts: reading.facts })
  }
  const options = { now: ctx.trueNow(), knownLeads: new Set<string>(), dryRun }
  const groups = [...groupBy(sources, ({ id }) => sets.rootOf(id)).values()]
  const { plans, known } = await planGroups(ctx, feed, groups, options.now)
  for (const { plan } of plans) await deriveGroup(ctx, feed, plan, known, options)
  return { differences: dryRun.shown, totals: dryRun.totals() }
}

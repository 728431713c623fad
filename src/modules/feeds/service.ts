import { withTransaction } from '../../database/client/transaction.ts'
import { deleteInBatches } from '../../database/upkeep/delete-in-batches.ts'
import type { Feed, Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { addDays } from '../../kernel/dates.ts'
import { encryptSecret } from '../../kernel/encryption.ts'
import { invalid, refused } from '../../kernel/errors.ts'
import { mintId } from '../../kernel/ids.ts'
import { parseInput, problem } from '../../kernel/input/parse.ts'
import { findById } from '../../kernel/lookup.ts'
import { recordAction, recordChange } from '../history/record.ts'
import { lockProgram } from '../programs/lock.ts'
import { problemsOfFeed } from './check-settings.ts'
import { createFeedInput, rotateFeedSecretInput, updateFeedInput } from './input.ts'
import { kinds } from './kinds/all.ts'
import { presets } from './kinds/generic/presets.ts'

/** Feeds of one program. */
const mostFeeds = 20

/** A feed, with its secret if it was made here: it cannot be read again. */
export type FeedWithSecret = { feed: Feed; secret: string | null }

type Keys = { key: Buffer }

const subjectOf = (id: string) => ({ subject: 'feed' as const, subjectId: id })
const keyOf = ({ program }: ProgramCtx, id: string) => ({ programId_id: { programId: program.id, id } })

/** @throws NOT_FOUND */
export const findFeed = (ctx: ProgramCtx, id: string, query: Prisma.FeedDefaultArgs = {}): Promise<Feed> =>
  findById('Feed', id, (own) => ctx.db.feed.findUnique({ ...query, where: keyOf(ctx, own) }))

/** Creates a feed. A secret that the billing system makes can be entered later. @throws INVALID_INPUT; REFUSED */
export async function createFeed(ctx: ProgramCtx, { key }: Keys, raw: unknown): Promise<FeedWithSecret> {
  const programId = ctx.program.id
  const input = await parseInput(createFeedInput, raw, (readable) => problemsOfFeed(programId, readable))
  const { kind, secret: given, preset, ...fields } = input
  const now = ctx.now()
  const id = mintId(now)
  const mintSecret = preset && presets[preset].isSecretFromVendor ? undefined : kinds[kind].mintSecret
  const made = given === undefined ? (mintSecret?.() ?? null) : null
  const secret = given ?? made
  const settings = { ...(preset && presets[preset].settings), ...fields }
  const row = { ...settings, programId, id, kind, createdAt: now, updatedAt: now }
  const stored = secret === null ? null : encryptSecret(key, id, secret)
  const feed = await withTransaction(ctx.db, async (tx) => {
    await lockProgram(tx, programId)
    if ((await tx.feed.count({ where: { programId } })) >= mostFeeds)
      throw refused(`A program can have at most ${mostFeeds} feeds. Delete one of them.`)
    const created = await tx.feed.create({ data: { ...row, secret: stored } })
    await recordChange(tx, ctx, { ...subjectOf(id), action: 'created' }, null, created, now)
    return created
  })
  return { feed, secret: made }
}

/** Changes a feed, for events from now on. A new secret replaces the old one. @throws NOT_FOUND; INVALID_INPUT */
export async function updateFeed(ctx: ProgramCtx, { key }: Keys, id: string, raw: unknown): Promise<Feed> {
  const before = await findFeed(ctx, id)
  const { kind } = before
  const input = await parseInput(updateFeedInput, raw, (readable) =>
    problemsOfFeed(ctx.program.id, { ...readable, kind }),
  )
  const { secret, ...fields } = input
  const now = ctx.now()
  const stored = secret === undefined ? {} : { secret: encryptSecret(key, before.id, secret) }
  return withTransaction(ctx.db, async (tx) => {
    const after = await tx.feed.update({ where: keyOf(ctx, before.id), data: { ...fields, ...stored, updatedAt: now } })
    await recordChange(tx, ctx, { ...subjectOf(before.id), action: 'updated' }, before, after, now)
    if (secret !== undefined)
      await recordAction(tx, ctx, { ...subjectOf(before.id), action: 'secret_rotated' }, null, null, now)
    return after
  })
}

/** Gives a feed a new secret. The old one is accepted for some hours more. @throws NOT_FOUND; INVALID_INPUT; REFUSED */
export async function rotateFeedSecret(
  ctx: ProgramCtx,
  { key }: Keys,
  id: string,
  raw: unknown,
): Promise<FeedWithSecret> {
  const feed = await findFeed(ctx, id)
  const { kind } = feed
  const input = await parseInput(rotateFeedSecretInput, raw, (readable) =>
    problemsOfFeed(ctx.program.id, { ...readable, kind }),
  )
  const { keepOldForHours = 24 } = input
  const made = input.secret === undefined ? (kinds[kind].mintSecret?.() ?? null) : null
  const secret = input.secret ?? made
  if (secret === null) throw invalid([problem('secret', 'must be given: the billing system makes it')])
  const now = ctx.now()
  const keeps = keepOldForHours > 0 && feed.secret !== null
  const data = {
    secret: encryptSecret(key, feed.id, secret),
    previousSecret: keeps ? feed.secret : null,
    previousSecretEndsAt: keeps ? addDays(now, keepOldForHours / 24) : null,
    updatedAt: now,
  }
  await withTransaction(ctx.db, async (tx) => {
    // If two rotations are concurrent, one fails: its secret would never be used.
    const where = { programId: ctx.program.id, id: feed.id, secret: feed.secret }
    const { count } = await tx.feed.updateMany({ where, data })
    if (count === 0) throw refused('The secret was rotated at the same time.')
    await recordAction(tx, ctx, { ...subjectOf(feed.id), action: 'secret_rotated' }, null, null, now)
  })
  return { feed: await findFeed(ctx, feed.id), secret: made }
}

/** Deletes a feed and its events. What was derived from them stays. @returns the id @throws NOT_FOUND */
export async function deleteFeed(ctx: ProgramCtx, id: string): Promise<string> {
  const before = await findFeed(ctx, id)
  const programId = ctx.program.id
  // Requests are rejected from here on.
  await ctx.db.feed.updateMany({ where: { programId, id: before.id }, data: { secret: null, previousSecret: null } })
  await deleteInBatches(
    (limit) => ctx.db.$executeRaw`
      delete from feed_events where program_id = ${programId}::uuid and id in (
        select id from feed_events where program_id = ${programId}::uuid and feed_id = ${before.id}::uuid limit ${limit})`,
  )
  await withTransaction(ctx.db, async (tx) => {
    await tx.feedEvent.deleteMany({ where: { programId, feedId: before.id } })
    const { count } = await tx.feed.deleteMany({ where: { programId, id: before.id } })
    if (count > 0) await recordChange(tx, ctx, { ...subjectOf(before.id), action: 'deleted' }, before, null, ctx.now())
  })
  return before.id
}

import pLimit from 'p-limit'
import { isProgramClosed, isReadOnly, isUnavailable } from '../../../database/client/errors.ts'
import type { Feed, FeedEvent, Prisma } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { TributaryError } from '../../../kernel/errors.ts'
import { groupBy } from '../../../kernel/group-by.ts'
import type { Fact } from '../facts.ts'
import { codeObject, connects, objectsOf } from '../facts.ts'
import { readStored } from '../read-stored.ts'
import { createSets } from './connected-objects.ts'
import type { Differences } from './differences.ts'
import type { SourceEvent } from './fold.ts'
import { deriveGroup } from './group.ts'
import type { GroupOptions } from './lead.ts'
import type { Outcome } from './outcomes.ts'
import { type Planned, planGroups } from './plan-groups.ts'
import { countTries, notNow, outcomeOfPostponed, turnOf } from './postponed.ts'
import type { RecordedFacts } from './recorded.ts'

/** Events that are derived together at most. Those beyond are of one customer with very many, and come later. */
const batchSize = 200
/** How long the mapping of a feed may run in one batch. The rest comes with the next one, after the other feeds. */
const readForMs = 1_000
/** Groups at a time. Each takes a few short transactions. */
const groupsAtATime = 4

export type Row = Pick<
  FeedEvent,
  'id' | 'externalId' | 'type' | 'raw' | 'facts' | 'outcome' | 'reason' | 'saleId' | 'deriveAt' | 'tries' | 'createdAt'
>
const columns = {
  id: true,
  externalId: true,
  type: true,
  raw: true,
  facts: true,
  outcome: true,
  reason: true,
  saleId: true,
  deriveAt: true,
  tries: true,
  createdAt: true,
} as const

/** The pauses before an event that waits is tried again without another event. The last one repeats. */
const pausesMs = [60_000, 600_000, 3_600_000, 6 * 3_600_000, 24 * 3_600_000]
const soonTries = 4
const waitsForMs = 90 * 24 * 3_600_000

/**
 * Derives from the events of a feed that are due, with all others of the same customers. The caller holds the lease of
 * the feed. @param now the true time @returns how many were due
 */
export async function deriveDue(ctx: ProgramCtx, feed: Feed, now: Date): Promise<number> {
  const where = { programId: ctx.program.id, feedId: feed.id, deriveAt: { lte: now } }
  const due = await ctx.db.feedEvent.findMany({
    where,
    orderBy: [{ deriveAt: 'asc' }, { id: 'asc' }],
    take: batchSize,
    select: columns,
  })
  if (due.length === 0) return 0
  await deriveEvents(ctx, feed, due, now, { readForMs })
  return due.length
}

export type DeriveOptions = {
  /** Which events are read again from what was sent, although they were read before. */
  readsAgain?: (row: Row) => boolean
  dryRun?: Differences
  /** Whether the events are not stored: those of a dry run of a back-fill. */
  areNew?: boolean
  /** Whether a customer with this event was counted by an earlier call. */
  isCounted?: (row: Row) => boolean
  /** How long events are read by a mapping. Those beyond stay due. Default: without end. */
  readForMs?: number
}

/** Derives from events, with all others of the same customers. @returns the ids of all of them */
export async function deriveEvents(
  ctx: ProgramCtx,
  feed: Feed,
  due: readonly Row[],
  now: Date,
  { readsAgain = () => false, dryRun, areNew = false, isCounted = () => false, readForMs }: DeriveOptions = {},
): Promise<string[]> {
  const facts = new Map<string, readonly Fact[]>()
  const results = new Map<string, Outcome>()
  const read = new Set<string>()
  const turn = turnOf(feed, readForMs)
  const readAll = async (rows: readonly Row[]) => {
    const unread = rows.filter((row) => row.facts === null || readsAgain(row))
    for (const row of rows) if (row.facts !== null) facts.set(row.id, row.facts as Fact[])
    if (!dryRun) await countTries(ctx, feed, unread)
    for (const row of unread) {
      const reading = turn.isOver() ? notNow : await readStored(feed, row)
      if ('postponed' in reading) {
        if (row.facts === null) results.set(row.id, outcomeOfPostponed(reading, row, now))
        continue
      }
      read.add(row.id)
      facts.set(row.id, 'facts' in reading ? reading.facts : [])
      if ('ignored' in reading) results.set(row.id, { outcome: 'ignored', reason: reading.ignored })
      if ('failed' in reading) results.set(row.id, { outcome: 'failed', reason: reading.failed })
    }
    const objects = unread
      .filter(({ id }) => facts.has(id))
      .map(({ id }) => ({ id, objects: objectsOf(facts.get(id) ?? []) }))
    if (!areNew) await storeObjects(ctx, feed, objects)
  }
  await readAll(due)
  // A real run wakes them afterwards.
  const users = areNew ? await usersOfCodes(ctx, feed, [...facts.values()].flat()) : null
  const woken = users ? await ctx.db.feedEvent.findMany({ where: users, select: columns }) : []
  await readAll(woken)
  const rows = await withNeighbours(ctx, feed, [...due, ...woken], facts, readAll)
  const open = groupsOf(rows, facts).filter((group) => !group.some(isCounted))
  const groups = open.map((group) =>
    group.map((row): SourceEvent => ({ id: row.id, receivedAt: row.createdAt, facts: facts.get(row.id) ?? [] })),
  )
  const knownLeads = new Set(rows.filter(({ outcome }) => outcome === 'lead').map(({ id }) => id))
  const options = { now, knownLeads, ...(dryRun && { dryRun }) }
  const { plans, known } = await planGroups(ctx, feed, groups, now)
  const limit = pLimit(groupsAtATime)
  await Promise.all(
    plans.map((planned) =>
      limit(async () => {
        for (const [id, outcome] of await deriveSafely(ctx, feed, planned, known, options)) results.set(id, outcome)
      }),
    ),
  )
  const all = rows.map(({ id }) => id)
  if (dryRun) return all
  const isDue = new Set([...due.map(({ id }) => id), ...read])
  await storeOutcomes(ctx, rows, { results, facts, read, isDue }, now)
  const waiting = await usersOfCodes(
    ctx,
    feed,
    [...read].flatMap((id) => facts.get(id) ?? []),
  )
  if (waiting) await ctx.db.feedEvent.updateMany({ where: waiting, data: { deriveAt: now } })
  return all
}

/** A group that cannot be derived blocks no other. It is tried again. */
async function deriveSafely(
  ctx: ProgramCtx,
  feed: Feed,
  { events, plan }: Planned,
  known: RecordedFacts,
  options: GroupOptions,
): Promise<Map<string, Outcome>> {
  try {
    return await deriveGroup(ctx, feed, plan, known, options)
  } catch (err) {
    if (isUnavailable(err) || isReadOnly(err) || isProgramClosed(err)) throw err
    ctx.log.warn({ err, programId: feed.programId, feedId: feed.id }, 'could not derive from events of a customer')
    const reason = err instanceof TributaryError ? err.message : 'An error of the service: see its log.'
    return new Map(
      events.map(({ id }) => [id, { outcome: 'waiting', reason: `It is tried again. ${reason}`, again: 'later' }]),
    )
  }
}

async function storeObjects(
  { db, program }: ProgramCtx,
  feed: Feed,
  read: readonly { id: string; objects: string[] }[],
): Promise<void> {
  const rows = read.flatMap(({ id, objects }) => objects.map((object) => ({ event_id: id, object })))
  if (rows.length === 0) return
  await db.$executeRaw`
    insert into feed_objects (program_id, feed_id, object, event_id)
    select ${program.id}::uuid, ${feed.id}::uuid, o.object, o.event_id
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as o (event_id uuid, object text) on conflict do nothing`
}

/** All events that are connected with these, by any number of steps, as far as they were read. */
async function withNeighbours(
  { db, program }: ProgramCtx,
  feed: Feed,
  due: readonly Row[],
  facts: ReadonlyMap<string, readonly Fact[]>,
  readAll: (rows: readonly Row[]) => Promise<void>,
): Promise<Row[]> {
  const programId = program.id
  const rows = new Map(due.map((row) => [row.id, row]))
  const searched = new Set<string>()
  let objects = [...new Set(due.flatMap(({ id }) => objectsOf(facts.get(id) ?? [])))].filter(connects)
  while (objects.length > 0) {
    for (const object of objects) searched.add(object)
    const where = { programId, feedId: feed.id, object: { in: objects } }
    const links = await db.feedObject.findMany({ where, select: { eventId: true }, distinct: ['eventId'] })
    const ids = links.map(({ eventId }) => eventId).filter((id) => !rows.has(id))
    const found = await db.feedEvent.findMany({ where: { programId, id: { in: ids } }, select: columns })
    const read = found.filter((row) => row.facts !== null)
    for (const row of read) rows.set(row.id, row)
    await readAll(read)
    objects = [...new Set(read.flatMap(({ id }) => objectsOf(facts.get(id) ?? [])))].filter(
      (object) => connects(object) && !searched.has(object),
    )
  }
  return [...rows.values()]
}

/** The events in groups that share objects. */
function groupsOf(rows: readonly Row[], facts: ReadonlyMap<string, readonly Fact[]>): Row[][] {
  const sets = createSets()
  for (const { id } of rows) sets.unite([id, ...objectsOf(facts.get(id) ?? []).filter(connects)])
  const known = rows.filter(({ id }) => (facts.get(id) ?? []).length > 0)
  return [...groupBy(known, ({ id }) => sets.rootOf(id)).values()]
}

type Results = {
  results: ReadonlyMap<string, Outcome>
  facts: ReadonlyMap<string, readonly Fact[]>
  read: ReadonlySet<string>
  isDue: ReadonlySet<string>
}

/** Stores what changed in one statement. What was meanwhile asked to be derived again stays due. */
async function storeOutcomes(
  { db, program }: ProgramCtx,
  rows: readonly Row[],
  given: Results,
  now: Date,
): Promise<void> {
  const { results, facts, read, isDue } = given
  const changed = rows.flatMap((row) => {
    const result = results.get(row.id) ?? { outcome: 'ignored' as const, reason: 'It says nothing about sales.' }
    const tries = isDue.has(row.id) && !result.isNoTry ? row.tries + 1 : row.tries
    const deriveAt =
      isDue.has(row.id) || row.outcome !== result.outcome ? nextTry(result, row, tries, now) : row.deriveAt
    const isSame =
      row.outcome === result.outcome && row.reason === result.reason && row.saleId === (result.saleId ?? null)
    if (isSame && !isDue.has(row.id)) return []
    const { outcome, reason, saleId = null } = result
    const own = read.has(row.id) ? { facts: facts.get(row.id) } : {}
    return [{ id: row.id, outcome, reason, sale_id: saleId, was: row.deriveAt, derive_at: deriveAt, tries, ...own }]
  })
  if (changed.length === 0) return
  await db.$executeRaw`
    update feed_events e set outcome = c.outcome::feed_event_outcome, reason = c.reason, sale_id = c.sale_id,
      derive_at = case when e.derive_at is not distinct from c.was then c.derive_at else e.derive_at end,
      tries = c.tries, facts = coalesce(c.facts, e.facts)
    from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb)
      as c (id uuid, outcome text, reason text, sale_id uuid, was timestamptz, derive_at timestamptz, tries int, facts jsonb)
    where e.program_id = ${program.id}::uuid and e.id = c.id`
}

function nextTry({ again }: Outcome, { createdAt }: Row, tries: number, now: Date): Date | null {
  if (again === undefined) return null
  if (again instanceof Date) return again
  if (again === 'soon' && tries > soonTries) return null
  if (now.getTime() - createdAt.getTime() > waitsForMs) return null
  return new Date(now.getTime() + (pausesMs[Math.min(tries, pausesMs.length) - 1] ?? (pausesMs[0] as number)))
}

/** Events that name a promotion code by its id, and that were read before its code was known. */
async function usersOfCodes(
  { db, program }: ProgramCtx,
  feed: Feed,
  facts: readonly Fact[],
): Promise<Prisma.FeedEventWhereInput | null> {
  const codes = facts.flatMap((fact) => (fact.kind === 'code' ? [codeObject(fact.id)] : []))
  if (codes.length === 0) return null
  const where = { programId: program.id, feedId: feed.id, object: { in: codes } }
  const users = await db.feedObject.findMany({ where, select: { eventId: true } })
  return {
    programId: program.id,
    id: { in: users.map(({ eventId }) => eventId) },
    outcome: { in: ['ignored', 'waiting'] },
    type: { not: { startsWith: 'promotion_code.' } },
  }
}

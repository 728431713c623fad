import { Prisma } from '../../generated/prisma/client.ts'
import type { ActorKind, ChangeSubject } from '../../generated/prisma/enums.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { isId } from '../../kernel/ids.ts'
import { readWindow, type Slice, sliceOf, type Window, type WindowInput } from '../../listing/window.ts'
import type { HistoryAction } from './actions.ts'
import { type ShownChange, type StoredFields, shownChanges } from './fields.ts'

/** What an entry is about. A commission's entries are its facts. */
export type HistorySubject = ChangeSubject | 'commission'

/** One action on a resource: what was done, when, by whom, and which fields changed. */
export type HistoryEntry = {
  programId: string
  id: string
  at: Date
  subject: HistorySubject
  subjectId: string
  action: HistoryAction
  changes: ShownChange[]
  currency?: string | null
  actorKind: ActorKind
  /** The id of the API key or the affiliate. Null for an operator and for the service itself. */
  actorId: string | null
  requestId: string
  reason: string | null
}

/** The actor in a program. The id is that of the API key, the affiliate or the person. */
export type HistoryActor = { programId: string; kind: ActorKind; actorId: string | null }

/** Which entries to read: the newest first, unless the window is read from the end. */
export const readHistoryWindow = (input: WindowInput): Window => readWindow({ fields: {}, orders: {} }, input)

/** The entries of the window, of all entries of a resource, newest first. */
export function sliceEntries(window: Window, entries: readonly HistoryEntry[]): Slice<HistoryEntry> {
  const { lt, gt } = boundsOf(window)
  const within = entries.filter(({ id }) => (lt === undefined || id < lt) && (gt === undefined || id > gt))
  return sliceOf(window, (window.isBackward ? within.reverse() : within).slice(0, window.size + 1))
}

/** The ids between which the entries are. */
export function boundsOf({ beyond }: Window): { lt?: string; gt?: string } {
  const rules = (beyond.AND ?? []) as { id?: { lt?: string; gt?: string } }[]
  return Object.assign({}, ...rules.map(({ id }) => id))
}

/** The histories of several resources, in the order of their ids, in one statement. Deleted payouts keep theirs. */
export async function listHistories(
  ctx: ProgramCtx,
  subject: ChangeSubject,
  subjectIds: readonly string[],
  window: Window,
): Promise<Slice<HistoryEntry>[]> {
  const { lt = null, gt = null } = boundsOf(window)
  const order = Prisma.raw(window.isBackward ? 'asc' : 'desc')
  const changes = await ctx.db.$queryRaw<(Omit<HistoryEntry, 'changes' | 'reason'> & StoredChange)[]>`
    select found.* from unnest(${subjectIds.filter(isId)}::uuid[]) as requested (id)
    cross join lateral (
      select program_id as "programId", id, subject_id as "subjectId", subject::text as subject, action, fields, actor_kind::text as "actorKind",
        actor_id as "actorId", request_id as "requestId", at
      from changes
      where program_id = ${ctx.program.id}::uuid and subject = ${subject}::change_subject and subject_id = requested.id
        and (${lt}::uuid is null or id < ${lt}::uuid) and (${gt}::uuid is null or id > ${gt}::uuid)
      order by id ${order} limit ${window.size + 1}::int) found`
  const bySubject = new Map<string, HistoryEntry[]>(subjectIds.map((id) => [id, []]))
  for (const { fields, ...change } of changes) {
    bySubject.get(change.subjectId)?.push({ ...change, changes: shownChanges(subject, fields), reason: null })
  }
  return subjectIds.map((id) => sliceOf(window, bySubject.get(id) ?? []))
}

/** The number of entries of several resources, in the order of their ids. Runs one statement. */
export async function countHistories(
  { db, program }: ProgramCtx,
  subject: ChangeSubject,
  subjectIds: readonly string[],
): Promise<number[]> {
  const where = { programId: program.id, subject, subjectId: { in: subjectIds.filter(isId) } }
  const rows = await db.change.groupBy({ by: ['subjectId'], where, _count: { _all: true } })
  const counts = new Map(rows.map(({ subjectId, _count }) => [subjectId, _count._all]))
  return subjectIds.map((id) => counts.get(id) ?? 0)
}

type StoredChange = { fields: StoredFields }

import type { ActorKind, ChangeSubject } from '../../generated/prisma/enums.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { isId } from '../../kernel/ids.ts'
import { type ShownChange, type StoredFields, shownChanges } from './fields.ts'

/** One action on a resource: what was done, when, by whom, and which fields changed. */
export type HistoryEntry = {
  programId: string
  id: string
  at: Date
  action: string
  changes: ShownChange[]
  actorKind: ActorKind
  /** The id of the API key or the affiliate. Null for an operator and for the service itself. */
  actorId: string | null
  requestId: string
  reason: string | null
}

/** Selects the newest `first` entries, only those older than the entry `before` if it is given. */
export type HistoryWindow = { first?: number | null | undefined; before?: string | null | undefined }

const defaultFirst = 25
const maximumFirst = 100

/** The number of entries to return. A limit above 100 is served as 100, as for pages of lists. */
export const entriesOf = ({ first }: HistoryWindow) => Math.min(Math.max(first ?? defaultFirst, 0), maximumFirst)

/** The history of one resource, newest first. A payout that was left empty and deleted keeps its history. */
export async function listHistory(
  ctx: ProgramCtx,
  subject: ChangeSubject,
  subjectId: string,
  window: HistoryWindow,
): Promise<HistoryEntry[]> {
  if (!isId(subjectId)) return []
  const [entries] = await listHistories(ctx, subject, [subjectId], window)
  return entries as HistoryEntry[]
}

/** The histories of several resources, in the order of their ids. Runs one statement. */
export async function listHistories(
  ctx: ProgramCtx,
  subject: ChangeSubject,
  subjectIds: readonly string[],
  window: HistoryWindow,
): Promise<HistoryEntry[][]> {
  const { before } = window
  if (before && !isId(before)) return subjectIds.map(() => [])
  const changes = await ctx.db.$queryRaw<(Omit<HistoryEntry, 'changes' | 'reason'> & StoredChange)[]>`
    select newest.* from unnest(${[...subjectIds]}::uuid[]) as requested (id)
    cross join lateral (
      select program_id as "programId", id, subject_id as "subjectId", action, fields, actor_kind::text as "actorKind",
        actor_id as "actorId", request_id as "requestId", at
      from changes
      where program_id = ${ctx.program.id}::uuid and subject = ${subject}::change_subject and subject_id = requested.id
        and (${before ?? null}::uuid is null or id < ${before ?? null}::uuid)
      order by id desc limit ${entriesOf(window)}::int) newest`
  const bySubject = new Map<string, HistoryEntry[]>(subjectIds.map((id) => [id, []]))
  for (const { subjectId, fields, ...change } of changes) {
    bySubject.get(subjectId)?.push({ ...change, changes: shownChanges(subject, fields), reason: null })
  }
  return subjectIds.map((id) => bySubject.get(id) ?? [])
}

type StoredChange = { subjectId: string; fields: StoredFields }

import type { ActorKind, ChangeSubject } from '../../generated/prisma/enums.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { isId } from '../../kernel/ids.ts'
import { type ShownChange, type StoredFields, shownChanges } from './fields.ts'

/** Something that was done to a resource: what, when, by whom, and what it changed. */
export type HistoryEntry = {
  programId: string
  id: string
  at: Date
  action: string
  changes: ShownChange[]
  actorKind: ActorKind
  /** The API key, or the affiliate; null for an operator and for the service itself. */
  actorId: string | null
  requestId: string
  reason: string | null
}

/** The newest `first` entries, or of those older than the entry `before`. */
export type HistoryWindow = { first?: number | null | undefined; before?: string | null | undefined }

const defaultFirst = 25
const maximumFirst = 100

/** How many entries are asked for; more than 100 is served as 100, as pages of lists are. */
export const entriesOf = ({ first }: HistoryWindow) => Math.min(Math.max(first ?? defaultFirst, 0), maximumFirst)

/** What was done to one resource, newest first. A payout that disappeared keeps its history. */
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

/** The same of several resources, in the order of their ids; one statement. */
export async function listHistories(
  ctx: ProgramCtx,
  subject: ChangeSubject,
  subjectIds: readonly string[],
  window: HistoryWindow,
): Promise<HistoryEntry[][]> {
  const { before } = window
  if (before && !isId(before)) return subjectIds.map(() => [])
  const changes = await ctx.db.$queryRaw<(Omit<HistoryEntry, 'changes' | 'reason'> & Told)[]>`
    select newest.* from unnest(${[...subjectIds]}::uuid[]) as asked (id)
    cross join lateral (
      select program_id as "programId", id, subject_id as "subjectId", action, fields, actor_kind::text as "actorKind",
        actor_id as "actorId", request_id as "requestId", at
      from changes
      where program_id = ${ctx.program.id}::uuid and subject = ${subject}::change_subject and subject_id = asked.id
        and (${before ?? null}::uuid is null or id < ${before ?? null}::uuid)
      order by id desc limit ${entriesOf(window)}::int) newest`
  const bySubject = new Map<string, HistoryEntry[]>(subjectIds.map((id) => [id, []]))
  for (const { subjectId, fields, ...change } of changes) {
    bySubject.get(subjectId)?.push({ ...change, changes: shownChanges(subject, fields), reason: null })
  }
  return subjectIds.map((id) => bySubject.get(id) ?? [])
}

type Told = { subjectId: string; fields: StoredFields }

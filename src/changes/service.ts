import type { ProgramCtx } from '../context.ts'
import type { ActorKind, ChangeSubject } from '../generated/prisma/enums.ts'
import { isId } from '../ids.ts'
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
  const { before } = window
  if (!isId(subjectId) || (before && !isId(before))) return []
  const changes = await ctx.db.change.findMany({
    where: { programId: ctx.program.id, subject, subjectId, ...(before && { id: { lt: before } }) },
    orderBy: { id: 'desc' },
    take: entriesOf(window),
  })
  return changes.map(({ fields, ...change }) => {
    return { ...change, changes: shownChanges(subject, fields as StoredFields), reason: null }
  })
}

import { Prisma } from '../../generated/prisma/client.ts'
import type { ActorKind, ChangeSubject } from '../../generated/prisma/enums.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { isId, leastIdOf } from '../../kernel/ids.ts'
import { type Slice, sliceOf, type Window } from '../../listing/window.ts'
import { type StoredFields, shownChanges } from './fields.ts'
import { boundsOf, type HistoryActor, type HistoryEntry, type HistorySubject } from './service.ts'

export type HistoryFilter = {
  actorKind?: ActorKind | null | undefined
  personId?: string | null | undefined
  apiKeyId?: string | null | undefined
  from?: Date | null | undefined
  until?: Date | null | undefined
  subject?: HistorySubject | null | undefined
  /** Whether entries about people and keys are among it. */
  withAccess: boolean
}

/** People and keys with access to the program. Only owners and operators see this. */
export const accessSubjects: readonly HistorySubject[] = ['api_key', 'member', 'invitation']

type Stored = Omit<HistoryEntry, 'changes'> & {
  fields: StoredFields
  deltaCents: bigint | null
  currency: string | null
}

/** What was done in a program, newest first: changes, and facts about commissions. Reads both from an index. */
export async function listProgramHistory(
  ctx: ProgramCtx,
  filter: HistoryFilter,
  window: Window,
): Promise<Slice<HistoryEntry>> {
  const { lt, gt } = boundsOf(window)
  const order = Prisma.raw(window.isBackward ? 'asc' : 'desc')
  const rest = Prisma.sql`
    ${lt ? Prisma.sql`and id < ${lt}::uuid` : Prisma.empty} ${gt ? Prisma.sql`and id > ${gt}::uuid` : Prisma.empty}
    order by id ${order} limit ${window.size + 1}::int`
  return sliceOf(window, await readEntries(ctx, filter, rest))
}

/** The entry with the id. Null if it does not exist, or the caller may not see it. */
export async function findHistoryEntry(ctx: ProgramCtx, id: string, withAccess: boolean): Promise<HistoryEntry | null> {
  const [entry] = await readEntries(ctx, { withAccess }, Prisma.sql`and id = ${id}::uuid`)
  return entry ?? null
}

/** @param rest which entries of both tables, in which order */
async function readEntries({ db, program }: ProgramCtx, filter: HistoryFilter, rest: Prisma.Sql) {
  const rows = await db.$queryRaw<Stored[]>`
    select program_id as "programId", id, subject, subject_id as "subjectId", action, fields, actor_kind::text as "actorKind",
      actor_id as "actorId", request_id as "requestId", at, reason, delta_cents as "deltaCents", currency
    from ((
      select program_id, id, subject::text, subject_id, action, fields, actor_kind, actor_id, request_id, at,
        null as reason, null::bigint as delta_cents, null as currency
      from changes where program_id = ${program.id}::uuid ${changesRule(filter)} ${rest}
    ) union all (
      select program_id, id, 'commission', commission_id, kind::text, null, actor_kind, actor_id, request_id, at,
        reason, delta_cents, currency
      from money_events where program_id = ${program.id}::uuid ${factsRule(filter)} ${rest}
    )) entries where true ${rest}`
  return rows.map(shown)
}

export async function countProgramHistory({ db, program }: ProgramCtx, filter: HistoryFilter): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    select (select count(*) from changes where program_id = ${program.id}::uuid ${changesRule(filter)})::int
      + (select count(*) from money_events where program_id = ${program.id}::uuid ${factsRule(filter)})::int as count`
  return row?.count ?? 0
}

function shown({ fields, deltaCents, currency, ...entry }: Stored): HistoryEntry {
  if (entry.subject !== 'commission') return { ...entry, changes: shownChanges(entry.subject, fields) }
  // The running amount is in the history of the commission; here is what the fact added to it.
  const added = { deltaCents: String(deltaCents), currency }
  const changes = Object.entries(added).map(([field, to]) => ({ field, from: null, to }))
  return { ...entry, currency, changes: deltaCents === 0n ? [] : changes }
}

const changesRule = (filter: HistoryFilter): Prisma.Sql => {
  const { subject, withAccess } = filter
  if (subject === 'commission') return Prisma.sql`and false`
  const hidden = withAccess ? [] : (accessSubjects as ChangeSubject[])
  return Prisma.sql`
    ${subject ? Prisma.sql`and subject = ${subject}::change_subject` : Prisma.empty}
    ${hidden.length > 0 ? Prisma.sql`and subject <> all (${hidden}::change_subject[])` : Prisma.empty}
    ${actorRule(filter)} ${timeRule(filter)}`
}

const factsRule = (filter: HistoryFilter): Prisma.Sql =>
  filter.subject && filter.subject !== 'commission'
    ? Prisma.sql`and false`
    : Prisma.sql`${actorRule(filter)} ${timeRule(filter)}`

/** Ids follow the time of their entries, so that no entry outside of the range is read. */
const timeRule = ({ from, until }: HistoryFilter): Prisma.Sql => Prisma.sql`
  ${from ? Prisma.sql`and id >= ${leastIdOf(from)}::uuid` : Prisma.empty}
  ${until ? Prisma.sql`and id < ${leastIdOf(until)}::uuid` : Prisma.empty}`

/** The kind is written, not a parameter, so that the index of what people did is used. */
function actorRule({ actorKind, personId, apiKeyId }: HistoryFilter): Prisma.Sql {
  const kind = actorKind ? Prisma.sql`and actor_kind = ${actorKind}::actor_kind` : Prisma.empty
  const key = apiKeyId ? Prisma.sql`and actor_kind = 'api_key' and ${isActor(apiKeyId)}` : Prisma.empty
  if (!personId)
    return actorKind === 'person' ? Prisma.sql`and actor_kind = 'person' ${key}` : Prisma.sql`${kind} ${key}`
  return Prisma.sql`and actor_kind = 'person' and ${isActor(personId)} ${kind} ${key}`
}

const isActor = (id: string): Prisma.Sql => (isId(id) ? Prisma.sql`actor_id = ${id}::uuid` : Prisma.sql`false`)

/** How many of the last entries are read for who acted in them. */
const recentEntries = 1_000

/** The people and API keys of the last entries that the caller sees, and of the last that people left. */
export async function listRecentActors({ db, program }: ProgramCtx, withAccess: boolean): Promise<HistoryActor[]> {
  const last = (table: 'changes' | 'money_events', ofPeople: boolean): Prisma.Sql => Prisma.sql`(
    select actor_kind, actor_id from ${Prisma.raw(table)} where program_id = ${program.id}::uuid
      ${table === 'changes' ? changesRule({ withAccess }) : Prisma.empty}
      ${ofPeople ? Prisma.sql`and actor_kind = 'person'` : Prisma.empty}
    order by id desc limit ${recentEntries}::int)`
  const actors = await db.$queryRaw<Pick<HistoryActor, 'kind' | 'actorId'>[]>`
    select distinct actor_kind::text as kind, actor_id as "actorId" from (
      ${Prisma.join([last('changes', false), last('money_events', false), last('changes', true), last('money_events', true)], ' union all ')}
    ) entries where actor_kind in ('person', 'api_key') and actor_id is not null order by 1 desc, 2`
  return actors.map((actor) => ({ ...actor, programId: program.id }))
}

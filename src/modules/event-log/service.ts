import type { Event, Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import type { Db } from '../../kernel/db.ts'
import { findById } from '../../kernel/lookup.ts'

/** @throws NOT_FOUND */
export async function findEvent(ctx: ProgramCtx, id: string, query: Prisma.EventDefaultArgs = {}): Promise<Event> {
  const where = { programId_id: { programId: ctx.program.id, id } }
  return findById('Event', id, () => ctx.db.event.findUnique({ where, ...query }))
}

/** Reads frozen states, in the order of the ids. A state that is not kept any more is undefined. */
export async function readStates(db: Db, programIds: readonly string[], ids: readonly string[]): Promise<unknown[]> {
  if (ids.length === 0) return []
  const rows = await db.$queryRaw<{ id: string; state: unknown }[]>`
    select id::text, coalesce(state, to_jsonb(rows)) as state from event_states
    where program_id = any(${[...new Set(programIds)]}::uuid[]) and id = any(${[...new Set(ids)]}::uuid[])`
  const byId = new Map(rows.map(({ id, state }) => [id, state]))
  return ids.map((id) => byId.get(id))
}

/** Reads events with their frozen states, by their ids. Those that are not kept any more are missing. */
export async function readEvents(
  db: Db,
  programIds: readonly string[],
  ids: readonly string[],
): Promise<Map<string, Event & { state: unknown }>> {
  const where = { programId: { in: [...new Set(programIds)] }, id: { in: [...new Set(ids)] } }
  const events = await db.event.findMany({ where })
  const states = await readStates(
    db,
    events.map(({ programId }) => programId),
    events.map(({ stateId }) => stateId),
  )
  return new Map(events.map((event, index) => [event.id, { ...event, state: states[index] }]))
}

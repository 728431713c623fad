import { sqlWithin } from '../../database/client/sql.ts'
import { columnsOf, type Write, writeTogether } from '../../database/client/write.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { storedActor } from '../history/actor.ts'
import type { Recorder } from '../history/record.ts'
import { type EventType, subjectOf } from './types.ts'

/** `within`: another event of the same cause, whose state has this subject too and is shared with it. */
export type NewEvent = { type: EventType; subjectId: string; within?: Omit<NewEvent, 'within'> }

/** The subject whose state is frozen for an event. The state of a commission has those of its sale and its referral. */
const frozenSubject = ({ type, subjectId, within = { type, subjectId } }: NewEvent) => ({
  subject: subjectOf(within.type),
  subjectId: within.subjectId,
})

/**
 * The write that records what happened, in the statement that does it, after the other writes. The database adds the
 * frozen states, without the changes of triggers AFTER the other writes. The caller holds the locks of existing
 * subjects, so that the events of a subject are in the order of the commits.
 */
export function insertedEvents(
  { program, actor, requestId, isSilent }: Recorder,
  events: readonly NewEvent[],
  at: Date,
): Write {
  const sql = `record_events($1::jsonb -> 'events' -> 0)`
  if (isSilent || events.length === 0) return { name: 'events', sql, rows: [], isLast: true }
  const states = new Map<string, { number: number; frozen: object }>()
  const places = new Map<string, number>()
  const rows = events.map((event) => {
    const { type, subjectId } = event
    const frozen = frozenSubject(event)
    const { number } = states.get(frozen.subjectId) ?? { number: states.size }
    states.set(frozen.subjectId, { number, frozen })
    const place = places.get(subjectId) ?? 0
    places.set(subjectId, place + 1)
    return { type, subject: subjectOf(type), subjectId, place, state: number }
  })
  // What was created just now has no earlier version to look up.
  const onlyNew = rows.every(({ type, place }) => place > 0 || type.endsWith('.created'))
  const recorded = {
    programId: program.id,
    requestId,
    createdAt: at,
    onlyNew,
    events: rows.map(columnsOf),
    states: [...states.values()].map(({ frozen }) => columnsOf(frozen)),
    ...storedActor(actor),
  }
  return { name: 'events', sql, rows: [recorded], isLast: true }
}

/**
 * Records what happened, in its transaction, in a separate statement. The database freezes the state of each subject
 * now: call it after rows were written, and before a row is deleted.
 */
export const recordEvents = (
  tx: Prisma.TransactionClient,
  ctx: Recorder,
  events: readonly NewEvent[],
  at: Date,
): Promise<void> => writeTogether(sqlWithin(tx), [insertedEvents(ctx, events, at)])

/** The events of one subject, in the order in which they are recorded. */
export const eventsOf = (subjectId: string, types: readonly EventType[]): NewEvent[] =>
  types.map((type) => ({ type, subjectId }))

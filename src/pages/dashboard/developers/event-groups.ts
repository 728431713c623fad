import { type EventSubject, type EventType, eventTypes, subjectOf } from '../../../modules/events/types.ts'
import { texts } from '../texts.ts'

const words = texts.developers.webhooks

type Group = { subject: EventSubject; name: string; types: readonly EventType[] }

/** All types of events by what they are about. */
export const eventGroups: readonly Group[] = [...new Set(eventTypes.map(subjectOf))].map((subject) => ({
  subject,
  name: words.subjects[subject],
  types: eventTypes.filter((type) => subjectOf(type) === subject),
}))

/** "All of commissions, sale.created" */
export function typesInWords(chosen: readonly string[]): string {
  if (chosen.length === 0) return words.allEvents
  return eventGroups
    .flatMap(({ name, types }) => {
      const given = types.filter((type) => chosen.includes(type))
      return given.length === types.length ? [words.allOf(name)] : given
    })
    .join(', ')
}

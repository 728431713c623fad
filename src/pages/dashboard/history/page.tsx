import { Link } from '@tanstack/react-router'
import {
  type ActorKind,
  type EntryFragment,
  HistoryActorsDocument,
  type HistorySubject,
  ProgramHistoryDocument,
  type ProgramHistoryQuery,
  type ProgramHistoryQueryVariables,
} from '../../../generated/dashboard/history/graphql.ts'
import { useData } from '../api/use-data.ts'
import type { Option } from '../form/fields.tsx'
import { ListPage } from '../list/list-page.tsx'
import { choiceOf } from '../list/search.ts'
import { betweenDays } from '../money/days.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { entryColumns } from './entries.tsx'

const words = texts.settings.history
const actors = Object.keys(words.actors) as ActorKind[]
const subjects = Object.keys(words.subjects) as HistorySubject[]
const ofAccess: readonly HistorySubject[] = ['API_KEY', 'MEMBER', 'INVITATION']

/** In the address, a person or a key is its kind and its id: "person-018f…". */
function actorOf(who: string | undefined) {
  const [, kind, id] = /^(person|key)-(.+)$/.exec(who ?? '') ?? []
  return {
    actorKind: choiceOf(who, actors) ?? null,
    personId: kind === 'person' ? id : null,
    apiKeyId: kind === 'key' ? id : null,
  }
}

/** Kinds of actors, then people and keys by their names. */
function useActors(): Option[] {
  const { data } = useData(HistoryActorsDocument, {})
  const named = (data?.historyActors ?? []).flatMap(({ person, apiKey }) => {
    if (person) return { value: `person-${person.id}`, name: person.name }
    return apiKey ? { value: `key-${apiKey.id}`, name: texts.money.byKey(apiKey.name) } : []
  })
  const kinds = actors.map((value) => ({ value, name: words.actors[value] }))
  return [...kinds, ...named.sort((a, b) => a.name.localeCompare(b.name))]
}

/** Everything that was done in the program. */
export function History() {
  const whoOptions = useActors()
  const { program, canManagePeople } = useProgram()
  const listed = canManagePeople ? subjects : subjects.filter((subject) => !ofAccess.includes(subject))
  return (
    <ListPage<ProgramHistoryQuery, ProgramHistoryQueryVariables, EntryFragment>
      title={words.title}
      lead={
        <Link to="/$program/settings" params={{ program: program.slug }}>
          {texts.views.settings}
        </Link>
      }
      noun={words.noun}
      document={ProgramHistoryDocument}
      variables={({ who, kind, from, to }, page) => {
        const days = betweenDays(from, to)
        return {
          ...page,
          ...actorOf(who),
          from: days?.gte ?? null,
          to: days?.lt ?? null,
          subject: choiceOf(kind, listed) ?? null,
        }
      }}
      connection={({ programHistory }) => programHistory}
      columns={entryColumns}
      filters={[
        { kind: 'choice', name: 'who', label: words.who, options: whoOptions },
        {
          kind: 'choice',
          name: 'kind',
          label: words.kind,
          options: listed.map((value) => ({ value, name: words.subjects[value] })),
        },
        { kind: 'day', name: 'from', label: texts.money.from },
        { kind: 'day', name: 'to', label: texts.money.to },
      ]}
      empty={{ title: words.none, text: words.noneText }}
    />
  )
}

import { Link } from '@tanstack/react-router'
import {
  type ActorKind,
  type EntryFragment,
  type HistorySubject,
  ProgramHistoryDocument,
  type ProgramHistoryQuery,
  type ProgramHistoryQueryVariables,
} from '../../../../generated/dashboard/history/graphql.ts'
import { ListPage } from '../list/list-page.tsx'
import { choiceOf } from '../list/search.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { entryColumns } from './entries.tsx'

const words = texts.settings.history
const actors = Object.keys(words.actors) as ActorKind[]
const subjects = Object.keys(words.subjects) as HistorySubject[]
const ofAccess: readonly HistorySubject[] = ['API_KEY', 'MEMBER', 'INVITATION']

/** Everything that was done in the program. */
export function History() {
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
      variables={({ who, kind }, page) => ({
        ...page,
        actorKind: choiceOf(who, actors) ?? null,
        subject: choiceOf(kind, listed) ?? null,
      })}
      connection={({ programHistory }) => programHistory}
      columns={entryColumns}
      filters={[
        {
          kind: 'choice',
          name: 'who',
          label: words.who,
          options: actors.map((value) => ({ value, name: words.actors[value] })),
        },
        {
          kind: 'choice',
          name: 'kind',
          label: words.kind,
          options: listed.map((value) => ({ value, name: words.subjects[value] })),
        },
      ]}
      empty={{ title: words.none, text: words.noneText }}
    />
  )
}

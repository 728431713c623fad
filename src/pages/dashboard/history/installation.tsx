import { InstallationHistoryDocument } from '../../../generated/dashboard/history/graphql.ts'
import { List } from '../list/list.tsx'
import { useLocalListState } from '../list/use-list-state.ts'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'
import { Moment } from '../ui/moment.tsx'
import { actorName } from './timeline.tsx'

const { history: shared, installation: words } = texts.settings

/** For operators: what belongs to no program. */
export function InstallationHistory() {
  const state = useLocalListState()
  return (
    <Card title={words.title} lead={words.lead}>
      <List
        state={state}
        size={10}
        noun={words.noun}
        document={InstallationHistoryDocument}
        variables={(_search, page) => page}
        connection={({ installationHistory }) => installationHistory}
        columns={[
          {
            name: shared.what,
            cell: ({ action }) => words.actions[action],
            csv: ({ action }) => words.actions[action],
          },
          {
            name: words.about,
            cell: ({ subjectName }) => subjectName ?? '–',
            className: 'reference',
            csv: ({ subjectName }) => subjectName,
          },
          { name: shared.who, cell: ({ actor }) => actorName(actor), csv: ({ actor }) => actorName(actor) },
          { name: shared.when, cell: ({ at }) => <Moment at={at} />, csv: ({ at }) => at },
        ]}
        empty={{ title: words.none, text: words.noneText }}
      />
    </Card>
  )
}

import { EndpointHistoryDocument } from '../../../generated/dashboard/history/graphql.ts'
import { List } from '../list/list.tsx'
import { useLocalListState } from '../list/use-list-state.ts'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'
import { entryColumns } from './entries.tsx'

const words = texts.settings.history

/** What was done to a webhook endpoint. */
export function EndpointHistory({ id }: { id: string }) {
  const state = useLocalListState()
  return (
    <Card title={words.title}>
      <List
        state={state}
        size={10}
        noun={words.noun}
        document={EndpointHistoryDocument}
        variables={(_search, page) => ({ ...page, id })}
        connection={({ history }) => history}
        columns={entryColumns}
        empty={{ title: words.none, text: words.noneText }}
      />
    </Card>
  )
}

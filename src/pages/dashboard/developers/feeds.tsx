import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type FeedFactsFragment, FeedsDocument } from '../../../generated/dashboard/developers/graphql.ts'
import type { Column } from '../../parts/table.tsx'
import { List } from '../list/list.tsx'
import { useLocalListState } from '../list/use-list-state.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { CreateFeed } from './create-feed.tsx'

const words = texts.developers.feeds

const tones: Record<string, Tone> = { ACTIVE: 'good', FAILING: 'bad', NO_SECRET: 'wait' }

export const FeedState = ({ state }: { state: string }) => (
  <Badge tone={tones[state] ?? 'plain'}>{words.states[state] ?? state}</Badge>
)

const columns: Column<FeedFactsFragment>[] = [
  { name: texts.fields.name, cell: (feed) => <FeedLink feed={feed} />, csv: ({ name }) => name },
  { name: words.kind, cell: ({ kind }) => words.kinds[kind] ?? kind, csv: ({ kind }) => kind },
  { name: words.state, cell: ({ state }) => <FeedState state={state} />, isPlain: true },
]

function FeedLink({ feed: { id, name } }: { feed: FeedFactsFragment }) {
  const { program } = useProgram()
  return (
    <Link to="/$program/developers/feeds/$id" params={{ program: program.slug, id }}>
      {name}
    </Link>
  )
}

/** The billing systems whose events become sales. */
export function Feeds() {
  const { canChange } = useProgram()
  const state = useLocalListState()
  const [isCreating, setCreating] = useState(false)
  const create = canChange && (
    <button type="button" onClick={() => setCreating(true)}>
      {words.create}
    </button>
  )
  return (
    <Card title={words.title} lead={words.lead} actions={create}>
      <List
        state={state}
        noun="feed"
        size={10}
        document={FeedsDocument}
        variables={(_, page) => page}
        connection={({ feeds }) => feeds}
        columns={columns}
        empty={{ title: words.none, text: words.noneText }}
      />
      <Dialog title={words.create} lead={words.createLead} isOpen={isCreating} onClose={() => setCreating(false)}>
        <CreateFeed onDone={() => setCreating(false)} />
      </Dialog>
    </Card>
  )
}

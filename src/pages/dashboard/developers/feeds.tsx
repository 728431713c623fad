import { Link } from '@tanstack/react-router'
import { type FeedFactsFragment, FeedsDocument } from '../../../generated/dashboard/developers/graphql.ts'
import type { Column } from '../../parts/table.tsx'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { CreateFeed } from './create-feed.tsx'
import { ListCard } from './list-card.tsx'

const words = texts.developers.feeds

const tones: Record<string, Tone> = { ACTIVE: 'good', FAILING: 'bad', NO_SECRET: 'wait', PAUSED: 'wait' }

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
export const Feeds = () => (
  <ListCard
    words={words}
    noun="feed"
    document={FeedsDocument}
    connection={({ feeds }) => feeds}
    columns={columns}
    form={(onDone) => <CreateFeed onDone={onDone} />}
  />
)

import { getRouteApi, Link } from '@tanstack/react-router'
import { FeedDocument, type FeedFactsFragment } from '../../../generated/dashboard/developers/graphql.ts'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { useData } from '../api/use-data.ts'
import { useLocalListState } from '../list/use-list-state.ts'
import { Fact } from '../money/fact.tsx'
import { EventList } from '../sales/events/list.tsx'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'
import { Empty } from '../ui/empty.tsx'
import { Moment } from '../ui/moment.tsx'
import { Page } from '../ui/page.tsx'
import { CopyBox } from '../ui/secret.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { FeedActions } from './feed-actions.tsx'
import { FeedMapping } from './feed-mapping.tsx'
import { FeedState } from './feeds.tsx'

const words = texts.developers.feeds
const route = getRouteApi('/signed-in/$program/developers/feeds/$id')

/** One feed: its address, what it received, and what became of that. */
export function Feed() {
  const { id } = route.useParams()
  const { program, canChange } = useProgram()
  const events = useLocalListState()
  const { data, failure, retry } = useData(FeedDocument, { id })
  const feed = data?.feed
  return (
    <Page
      title={feed?.name ?? words.feed}
      lead={
        <Link to="/$program/developers" params={{ program: program.slug }}>
          {texts.views.developers}
        </Link>
      }
      actions={feed && canChange && <FeedActions feed={feed} />}
    >
      {failure && <FailureNotice message={failure} onRetry={retry} />}
      {!data && !failure && <Skeleton />}
      {data && !feed && <Empty title={words.unknown} text={words.unknownText} />}
      {feed && (
        <>
          <Facts feed={feed} />
          {feed.kind === 'GENERIC' && canChange && <FeedMapping feed={feed} />}
          <Card title={words.events} lead={words.eventsLead}>
            <EventList state={events} feedId={feed.id} size={20} />
          </Card>
        </>
      )}
    </Page>
  )
}

const Facts = ({ feed }: { feed: FeedFactsFragment }) => (
  <Card title={words.feed}>
    {feed.problems.map(({ kind, message }) => (
      <p key={kind} className="warning">
        {message}
      </p>
    ))}
    <dl className="facts">
      <Fact name={words.kind}>{words.kinds[feed.kind] ?? feed.kind}</Fact>
      <Fact name={words.state}>
        <FeedState state={feed.state} />
      </Fact>
      {feed.pausedAt && (
        <Fact name={words.pausing.since}>
          <Moment at={feed.pausedAt} />
        </Fact>
      )}
      {feed.signatureHeader && <Fact name={words.signing.header}>{feed.signatureHeader}</Fact>}
      {feed.mode && <Fact name={words.mode}>{words.modes[feed.mode]}</Fact>}
      {feed.includes.length > 0 && (
        <Fact name={words.includes}>{feed.includes.map((part) => words.parts[part]).join(', ')}</Fact>
      )}
      {feed.previousSecretEndsAt && (
        <Fact name={words.previousSecret}>
          <Moment at={feed.previousSecretEndsAt} />
        </Fact>
      )}
      <Fact name={texts.developers.webhooks.createdAt}>
        <Moment at={feed.createdAt} />
      </Fact>
    </dl>
    <h3>{words.url}</h3>
    <CopyBox text={feed.url} name={words.url} />
    {feed.kind === 'GENERIC' && feed.signatureContent === 'BODY' && <p className="hint">{words.signing.replay}</p>}
    {feed.eventTypes.length > 0 && (
      <details>
        <summary>{words.types}</summary>
        <p className="quiet reference">{feed.eventTypes.join(', ')}</p>
      </details>
    )}
  </Card>
)

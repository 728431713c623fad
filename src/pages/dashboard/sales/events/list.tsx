import {
  type FeedEventFactsFragment,
  FeedEventsAboutDocument,
  FeedEventsDocument,
} from '../../../../generated/dashboard/sales/graphql.ts'
import type { Filter } from '../../list/filters.tsx'
import { List } from '../../list/list.tsx'
import { choiceOf } from '../../list/search.ts'
import { type ListState, useListState } from '../../list/use-list-state.ts'
import { texts } from '../../texts.ts'
import { Page } from '../../ui/page.tsx'
import { SaleTabs } from '../sale-tabs.tsx'
import { eventColumns } from './event.tsx'

const words = texts.sales.events

const outcomes = Object.keys(words.outcomes) as FeedEventFactsFragment['outcome'][]

const filters: readonly Filter[] = [
  { kind: 'text', name: 'about', label: words.search },
  {
    kind: 'choice',
    name: 'outcome',
    label: words.outcome,
    options: Object.entries(words.outcomes).map(([value, name]) => ({ value, name })),
  },
]

const onePage = { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null }

/** The events of a feed, or of all of them: what was received, and what became of it. */
export function EventList({ state, feedId, size }: { state: ListState; feedId?: string; size?: number }) {
  const { about, outcome: given } = state.search
  const outcome = choiceOf(given, outcomes)
  const list = { state, noun: words.noun, filters, columns: eventColumns, empty: words.none, isLive: true, size }
  const isWanted = (event: FeedEventFactsFragment) =>
    (feedId === undefined || event.feedId === feedId) && (outcome === undefined || event.outcome === outcome)
  if (about)
    return (
      <List
        {...list}
        document={FeedEventsAboutDocument}
        variables={() => ({ externalId: about })}
        connection={({ feedEventsAbout }) => {
          const nodes = feedEventsAbout.filter(isWanted)
          return { nodes, totalCount: nodes.length, pageInfo: onePage }
        }}
      />
    )
  return (
    <List
      {...list}
      document={FeedEventsDocument}
      variables={(_search, page) => {
        const where = {
          ...(feedId && { feedId: { equals: feedId } }),
          ...(outcome && { outcome: { equals: outcome } }),
        }
        return { ...page, where }
      }}
      connection={({ feedEvents }) => feedEvents}
    />
  )
}

/** "Why was this invoice not counted?": what billing systems have sent, by invoice, customer and amount. */
export const BillingEvents = () => (
  <Page title={words.title} lead={words.lead}>
    <SaleTabs current="events" />
    <EventList state={useListState()} />
  </Page>
)

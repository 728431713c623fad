import { Link } from '@tanstack/react-router'
import { type FormEvent, useId, useState } from 'react'
import {
  type FeedEventFactsFragment,
  FeedEventsAboutDocument,
  FeedEventsDocument,
} from '../../../generated/dashboard/developers/graphql.ts'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import type { Column } from '../../parts/table.tsx'
import { useData } from '../api/use-data.ts'
import { List } from '../list/list.tsx'
import { choiceOf } from '../list/search.ts'
import { useLocalListState } from '../list/use-list-state.ts'
import { Fact } from '../money/fact.tsx'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Moment } from '../ui/moment.tsx'
import { type FeedPayment, paymentOf } from './feed-payment.ts'
import { Json } from './json.tsx'

const words = texts.developers.feeds

const tones: Record<string, Tone> = { SALE: 'good', REFUND: 'good', LEAD: 'good', WAITING: 'wait', FAILED: 'bad' }

const Outcome = ({ event: { outcome } }: { event: FeedEventFactsFragment }) => (
  <Badge tone={tones[outcome] ?? 'plain'}>{words.outcomes[outcome] ?? outcome}</Badge>
)

const outcomes = Object.keys(words.outcomes) as FeedEventFactsFragment['outcome'][]

const nameOf = ({ type }: FeedEventFactsFragment) => type ?? words.rejected

/** What the event says of a payment: a list of events is searched by eye for a customer or an amount. */
function paymentColumn(name: string, part: keyof FeedPayment): Column<FeedEventFactsFragment> {
  const read = ({ derived }: FeedEventFactsFragment) => paymentOf(derived)[part]
  return { name, cell: (event) => read(event) ?? '–', isEmpty: (event) => !read(event), csv: read }
}

const columns: Column<FeedEventFactsFragment>[] = [
  { name: words.event, cell: (event) => <code>{nameOf(event)}</code>, csv: nameOf },
  paymentColumn(words.invoice, 'invoice'),
  paymentColumn(texts.sales.customer, 'customer'),
  { name: words.outcome, cell: (event) => <Outcome event={event} />, isPlain: true },
  {
    name: words.reason,
    cell: ({ reason }) => reason ?? '–',
    className: 'reference',
    csv: ({ reason }) => reason,
  },
  {
    name: words.received,
    cell: ({ receivedAt }) => <Moment at={receivedAt} hasSeconds />,
    csv: ({ receivedAt }) => receivedAt,
  },
  { ...paymentColumn(texts.money.amount, 'amount'), isNumber: true },
]

/** The events of a feed, with a search by what they mention, and everything of one. */
export function FeedEvents({ feedId }: { feedId: string }) {
  const state = useLocalListState()
  const [shown, setShown] = useState<FeedEventFactsFragment>()
  const actions: Column<FeedEventFactsFragment> = {
    name: texts.actions,
    isPlain: true,
    className: 'row-actions',
    cell: (event) => (
      <button type="button" onClick={() => setShown(event)}>
        {texts.details}
        <span className="unseen"> {nameOf(event)}</span>
      </button>
    ),
  }
  return (
    <Card title={words.events} lead={words.eventsLead}>
      <Search feedId={feedId} onShow={setShown} />
      <List
        state={state}
        noun="event"
        size={20}
        document={FeedEventsDocument}
        variables={({ outcome: given }, page) => {
          const outcome = choiceOf(given, outcomes)
          return { ...page, where: { feedId: { equals: feedId }, ...(outcome && { outcome: { equals: outcome } }) } }
        }}
        isLive
        filters={[
          {
            kind: 'choice',
            name: 'outcome',
            label: words.outcome,
            options: Object.entries(words.outcomes).map(([value, name]) => ({ value, name })),
          },
        ]}
        connection={({ feedEvents }) => feedEvents}
        columns={[...columns, actions]}
        empty={{ title: words.noneReceived, text: words.noneReceivedText }}
      />
      <Dialog title={shown ? nameOf(shown) : ''} isOpen={!!shown} onClose={() => setShown(undefined)}>
        {shown && <Details event={shown} />}
      </Dialog>
    </Card>
  )
}

function Search({ feedId, onShow }: { feedId: string; onShow(event: FeedEventFactsFragment): void }) {
  const id = useId()
  const [text, setText] = useState('')
  const [sought, setSought] = useState('')
  const { data, failure, retry } = useData(FeedEventsAboutDocument, { externalId: sought }, { pause: sought === '' })
  const find = (event: FormEvent) => {
    event.preventDefault()
    setSought(text.trim())
  }
  const found = sought === '' ? undefined : data?.feedEventsAbout.filter((event) => event.feedId === feedId)
  return (
    <form className="feed-search" onSubmit={find}>
      <div className="field">
        <label htmlFor={id}>{words.search}</label>
        <div className="feed-search-line">
          <input id={id} value={text} onChange={({ target }) => setText(target.value)} />
          <button type="submit">{words.find}</button>
        </div>
      </div>
      {failure && <FailureNotice message={failure} onRetry={retry} />}
      {found?.length === 0 && <p role="status">{words.noneFound}</p>}
      <ul className="lines found-events">
        {found?.map((event) => (
          <li key={event.id}>
            <button type="button" className="plain" onClick={() => onShow(event)}>
              {nameOf(event)}
            </button>
            <Outcome event={event} />
            <span className="quiet">{lineOf(event)}</span>
          </li>
        ))}
      </ul>
    </form>
  )
}

/** "ada@example.com, $49.00: No active affiliate matches this sale." */
function lineOf({ derived, reason }: FeedEventFactsFragment): string {
  const { customer, amount } = paymentOf(derived)
  return [[customer, amount].filter(Boolean).join(', '), reason].filter(Boolean).join(': ')
}

function Details({ event }: { event: FeedEventFactsFragment }) {
  const { program } = useProgram()
  const { externalId, reason, sale, raw, derived, receivedAt } = event
  return (
    <>
      <dl className="facts">
        <Fact name={words.outcome}>
          <Outcome event={event} />
        </Fact>
        {reason && <Fact name={words.reason}>{reason}</Fact>}
        {externalId && (
          <Fact name={words.event}>
            <code>{externalId}</code>
          </Fact>
        )}
        {sale && (
          <Fact name={words.sale}>
            <Link to="/$program/sales/$id" params={{ program: program.slug, id: sale.id }}>
              {sale.externalId ?? sale.id}
            </Link>
          </Fact>
        )}
        <Fact name={words.received}>
          <Moment at={receivedAt} />
        </Fact>
      </dl>
      {[
        { name: words.derived, json: derived },
        { name: words.raw, json: raw },
      ].map(({ name, json }) => json && <Json key={name} name={name} json={json} />)}
    </>
  )
}

import { Link } from '@tanstack/react-router'
import type { FeedEventFactsFragment } from '../../../../generated/dashboard/sales/graphql.ts'
import type { Column } from '../../../parts/table.tsx'
import { useProgram } from '../../session/use-program.ts'
import { texts } from '../../texts.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Moment } from '../../ui/moment.tsx'
import { type EventPayment, paymentOf } from './payment.ts'

const words = texts.sales.events

const tones: Record<string, Tone> = { SALE: 'good', REFUND: 'good', LEAD: 'good', WAITING: 'wait', FAILED: 'bad' }

export const Outcome = ({ event: { outcome } }: { event: FeedEventFactsFragment }) => (
  <Badge tone={tones[outcome] ?? 'plain'}>{words.outcomes[outcome] ?? outcome}</Badge>
)

export const typeOf = ({ type }: FeedEventFactsFragment) => type ?? words.rejected

function EventLink({ event }: { event: FeedEventFactsFragment }) {
  const { program } = useProgram()
  return (
    <Link to="/$program/sales/events/$id" params={{ program: program.slug, id: event.id }} className="opens">
      <code>{typeOf(event)}</code>
    </Link>
  )
}

/** What the event says of a payment: a list of events is searched by eye for a customer or an amount. */
function paymentColumn(name: string, part: keyof EventPayment): Column<FeedEventFactsFragment> {
  const read = ({ derived }: FeedEventFactsFragment) => paymentOf(derived)[part]
  return { name, cell: (event) => read(event) ?? '–', isEmpty: (event) => !read(event), csv: read }
}

export const eventColumns: readonly Column<FeedEventFactsFragment>[] = [
  { name: words.event, cell: (event) => <EventLink event={event} />, csv: typeOf },
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

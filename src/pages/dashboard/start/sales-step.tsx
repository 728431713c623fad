import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { StartQuery } from '../../../generated/dashboard/start/graphql.ts'
import { formatMoney } from '../../parts/format.tsx'
import { serviceUrl } from '../address.ts'
import { CreateFeed } from '../developers/create-feed.tsx'
import { CreateKey } from '../developers/create-key.tsx'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Moment } from '../ui/moment.tsx'
import { CopyBox } from '../ui/secret.tsx'
import { Ways } from './ways.tsx'

const words = texts.start.sales

/** How sales are reported, and the first one that arrived. */
export function SalesStep({ start }: { start: StartQuery }) {
  const ways = [
    { key: 'feed', name: words.feed, text: words.feedText, content: <FromFeed start={start} /> },
    {
      key: 'call',
      name: words.call,
      text: start.visits.nodes.length > 0 ? words.callText : words.noVisitText,
      content: <ByCall start={start} />,
    },
  ]
  return (
    <>
      <Ways name={words.way} ways={ways} />
      <div role="status">
        <Arrived start={start} />
      </div>
    </>
  )
}

function FromFeed({ start }: { start: StartQuery }) {
  const { program, canChange } = useProgram()
  const [isAdding, setAdding] = useState(false)
  const [feed] = start.feeds.nodes
  return (
    <>
      {feed ? (
        <p>
          {words.connected(feed.name)}{' '}
          <Link to="/$program/developers/feeds/$id" params={{ program: program.slug, id: feed.id }}>
            {words.openFeed}
          </Link>
        </p>
      ) : (
        canChange && (
          <p>
            <button type="button" onClick={() => setAdding(true)}>
              {words.addFeed} …
            </button>
          </p>
        )
      )}
      <Dialog
        title={texts.developers.feeds.create}
        lead={texts.developers.feeds.createLead}
        isOpen={isAdding}
        onClose={() => setAdding(false)}
      >
        <CreateFeed onDone={() => setAdding(false)} />
      </Dialog>
    </>
  )
}

function ByCall({ start }: { start: StartQuery }) {
  const { canManageKeys } = useProgram()
  const [isCreating, setCreating] = useState(false)
  const [visit] = start.visits.nodes
  const report = [
    `curl ${serviceUrl('v1/conversions')} -H 'Authorization: Bearer YOUR_KEY'`,
    `-d referral_id=${visit?.id ?? 'REFERRAL_ID'} -d email=test@example.com`,
    '-d amount_cents=4900 -d external_id=test-1',
  ]
  return (
    <>
      <CopyBox text={report.join(' \\\n  ')} name={words.command} />
      {canManageKeys ? (
        <p>
          <button type="button" onClick={() => setCreating(true)}>
            {words.createKey} …
          </button>
        </p>
      ) : (
        <p className="quiet">{words.askOwner}</p>
      )}
      <Dialog title={texts.developers.keys.create} isOpen={isCreating} onClose={() => setCreating(false)}>
        <CreateKey onDone={() => setCreating(false)} />
      </Dialog>
    </>
  )
}

/** What arrived last: a sale, one that has no affiliate, or an event of a billing system. */
function Arrived({ start }: { start: StartQuery }): ReactNode {
  const { program } = useProgram()
  const params = { program: program.slug }
  const [[sale], [lost], [event]] = [start.sales.nodes, start.unattributedSales.nodes, start.feedEvents.nodes]
  if (sale)
    return (
      <p>
        {words.got(formatMoney(sale.amountCents, sale.currency))} <Moment at={sale.createdAt} />{' '}
        <Link to="/$program/sales/$id" params={{ ...params, id: sale.id }}>
          {words.openSale}
        </Link>
      </p>
    )
  if (lost)
    return (
      <p>
        {words.gotLost(formatMoney(lost.amountCents, lost.currency))} <Moment at={lost.updatedAt} />{' '}
        <Link to="/$program/sales" params={params} search={{ show: 'unattributed' }}>
          {words.openLost}
        </Link>
      </p>
    )
  if (!event) return <p className="quiet">{words.waiting}</p>
  const { outcomes, rejected } = texts.sales.events
  return (
    <p>
      {words.gotEvent(event.type ?? rejected, outcomes[event.outcome] ?? event.outcome)}{' '}
      <Moment at={event.receivedAt} />{' '}
      <Link to="/$program/sales/events/$id" params={{ ...params, id: event.id }}>
        {words.openEvent}
      </Link>
    </p>
  )
}

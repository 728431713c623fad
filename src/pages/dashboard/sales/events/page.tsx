import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import {
  FeedEventDocument,
  type FeedEventFactsFragment,
  KeptSalesDocument,
  type UnattributedFragment,
} from '../../../../generated/dashboard/sales/graphql.ts'
import { FailureNotice } from '../../../parts/failure-notice.tsx'
import { formatMoney } from '../../../parts/format.tsx'
import { useData } from '../../api/use-data.ts'
import { Fact } from '../../money/fact.tsx'
import { useProgram } from '../../session/use-program.ts'
import { texts } from '../../texts.ts'
import { Card } from '../../ui/card.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Json } from '../../ui/json.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Attribute } from '../attribute.tsx'
import { triedSentence } from '../tried.ts'
import { Outcome, typeOf } from './event.tsx'
import { paymentIdsOf, paymentOf } from './payment.ts'

const words = texts.sales.events
const route = getRouteApi('/signed-in/$program/sales/events/$id')

/** One event of a billing system: what it says, what became of it, and why. */
export function BillingEvent() {
  const { id } = route.useParams()
  const { program } = useProgram()
  const { data, failure, retry } = useData(FeedEventDocument, { id })
  const event = data?.feedEvent
  return (
    <Page
      title={event ? typeOf(event) : words.event}
      lead={
        <Link to="/$program/sales/events" params={{ program: program.slug }}>
          {words.title}
        </Link>
      }
    >
      {failure && <FailureNotice message={failure} onRetry={retry} />}
      {!data && !failure && <Skeleton />}
      {data && !event && <Empty title={texts.money.unknown} text={texts.money.unknownText} />}
      {event && (
        <>
          <Facts event={event} />
          {!event.sale && <KeptSales externalIds={paymentIdsOf(event.derived)} />}
        </>
      )}
    </Page>
  )
}

function Facts({ event }: { event: FeedEventFactsFragment }) {
  const { program } = useProgram()
  const { externalId, reason, sale, raw, derived, receivedAt } = event
  const { customer, amount, invoice } = paymentOf(derived)
  return (
    <Card title={words.event}>
      <dl className="facts">
        <Fact name={words.outcome}>
          <Outcome event={event} />
        </Fact>
        {reason && <Fact name={words.reason}>{reason}</Fact>}
        {customer && <Fact name={texts.sales.customer}>{customer}</Fact>}
        {amount && <Fact name={texts.money.amount}>{amount}</Fact>}
        {invoice && (
          <Fact name={words.invoice}>
            <code>{invoice}</code>
          </Fact>
        )}
        {sale && (
          <Fact name={texts.sales.sale}>
            <Link to="/$program/sales/$id" params={{ program: program.slug, id: sale.id }}>
              {sale.externalId ?? sale.id}
            </Link>
          </Fact>
        )}
        <Fact name={words.received}>
          <Moment at={receivedAt} />
        </Fact>
        {externalId && (
          <Fact name={words.id}>
            <code>{externalId}</code>
          </Fact>
        )}
      </dl>
      {[
        { name: words.derived, json: derived },
        { name: words.raw, json: raw },
      ].map(({ name, json }) => json && <Json key={name} name={name} json={json} />)}
    </Card>
  )
}

/** The sale that the payment would be, if an affiliate had brought it. A person can name one. */
function KeptSales({ externalIds }: { externalIds: readonly string[] }) {
  const { canChange } = useProgram()
  const [attributing, setAttributing] = useState<UnattributedFragment>()
  const close = () => setAttributing(undefined)
  const { data } = useData(KeptSalesDocument, { externalIds: [...externalIds] }, { pause: externalIds.length === 0 })
  return (
    <>
      {data?.unattributedSales.nodes.map((sale) => (
        <Card
          key={sale.id}
          title={texts.sales.lost.titleOf(formatMoney(sale.amountCents, sale.currency))}
          actions={
            canChange && (
              <button type="button" onClick={() => setAttributing(sale)}>
                {texts.sales.lost.attribute} …
              </button>
            )
          }
        >
          <p>{triedSentence(sale)}</p>
        </Card>
      ))}
      <Dialog title={texts.sales.lost.title} isOpen={!!attributing} onClose={close}>
        {attributing && <Attribute sale={attributing} onDone={close} />}
      </Dialog>
    </>
  )
}

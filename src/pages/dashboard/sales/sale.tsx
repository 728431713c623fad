import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { SaleDocument, type SaleQuery } from '../../../generated/dashboard/sales/graphql.ts'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { Day, formatMoney } from '../../parts/format.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { AffiliateLink, nameOf } from '../affiliate-name.tsx'
import { useData } from '../api/use-data.ts'
import { CustomerLink } from '../customer-link.tsx'
import { NoId, ThingLink } from '../money/columns.tsx'
import { CommissionState } from '../money/commission-state.tsx'
import { Explanation } from '../money/explanation.tsx'
import { Fact } from '../money/fact.tsx'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Empty } from '../ui/empty.tsx'
import { Moment } from '../ui/moment.tsx'
import { Page } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Outcome } from './attributed.tsx'
import { Refund } from './refund.tsx'
import { ReverseRefund } from './reverse-refund.tsx'
import { UndoAttribution } from './undo-attribution.tsx'

const words = texts.sales

const route = getRouteApi('/signed-in/$program/sales/$id')

type Shown = NonNullable<SaleQuery['sale']>

/** One sale: what it earned, why, and its refunds. */
export function Sale() {
  const { id } = route.useParams()
  const { program, canChange } = useProgram()
  const { data, failure, retry } = useData(SaleDocument, { id })
  const [isRefunding, setRefunding] = useState(false)
  const [isUndoing, setUndoing] = useState(false)
  const sale = data?.sale
  const close = () => setRefunding(false)
  return (
    <Page
      title={sale ? words.titleOf(formatMoney(sale.amountCents, sale.currency), nameOf(sale.affiliate)) : words.sale}
      lead={
        <Link to="/$program/sales" params={{ program: program.slug }}>
          {texts.views.sales}
        </Link>
      }
      actions={
        canChange &&
        sale && (
          <>
            {sale.outcome === 'ATTRIBUTION_UNDONE' && (
              <Link
                to="/$program/sales"
                params={{ program: program.slug }}
                search={{ show: 'unattributed' }}
                className="button"
              >
                {words.unattributed}
              </Link>
            )}
            {isByHand(sale) && (
              <button type="button" onClick={() => setUndoing(true)}>
                {words.lost.undo} …
              </button>
            )}
            {sale.refundedCents < sale.amountCents && (
              <button type="button" onClick={() => setRefunding(true)}>
                {words.refund} …
              </button>
            )}
          </>
        )
      }
    >
      {failure && <FailureNotice message={failure} onRetry={retry} />}
      {!data && !failure && <Skeleton />}
      {data && !sale && <Empty title={texts.money.unknown} text={texts.money.unknownText} />}
      {sale && (
        <>
          {sale.outcome === 'ATTRIBUTION_UNDONE' && <p role="note">{words.lost.isUndone}</p>}
          <Facts sale={sale} />
          <Commissions sale={sale} />
          <Explanation
            explanation={sale.explanation}
            currency={sale.commissions.nodes[0]?.currency ?? sale.explanation.baseCurrency}
          />
          <Dialog title={words.refundTitle} lead={words.refundLead} isOpen={isRefunding} onClose={close}>
            <Refund sale={sale} onDone={close} />
          </Dialog>
          <UndoAttribution saleId={sale.id} isOpen={isUndoing} onDone={() => setUndoing(false)} />
        </>
      )}
    </Page>
  )
}

/** Whether a person gave it to its affiliate, or it followed such a sale. */
const isByHand = ({ attributedBy, outcome, refundedCents, referral: { link, coupon } }: Shown) =>
  outcome !== 'ATTRIBUTION_UNDONE' &&
  refundedCents === 0 &&
  (attributedBy === 'MANUAL' || (attributedBy === 'EMAIL' && !link && !coupon))

function Facts({ sale }: { sale: Shown }) {
  const { canChange } = useProgram()
  const { amountCents, refundedCents, currency, refunds } = sale
  return (
    <Card title={words.sale}>
      <dl className="facts">
        <Fact name={words.outcome}>
          <Outcome outcome={sale.outcome} />
        </Fact>
        <Fact name={texts.money.affiliate}>
          <AffiliateLink affiliate={sale.affiliate} />
        </Fact>
        <Fact name={texts.money.campaign}>
          <ThingLink of="campaigns" id={sale.campaign.id}>
            {sale.campaign.name}
          </ThingLink>
        </Fact>
        <Fact name={words.customer}>
          {sale.customer ? (
            <>
              {sale.customerName} <CustomerLink customer={sale.customer} />
            </>
          ) : (
            (sale.customerName ?? texts.money.none)
          )}
        </Fact>
        <Fact name={words.externalId}>{sale.externalId ?? <NoId />}</Fact>
        <Fact name={words.occurred}>
          <Moment at={sale.occurredAt} />
        </Fact>
        <Fact name={words.recorded}>
          <Moment at={sale.createdAt} />
        </Fact>
        <Fact name={words.amount}>{formatMoney(amountCents, currency)}</Fact>
        <Fact name={words.refunds}>
          {refunds.nodes.length === 0 && words.noRefunds}
          {refunds.nodes.map((refund) => (
            <p key={refund.id}>
              {formatMoney(refund.amountCents, currency)}{' '}
              <span className="quiet">
                <Day at={refund.createdAt} /> {refund.externalId} {refund.reversedAt && words.reversed}
              </span>
              {canChange && !refund.reversedAt && <ReverseRefund refund={refund} currency={currency} />}
            </p>
          ))}
          {refunds.totalCount > refunds.nodes.length && (
            <p className="quiet">{words.moreRefunds(refunds.totalCount - refunds.nodes.length)}</p>
          )}
        </Fact>
        {refundedCents > 0 && <Fact name={words.remaining}>{formatMoney(amountCents - refundedCents, currency)}</Fact>}
      </dl>
    </Card>
  )
}

type Earned = Shown['commissions']['nodes'][number]

const columns: Column<Earned>[] = [
  { name: words.kind, cell: (commission) => <CommissionLink commission={commission} /> },
  {
    name: texts.money.state,
    isPlain: true,
    cell: ({ state, heldReason }) => <CommissionState state={state} isHeld={heldReason !== null} />,
  },
  { name: texts.money.amount, isNumber: true, cell: ({ amountCents, currency }) => formatMoney(amountCents, currency) },
]

function CommissionLink({ commission: { id, refund, amountCents } }: { commission: Earned }) {
  const { program } = useProgram()
  return (
    <Link to="/$program/commissions/$id" params={{ program: program.slug, id }}>
      {!refund ? words.earned : amountCents > 0 ? words.credit : words.debt}
    </Link>
  )
}

const Commissions = ({ sale: { commissions } }: { sale: Shown }) => (
  <Card title={words.commissions}>
    {commissions.nodes.length === 0 ? (
      <p className="quiet">{words.noCommissions}</p>
    ) : (
      <Table
        caption={words.commissionsOf(commissions.nodes.length)}
        columns={columns}
        rows={commissions.nodes}
        keyOf={({ id }) => id}
      />
    )}
  </Card>
)

import { getRouteApi, Link } from '@tanstack/react-router'
import { CommissionDocument, type CommissionQuery } from '../../../generated/dashboard/commissions/graphql.ts'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { Day, formatMoney } from '../../parts/format.tsx'
import { AffiliateLink, nameOf } from '../affiliate-name.tsx'
import { useData } from '../api/use-data.ts'
import { Timeline } from '../history/timeline.tsx'
import { ThingLink } from '../money/columns.tsx'
import { CommissionState } from '../money/commission-state.tsx'
import { Explanation } from '../money/explanation.tsx'
import { Fact } from '../money/fact.tsx'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'
import { Empty } from '../ui/empty.tsx'
import { Moment } from '../ui/moment.tsx'
import { Page } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { CommissionActions } from './commission-actions.tsx'
import { saleName } from './sale-name.ts'

const words = texts.commissions

const route = getRouteApi('/signed-in/$program/commissions/$id')

type Shown = NonNullable<CommissionQuery['commission']>

/** One commission: its state, why it is what it is, and what happened to it. */
export function Commission() {
  const { id } = route.useParams()
  const { program, canChange } = useProgram()
  const { data, failure, retry } = useData(CommissionDocument, { id })
  const commission = data?.commission
  return (
    <Page
      title={
        commission
          ? words.titleOf(formatMoney(commission.amountCents, commission.currency), nameOf(commission.affiliate))
          : words.commission
      }
      lead={
        <Link to="/$program/commissions" params={{ program: program.slug }}>
          {texts.views.commissions}
        </Link>
      }
      actions={commission && canChange && <CommissionActions commission={commission} />}
    >
      {failure && <FailureNotice message={failure} onRetry={retry} />}
      {!data && !failure && <Skeleton />}
      {data && !commission && <Empty title={texts.money.unknown} text={texts.money.unknownText} />}
      {commission && (
        <>
          <Facts commission={commission} />
          <Explanation explanation={commission.explanation} currency={commission.currency} />
          <Timeline history={commission.history} />
        </>
      )}
    </Page>
  )
}

function Facts({ commission }: { commission: Shown }) {
  const { program } = useProgram()
  const { state, heldReasons, affiliate, campaign, sale, dueAt, createdAt, paidAt, voidedAt, occurredAt } = commission
  return (
    <Card title={words.commission}>
      <dl className="facts">
        <Fact name={texts.money.state}>
          <CommissionState state={state} isHeld={heldReasons.length > 0} />
          {state === 'PENDING' &&
            heldReasons.map((reason) => (
              <span key={reason} className="quiet">
                {words.heldReasons[reason]}
              </span>
            ))}
        </Fact>
        <Fact name={texts.money.affiliate}>
          <AffiliateLink affiliate={affiliate} />
        </Fact>
        <Fact name={sale ? words.sale : words.kinds[commission.kind]}>
          {sale ? (
            <Link to="/$program/sales/$id" params={{ program: program.slug, id: sale.id }}>
              {saleName(commission)}
            </Link>
          ) : (
            commission.reason
          )}
        </Fact>
        <Fact name={sale ? words.occurred : words.given}>
          <Moment at={occurredAt} />
        </Fact>
        {sale && sale.refunds.nodes.length > 0 && (
          <Fact name={words.refunds}>
            {sale.refunds.nodes.map((refund) => (
              <p key={refund.id}>
                {formatMoney(refund.amountCents, sale.currency)}{' '}
                <span className="quiet">
                  <Day at={refund.createdAt} /> {refund.externalId} {refund.reversedAt && texts.sales.reversed}
                </span>
              </p>
            ))}
          </Fact>
        )}
        <Fact name={texts.money.campaign}>
          <ThingLink of="campaigns" id={campaign.id}>
            {campaign.name}
          </ThingLink>
        </Fact>
        <Fact name={words.due}>
          <Moment at={dueAt} />
        </Fact>
        <Fact name={words.payout}>
          <InPayout commission={commission} />
        </Fact>
        {paidAt && (
          <Fact name={words.paid}>
            <Moment at={paidAt} />
          </Fact>
        )}
        {voidedAt && (
          <Fact name={words.voided}>
            <Moment at={voidedAt} />
          </Fact>
        )}
        <Fact name={words.earned}>
          <Moment at={createdAt} />
        </Fact>
        {commission.importedId && <Fact name={words.importedId}>{commission.importedId}</Fact>}
        <Fact name={texts.money.id}>
          <code>{commission.id}</code>
        </Fact>
      </dl>
    </Card>
  )
}

function InPayout({ commission: { payout, paidAt, voidedAt } }: { commission: Shown }) {
  const { program } = useProgram()
  if (!payout) return paidAt ? words.outside : voidedAt ? texts.money.none : words.notYet
  return (
    <Link to="/$program/payouts/$id" params={{ program: program.slug, id: payout.id }}>
      {payout.state === 'PAID' ? words.paidPayout : words.openPayout}
    </Link>
  )
}

import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import {
  PayoutCommissionsDocument,
  type PayoutCommissionsQuery,
  PayoutDocument,
  type PayoutFragment,
  type PayoutQuery,
} from '../../../generated/dashboard/payouts/graphql.ts'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { formatMoney } from '../../parts/format.tsx'
import type { Column } from '../../parts/table.tsx'
import { AffiliateLink, nameOf } from '../affiliate-name.tsx'
import { useData } from '../api/use-data.ts'
import { Timeline } from '../history/timeline.tsx'
import { List } from '../list/list.tsx'
import { useLocalListState } from '../list/use-list-state.ts'
import { amountColumn, dayColumn, NoId, ThingLink } from '../money/columns.tsx'
import { CommissionState } from '../money/commission-state.tsx'
import { Fact } from '../money/fact.tsx'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'
import { Empty } from '../ui/empty.tsx'
import { Moment } from '../ui/moment.tsx'
import { Page } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { MarkPaid } from './mark-paid.tsx'
import { stateOf } from './payable.ts'
import { PayoutState } from './state.tsx'
import { UndoPayout } from './undo.tsx'

const words = texts.payouts

const route = getRouteApi('/signed-in/$program/payouts/$id')

/** One payout: what it pays, and what happened to it. */
export function Payout() {
  const { id } = route.useParams()
  const { program } = useProgram()
  const { data, failure, retry } = useData(PayoutDocument, { id })
  const [isUndoing, setUndoing] = useState(false)
  const payout = data?.payout
  return (
    <Page
      title={
        payout
          ? words.titleOf(formatMoney(payout.amountCents, payout.currency), nameOf(payout.affiliate))
          : words.payout
      }
      lead={
        <Link to="/$program/payouts" params={{ program: program.slug }}>
          {texts.views.payouts}
        </Link>
      }
      actions={payout && <Actions payout={payout} onUndo={() => setUndoing(true)} />}
    >
      {failure && <FailureNotice message={failure} onRetry={retry} />}
      {!data && !failure && <Skeleton />}
      {data && !payout && <Empty title={texts.money.unknown} text={texts.money.unknownText} />}
      {payout && (
        <>
          <UndoPayout id={id} isOpen={isUndoing && payout.state === 'PAID'} onDone={() => setUndoing(false)} />
          <Facts payout={payout} />
          <Commissions payout={payout} />
          <Timeline history={payout.history} />
        </>
      )}
    </Page>
  )
}

type ActionsProps = { payout: PayoutFragment; onUndo(): void }

function Actions({ payout, onUndo }: ActionsProps) {
  const { canPay, canUndoPayouts } = useProgram()
  const [isPaying, setPaying] = useState(false)
  return (
    <>
      {canUndoPayouts && payout.state === 'PAID' && (
        <button type="button" onClick={onUndo}>
          {words.undo}
        </button>
      )}
      {canPay && stateOf(payout) === 'ready' && (
        <button type="button" className="primary" onClick={() => setPaying(true)}>
          {words.pay}
        </button>
      )}
      <MarkPaid payouts={isPaying ? [payout] : undefined} onClose={() => setPaying(false)} />
    </>
  )
}

const Facts = ({ payout }: { payout: NonNullable<PayoutQuery['payout']> }) => (
  <Card title={words.payout}>
    <dl className="facts">
      <Fact name={texts.money.state}>
        <PayoutState payout={payout} />
        {stateOf(payout) === 'below' && (
          <span className="quiet">{words.stateOf(formatMoney(payout.minimumPayoutCents, payout.currency))}</span>
        )}
        {payout.runId && <RunLink id={payout.runId} />}
      </Fact>
      <Fact name={texts.money.affiliate}>
        <AffiliateLink affiliate={payout.affiliate} />
      </Fact>
      {payout.withheldCents > 0 && (
        <Fact name={words.withheld}>{formatMoney(payout.withheldCents, payout.currency)}</Fact>
      )}
      <Fact name={words.opened}>
        <Moment at={payout.createdAt} />
      </Fact>
      {payout.sentAt && (
        <Fact name={words.sentAt}>
          <Moment at={payout.sentAt} />
        </Fact>
      )}
      {payout.paidAt && (
        <Fact name={words.paidAt}>
          <Moment at={payout.paidAt} />
        </Fact>
      )}
      {payout.reference && <Fact name={words.reference}>{payout.reference}</Fact>}
      {payout.failedAt && (
        <Fact name={words.failedAt}>
          <Moment at={payout.failedAt} />
        </Fact>
      )}
      <Fact name={texts.money.id}>
        <code>{payout.id}</code>
      </Fact>
    </dl>
  </Card>
)

function RunLink({ id }: { id: string }) {
  const { program } = useProgram()
  return (
    <Link to="/$program/payouts/runs/$id" params={{ program: program.slug, id }}>
      {words.itsRun}
    </Link>
  )
}

type Paid = PayoutCommissionsQuery['commissions']['nodes'][number]

const columns: Column<Paid>[] = [
  {
    name: words.sale,
    cell: ({ sale, refund, amountCents, kind, reason }) =>
      sale ? (
        <>
          <ThingLink of="sales" id={sale.id}>
            {sale.externalId ?? <NoId />}
          </ThingLink>
          {refund && <span className="quiet second-line">{amountCents > 0 ? words.reversal : words.refund}</span>}
        </>
      ) : (
        <>
          {texts.commissions.kinds[kind]}
          <span className="quiet second-line">{reason}</span>
        </>
      ),
    csv: {
      [texts.sales.externalId]: ({ sale }) => sale?.externalId,
      [texts.sales.kind]: ({ kind }) => texts.commissions.kinds[kind],
    },
  },
  dayColumn(words.occurred, ({ occurredAt }) => occurredAt),
  {
    name: texts.money.state,
    isPlain: true,
    cell: ({ state }) => <CommissionState state={state} isHeld={false} />,
    csv: ({ state }) => texts.commissions.states[state],
  },
  { ...amountColumn('commissions'), sort: undefined },
]

/** The commissions of a payment that failed are in a later payout. */
const Commissions = ({ payout }: { payout: PayoutFragment }) => (
  <Card title={words.commissions} lead={words.commissionsLead}>
    <List
      state={useLocalListState()}
      noun="commission"
      document={PayoutCommissionsDocument}
      variables={(_, page) => ({ ...page, where: { payoutId: { equals: payout.id } } })}
      connection={({ commissions }) => commissions}
      columns={columns}
      empty={{
        title: words.noCommissions,
        text: payout.state === 'FAILED' ? words.failedCommissionsText : words.noCommissionsText,
      }}
    />
  </Card>
)

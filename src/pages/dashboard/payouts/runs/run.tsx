import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { OnePayoutRunDocument } from '../../../../generated/dashboard/payouts/runs/graphql.ts'
import { FailureNotice } from '../../../parts/failure-notice.tsx'
import { Day, formatMoney } from '../../../parts/format.tsx'
import { formatDate, formatNumber } from '../../../parts/locale.ts'
import { useData } from '../../api/use-data.ts'
import { actorName, Timeline } from '../../history/timeline.tsx'
import { Fact } from '../../money/fact.tsx'
import { useProgram } from '../../session/use-program.ts'
import { texts } from '../../texts.ts'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { CancelRun } from './cancel.tsx'
import { Check } from './check.tsx'
import { RunFile } from './file.tsx'
import { MarkRun } from './mark.tsx'
import { Payments } from './payments.tsx'
import { Report } from './report.tsx'
import type { Run } from './run-type.ts'
import { SendRun } from './send.tsx'
import { RunState } from './state.tsx'

const words = texts.payoutRuns

const route = getRouteApi('/signed-in/$program/payouts/runs/$id')

/** One run, from its check to its results. */
export function PayoutRun() {
  const { id } = route.useParams()
  const { program, canPay } = useProgram()
  const { data, failure, retry } = useData(OnePayoutRunDocument, { id })
  const [isCancelling, setCancelling] = useState(false)
  const run = data?.payoutRun
  const isOpen = run !== undefined && run !== null && ['PREPARED', 'APPROVED', 'SENT'].includes(run.state)
  return (
    <Page
      title={run ? words.titleOf(words.methods[run.method], formatDate(run.createdAt)) : words.run}
      lead={
        <Link to="/$program/payouts/runs" params={{ program: program.slug }}>
          {words.tab}
        </Link>
      }
      actions={
        isOpen &&
        canPay && (
          <button type="button" onClick={() => setCancelling(true)}>
            {words.cancelRun}
          </button>
        )
      }
    >
      {failure && <FailureNotice message={failure} onRetry={retry} />}
      {!data && !failure && <Skeleton lines={8} />}
      {data && !run && <Empty title={words.unknown} text={words.unknownText} />}
      {run && (
        <>
          <CancelRun run={run} isOpen={isOpen && isCancelling} onDone={() => setCancelling(false)} />
          <Facts run={run} />
          <Check run={run} />
          {run.payouts > 0 && canPay && <SendRun run={run} />}
          {run.payouts > 0 && canPay && <RunFile run={run} />}
          {isOpen && canPay && !run.handedOverAt && <MarkRun run={run} />}
          {(run.state !== 'CANCELLED' || run.fetchedAt) && canPay && <Report run={run} />}
          {run.payouts > 0 && <Payments run={run} />}
          <Timeline history={run.history} />
        </>
      )}
    </Page>
  )
}

const Facts = ({ run }: { run: Run }) => (
  <Card title={words.run}>
    <dl className="facts">
      <Fact name={texts.money.state}>
        <RunState state={run.state} />
      </Fact>
      {run.withheldCents > 0 && (
        <>
          <Fact name={words.gross}>{formatMoney(run.amountCents + run.withheldCents, run.currency)}</Fact>
          <Fact name={words.withheld}>{formatMoney(run.withheldCents, run.currency)}</Fact>
        </>
      )}
      <Fact name={words.total}>{formatMoney(run.amountCents, run.currency)}</Fact>
      {run.totals.map(({ state, payouts, amountCents }) => (
        <Fact key={state} name={words.itemStates[state]}>
          {formatNumber(payouts)} · {formatMoney(amountCents, run.currency)}
        </Fact>
      ))}
      <Fact name={words.made}>
        <Moment at={run.createdAt} /> <span className="quiet">{actorName(run.preparedBy)}</span>
      </Fact>
      <Fact name={words.asOf}>
        <Day at={run.asOf} />
      </Fact>
      {run.approvedBy && <Fact name={words.approvedBy}>{actorName(run.approvedBy)}</Fact>}
      {run.reference && <Fact name={words.reference}>{run.reference}</Fact>}
      {run.reason && <Fact name={words.whyCancelled}>{run.reason}</Fact>}
      <Fact name={texts.money.id}>
        <code>{run.id}</code>
      </Fact>
    </dl>
  </Card>
)

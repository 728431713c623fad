import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { FailureNotice } from '../../../parts/failure-notice.tsx'
import { formatMoney } from '../../../parts/format.tsx'
import { formatDate } from '../../../parts/locale.ts'
import { nameOf } from '../../affiliate-name.tsx'
import { action } from '../../api/action.ts'
import { useAction } from '../../api/use-data.ts'
import { useProgram, useSession } from '../../session/use-program.ts'
import { texts } from '../../texts.ts'
import { Card } from '../../ui/card.tsx'
import { useToast } from '../../ui/toast.tsx'
import { LeftOut } from './left-out.tsx'
import type { Run } from './run-type.ts'

const words = texts.payoutRuns

/** What a run pays, what is unusual in it, and who is left out. */
export const Check = ({ run }: { run: Run }) => {
  const isPrepared = run.state === 'PREPARED'
  return (
    <Card title={words.check}>
      <p className="total">
        {run.payouts > 0 ? words.checkText(run.payouts, formatMoney(run.amountCents, run.currency)) : words.empty}
      </p>
      {run.withheldCents > 0 && <p>{words.withheldText(formatMoney(run.withheldCents, run.currency))}</p>}
      {run.disabled.totalCount > 0 && <Disabled {...run.disabled} />}
      {run.payouts > 0 && run.sinceLastRun && <SinceLast run={run} since={run.sinceLastRun} />}
      {run.newRecipients.totalCount > 0 && <p>{words.newRecipients(run.newRecipients.totalCount)}</p>}
      {run.byDefault.totalCount > 0 && <p>{words.byDefault(run.byDefault.totalCount)}</p>}
      {run.changed.length > 0 && <Changed changed={run.changed} isOut={Boolean(run.fetchedAt ?? run.sentAt)} />}
      {isPrepared && run.needsApproval && <Approval run={run} />}
      {run.skipped.length > 0 && <LeftOut {...run} />}
    </Card>
  )
}

function SinceLast({ run, since }: { run: Run; since: NonNullable<Run['sinceLastRun']> }) {
  const { program } = useProgram()
  const { previous, joined, left } = since
  return (
    <p>
      <Link to="/$program/payouts/runs/$id" params={{ program: program.slug, id: previous.id }}>
        {words.lastRun(words.methods[run.method], formatDate(previous.createdAt))}
      </Link>
      {words.lastRunText(previous.payouts, formatMoney(previous.amountCents, run.currency), joined, left)}
    </p>
  )
}

const Disabled = ({ totalCount, nodes }: Run['disabled']) => (
  <div className="warning">
    <p>{words.disabled(totalCount)}</p>
    <ul className="plain-list">
      {nodes.map(({ id, affiliate, amountCents, currency }) => (
        <li key={id}>
          {nameOf(affiliate)}: {formatMoney(amountCents, currency)}
        </li>
      ))}
    </ul>
  </div>
)

const Changed = ({ changed, isOut }: Pick<Run, 'changed'> & { isOut: boolean }) => (
  <div className="warning">
    <p>{isOut ? words.changedOut : words.changed}</p>
    <ul className="plain-list">
      {changed.map(({ id, affiliate, amountCents, withheldCents, currency, payout }) => (
        <li key={id}>
          {words.changedTo(
            nameOf(affiliate),
            formatMoney(amountCents + withheldCents, currency),
            payout ? formatMoney(payout.amountCents, currency) : words.nothingLeft,
          )}
        </li>
      ))}
    </ul>
  </div>
)

function Approval({ run: { id, preparedBy } }: { run: Run }) {
  const { canPay } = useProgram()
  const { person } = useSession()
  const show = useToast()
  const [approve, isRunning] = useAction(action('approvePayoutRun'))
  const [failure, setFailure] = useState<string>()
  const isOwn = preparedBy.person?.id === person.id
  return (
    <div className="warning">
      <p>{words.needsApproval}</p>
      {isOwn && <p>{words.ownRun}</p>}
      {failure && <FailureNotice message={failure} />}
      {canPay && !isOwn && (
        <button
          type="button"
          className="primary"
          disabled={isRunning}
          onClick={async () => {
            const outcome = await approve({ input: { id } })
            setFailure(outcome.failure)
            if (outcome.data) show(words.approved)
          }}
        >
          {words.approve}
        </button>
      )}
    </div>
  )
}

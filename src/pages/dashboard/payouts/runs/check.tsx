import { useState } from 'react'
import { ApprovePayoutRunDocument } from '../../../../generated/dashboard/payouts/runs/graphql.ts'
import { FailureNotice } from '../../../parts/failure-notice.tsx'
import { formatMoney } from '../../../parts/format.tsx'
import { type Column, Table } from '../../../parts/table.tsx'
import { AffiliateLink, nameOf } from '../../affiliates/affiliate.tsx'
import { useAction } from '../../api/use-data.ts'
import { useProgram, useSession } from '../../session/use-program.ts'
import { texts } from '../../texts.ts'
import { Card } from '../../ui/card.tsx'
import { useToast } from '../../ui/toast.tsx'
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
      {run.newRecipients.totalCount > 0 && <p>{words.newRecipients(run.newRecipients.totalCount)}</p>}
      {run.byDefault.totalCount > 0 && <p>{words.byDefault(run.byDefault.totalCount)}</p>}
      {run.changed.length > 0 && <Changed changed={run.changed} />}
      {isPrepared && run.needsApproval && <Approval run={run} />}
      {run.skipped.length > 0 && <LeftOut run={run} />}
    </Card>
  )
}

const Changed = ({ changed }: Pick<Run, 'changed'>) => (
  <div className="warning">
    <p>{words.changed}</p>
    <ul className="plain-list">
      {changed.map(({ id, affiliate, amountCents, currency, payout }) => (
        <li key={id}>
          {words.changedTo(
            nameOf(affiliate),
            formatMoney(amountCents, currency),
            payout ? formatMoney(payout.amountCents, currency) : words.nothingLeft,
          )}
        </li>
      ))}
    </ul>
  </div>
)

function Approval({ run: { id, preparedBy } }: { run: Run }) {
  const { canChange } = useProgram()
  const { person } = useSession()
  const show = useToast()
  const [approve, isRunning] = useAction(ApprovePayoutRunDocument)
  const [failure, setFailure] = useState<string>()
  const isOwn = preparedBy.person?.id === person.id
  return (
    <div className="warning">
      <p>{words.needsApproval}</p>
      {isOwn && <p>{words.ownRun}</p>}
      {failure && <FailureNotice message={failure} />}
      {canChange && !isOwn && (
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

type Skipped = Run['skipped'][number]

const columns: Column<Skipped>[] = [
  { name: words.affiliate, cell: ({ payout }) => <AffiliateLink affiliate={payout.affiliate} /> },
  { name: words.why, isPlain: true, cell: ({ reason }) => texts.payouts.skipReasons[reason] },
  {
    name: texts.money.amount,
    isNumber: true,
    cell: ({ payout }) => formatMoney(payout.amountCents, payout.currency),
  },
]

/** Below its own heading, and closed, as it can be long. */
const LeftOut = ({ run: { skipped, skippedCount, payouts } }: { run: Run }) => {
  const counts = new Map<Skipped['reason'], number>()
  for (const { reason } of skipped) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  const reasons = [...counts].map(([reason, count]) => words.leftOutFor(count, texts.payouts.skipReasons[reason]))
  return (
    <details open={payouts === 0 || skipped.length <= 10}>
      <summary>
        {words.leftOut(skippedCount)}: {reasons.join(', ')}
      </summary>
      <Table caption={words.leftOut(skippedCount)} columns={columns} rows={skipped} keyOf={({ payout }) => payout.id} />
    </details>
  )
}

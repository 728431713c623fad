import { CancelPayoutRunDocument } from '../../../../generated/dashboard/payouts/runs/graphql.ts'
import { cancelPayoutRunInput } from '../../../../modules/payouts/runs/input.ts'
import { useAction } from '../../api/use-data.ts'
import { texts } from '../../texts.ts'
import { useToast } from '../../ui/toast.tsx'
import { ReasonCard } from '../reason-card.tsx'

const words = texts.payoutRuns

/** Cancels the open payments of a run, with a reason. */
export function CancelRun({ id, onDone }: { id: string; onDone(): void }) {
  const show = useToast()
  const [cancelPayoutRun] = useAction(CancelPayoutRunDocument)
  return (
    <ReasonCard
      title={words.cancelTitle}
      lead={words.cancelLead}
      schema={cancelPayoutRunInput}
      action={words.cancelNow}
      keep={words.keep}
      onKeep={onDone}
      onReason={async (reason) => {
        const outcome = await cancelPayoutRun({ input: { id, reason } })
        if (!outcome.data) return outcome
        show(words.wasCancelled)
        onDone()
        return undefined
      }}
    />
  )
}

import { CancelPayoutRunDocument } from '../../../../generated/dashboard/payouts/runs/graphql.ts'
import { cancelPayoutRunInput } from '../../../../modules/payouts/runs/input.ts'
import { useAction } from '../../api/use-data.ts'
import { texts } from '../../texts.ts'
import { useToast } from '../../ui/toast.tsx'
import { ReasonDialog } from '../reason-dialog.tsx'

const words = texts.payoutRuns

/** Cancels the open payments of a run, with a reason. */
export function CancelRun({ id, isOpen, onDone }: { id: string; isOpen: boolean; onDone(): void }) {
  const show = useToast()
  const [cancelPayoutRun] = useAction(CancelPayoutRunDocument)
  return (
    <ReasonDialog
      title={words.cancelTitle}
      lead={words.cancelLead}
      schema={cancelPayoutRunInput}
      action={words.cancelNow}
      keep={words.keep}
      isOpen={isOpen}
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

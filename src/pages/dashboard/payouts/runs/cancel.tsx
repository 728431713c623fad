import { cancelPayoutRunInput } from '../../../../modules/payouts/runs/input.ts'
import { formatDate } from '../../../parts/locale.ts'
import { action } from '../../api/action.ts'
import { useAction } from '../../api/use-data.ts'
import { texts } from '../../texts.ts'
import { useToast } from '../../ui/toast.tsx'
import { ReasonDialog } from '../reason-dialog.tsx'
import type { Run } from './run-type.ts'

const words = texts.payoutRuns

type CancelRunProps = { run: Run; isOpen: boolean; onDone(): void }

/**
 * Cancels the open payments of a run, with a reason. For one that was sent, its reference has to be typed again, if it
 * has one.
 */
export function CancelRun({ run: { id, reference, sentAt }, isOpen, onDone }: CancelRunProps) {
  const show = useToast()
  const [cancelPayoutRun] = useAction(action('cancelPayoutRun'))
  return (
    <ReasonDialog
      title={words.cancelTitle}
      lead={sentAt ? words.cancelSentLead(formatDate(sentAt)) : words.cancelLead}
      schema={cancelPayoutRunInput}
      {...(sentAt && reference && { again: { text: reference, label: words.referenceAgain(reference) } })}
      action={words.cancelNow}
      keep={words.keep}
      isOpen={isOpen}
      onKeep={onDone}
      onReason={async (reason) => {
        const outcome = await cancelPayoutRun({ input: { id, reason, confirmSent: Boolean(sentAt) } })
        if (!outcome.data) return outcome
        show(words.wasCancelled)
        onDone()
        return undefined
      }}
    />
  )
}

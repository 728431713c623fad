import { undoPayoutInput } from '../../../modules/payouts/runs/input.ts'
import { action } from '../api/action.ts'
import { useAction } from '../api/use-data.ts'
import { texts } from '../texts.ts'
import { useToast } from '../ui/toast.tsx'
import { ReasonDialog } from './reason-dialog.tsx'

const words = texts.payouts

/** Takes back that a payout was marked as paid, with a reason. */
export function UndoPayout({ id, isOpen, onDone }: { id: string; isOpen: boolean; onDone(): void }) {
  const show = useToast()
  const [undoPayout] = useAction(action('undoPayout'))
  return (
    <ReasonDialog
      title={words.undoTitle}
      lead={words.undoLead}
      schema={undoPayoutInput}
      action={words.undoNow}
      keep={words.undoKeep}
      isOpen={isOpen}
      onKeep={onDone}
      onReason={async (reason) => {
        const outcome = await undoPayout({ input: { id, reason } })
        if (!outcome.data) return outcome
        show(words.undone)
        onDone()
        return undefined
      }}
    />
  )
}

import { undoAttributionInput } from '../../../modules/sales/undo/input.ts'
import { action } from '../api/action.ts'
import { useAction } from '../api/use-data.ts'
import { ReasonDialog } from '../payouts/reason-dialog.tsx'
import { texts } from '../texts.ts'
import { useToast } from '../ui/toast.tsx'

const words = texts.sales.lost

type Props = { saleId: string; isOpen: boolean; onDone(): void }

/** Takes back that a person gave the sale to its affiliate, with a reason. */
export function UndoAttribution({ saleId, isOpen, onDone }: Props) {
  const show = useToast()
  const [undo] = useAction(action('undoAttribution'))
  return (
    <ReasonDialog
      title={words.undoTitle}
      lead={words.undoLead}
      schema={undoAttributionInput}
      action={words.undo}
      keep={words.undoKeep}
      isOpen={isOpen}
      onKeep={onDone}
      onReason={async (reason) => {
        const outcome = await undo({ input: { saleId, reason } })
        if (!outcome.data) return outcome
        show(words.undone)
        onDone()
        return undefined
      }}
    />
  )
}

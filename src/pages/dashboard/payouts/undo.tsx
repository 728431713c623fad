import { UndoPayoutDocument } from '../../../generated/dashboard/payouts/graphql.ts'
import { undoPayoutInput } from '../../../modules/payouts/runs/input.ts'
import { useAction } from '../api/use-data.ts'
import { texts } from '../texts.ts'
import { useToast } from '../ui/toast.tsx'
import { ReasonCard } from './reason-card.tsx'

const words = texts.payouts

/** Takes back that a payout was marked as paid, with a reason. */
export function UndoPayout({ id, onDone }: { id: string; onDone(): void }) {
  const show = useToast()
  const [undoPayout] = useAction(UndoPayoutDocument)
  return (
    <ReasonCard
      title={words.undoTitle}
      lead={words.undoLead}
      schema={undoPayoutInput}
      action={words.undoNow}
      keep={words.undoKeep}
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

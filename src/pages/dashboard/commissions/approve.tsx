import type { CommissionFragment } from '../../../generated/dashboard/commissions/graphql.ts'
import { action } from '../api/action.ts'
import { useAction } from '../api/use-data.ts'
import { totalsOf } from '../money/totals.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Confirm } from '../ui/dialog.tsx'
import { useToast } from '../ui/toast.tsx'

const words = texts.commissions

export type DecisionProps = {
  /** Undefined while the dialog is closed. */
  commissions: readonly CommissionFragment[] | undefined
  onClose(): void
  onDone?: (() => void) | undefined
}

/** Approves those that are held. */
export function Approve({ commissions = [], ...props }: DecisionProps) {
  const [approve] = useAction(action('approveCommissions'))
  const show = useToast()
  const { program } = useProgram()
  // A commission that only an open dispute holds cannot be approved.
  const held = commissions.filter(
    ({ heldReasons, state }) => heldReasons.some((reason) => reason !== 'DISPUTE') && state === 'PENDING',
  )
  const others = commissions.length - held.length
  return (
    <Confirm
      title={words.approveTitle(held.length)}
      text={
        <>
          <p>{held.length > 0 ? words.approveText(held.length, totalsOf(held, program)) : words.noneHeld}</p>
          {held.length > 0 && others > 0 && <p className="quiet">{words.notHeld(others)}</p>}
        </>
      }
      action={words.approve}
      isDanger={false}
      isOpen={commissions.length > 0}
      onClose={props.onClose}
      onConfirm={async () => {
        if (held.length === 0) return words.noneHeld
        const { failure } = await approve({ input: { ids: held.map(({ id }) => id) } })
        if (failure !== undefined) return failure
        show(words.wasApproved(held.length))
        props.onDone?.()
      }}
    />
  )
}

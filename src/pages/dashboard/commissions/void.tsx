import type { CommissionFragment } from '../../../generated/dashboard/commissions/graphql.ts'
import { voidCommissionInput } from '../../../modules/commissions/input.ts'
import { action } from '../api/action.ts'
import { useAction } from '../api/use-data.ts'
import { checkInput } from '../form/check-input.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { TextField } from '../form/fields.tsx'
import { showRejection, useFields } from '../form/use-fields.ts'
import { totalsOf } from '../money/totals.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { useToast } from '../ui/toast.tsx'
import type { DecisionProps } from './approve.tsx'

const words = texts.commissions

/** Neither paid nor void. */
export const isOpen = ({ state }: Pick<CommissionFragment, 'state'>) => state === 'PENDING' || state === 'DUE'

/** Voids those that are neither paid nor void, for a reason. */
export function VoidThem({ commissions = [], onClose, onDone }: DecisionProps) {
  const open = commissions.filter(isOpen)
  return (
    <Dialog title={words.voidTitle(open.length)} isOpen={commissions.length > 0} onClose={onClose}>
      {open.length === 0 ? (
        <p>{words.noneOpen}</p>
      ) : (
        <VoidForm open={open} others={commissions.length - open.length} onClose={onClose} onDone={onDone} />
      )}
    </Dialog>
  )
}

type VoidFormProps = Omit<DecisionProps, 'commissions'> & { open: readonly CommissionFragment[]; others: number }

const checkReason = checkInput<{ reason: string }>(voidCommissionInput)

function VoidForm({ open, others, onClose, onDone }: VoidFormProps) {
  const [voidCommissions] = useAction(action('voidCommissions'))
  const show = useToast()
  const { program } = useProgram()
  const form = useFields({ reason: '' }, checkReason)
  const submit = form.handleSubmit(async ({ reason }) => {
    const outcome = await voidCommissions({ input: { ids: open.map(({ id }) => id), reason } })
    if (!outcome.data) return showRejection(form, outcome)
    show(words.wasVoided(open.length))
    onClose()
    onDone?.()
  })
  return (
    <DialogForm form={form} onSubmit={submit} action={open.length === 1 ? words.void : words.voidThem} isDanger>
      <p>{words.voidText(open.length, totalsOf(open, program))}</p>
      {others > 0 && <p className="quiet">{words.voidPaid(others)}</p>}
      <TextField form={form} name="reason" label={words.reason} hint={words.reasonHint} />
    </DialogForm>
  )
}

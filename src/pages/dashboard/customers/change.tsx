import { useState } from 'react'
import type { WholeCustomerFragment } from '../../../generated/dashboard/customers/graphql.ts'
import type { PersonFragment } from '../../../generated/dashboard/picker/graphql.ts'
import { nameOf } from '../affiliate-name.tsx'
import { action } from '../api/action.ts'
import { useAction } from '../api/use-data.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { TextField } from '../form/fields.tsx'
import { showRejection, useFields } from '../form/use-fields.ts'
import { AffiliatePicker } from '../picker/affiliate-picker.tsx'
import { texts } from '../texts.ts'
import { Confirm } from '../ui/dialog.tsx'
import { useToast } from '../ui/toast.tsx'

const words = texts.customers

type Props = { customer: WholeCustomerFragment; referralId: string; onDone(): void }

/** Moves the referral back to the affiliate who had the customer. */
function useMovingBack({ customer: { affiliate }, referralId }: Omit<Props, 'onDone'>) {
  const show = useToast()
  const [move] = useAction(action('moveReferral'))
  return async () => {
    if (!affiliate) return
    const { failure } = await move({ input: { id: referralId, affiliateId: affiliate.id } })
    show(failure ?? words.takenBack(nameOf(affiliate)))
  }
}

/** Gives the customer to another affiliate. */
export function MoveReferral({ customer, referralId, onDone }: Props) {
  const [chosen, setChosen] = useState<PersonFragment>()
  const [move] = useAction(action('moveReferral'))
  const show = useToast()
  const undo = useMovingBack({ customer, referralId })
  const form = useFields({ reason: '' }, () => ({}))
  const submit = form.handleSubmit(async ({ reason }) => {
    if (!chosen) return form.setError('root', { message: texts.sales.lost.choose })
    const outcome = await move({ input: { id: referralId, affiliateId: chosen.id, reason: reason || null } })
    if (!outcome.data) return showRejection(form, outcome)
    show(words.moved(nameOf(chosen)), undo)
    onDone()
  })
  return (
    <DialogForm form={form} onSubmit={submit} action={words.moveAction(chosen && nameOf(chosen))} isDisabled={!chosen}>
      <AffiliatePicker label={texts.sales.lost.find} chosen={chosen} onChoose={setChosen} />
      <TextField form={form} name="reason" label={words.reason} hint={words.reasonHint} />
    </DialogForm>
  )
}

/** Asks whether the referral ends. */
export function EndReferral({ customer, referralId, isOpen, onDone }: Props & { isOpen: boolean }) {
  const [end] = useAction(action('endReferral'))
  const show = useToast()
  const undo = useMovingBack({ customer, referralId })
  const { affiliate } = customer
  return (
    <Confirm
      title={words.endTitle}
      text={words.endText(affiliate ? nameOf(affiliate) : '')}
      action={words.end}
      isOpen={isOpen}
      onClose={onDone}
      onConfirm={async () => {
        const { failure } = await end({ input: { id: referralId } })
        if (failure === undefined) show(words.wasEnded, undo)
        return failure
      }}
    />
  )
}

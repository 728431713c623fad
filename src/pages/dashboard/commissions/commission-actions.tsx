import { useState } from 'react'
import type { CommissionQuery } from '../../../generated/dashboard/commissions/graphql.ts'
import { formatMoney } from '../../parts/format.tsx'
import { nameOf } from '../affiliate-name.tsx'
import { action } from '../api/action.ts'
import { useAction } from '../api/use-data.ts'
import { texts } from '../texts.ts'
import { Confirm, Dialog } from '../ui/dialog.tsx'
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx'
import { useToast } from '../ui/toast.tsx'
import { ChangeAmount, MarkPaid, MoveDueDate } from './amend.tsx'
import { Approve } from './approve.tsx'
import { isOpen, VoidThem } from './void.tsx'

const words = texts.commissions

type Shown = NonNullable<CommissionQuery['commission']>
type Asked = 'approve' | 'amend' | 'reschedule' | 'pay' | 'void' | 'takeBack'

/** What can be done with a commission in its state. */
export function CommissionActions({ commission }: { commission: Shown }) {
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  const isHeld = commission.heldReason !== null
  // An open dispute ends by itself.
  const canApprove = commission.heldReasons.some((reason) => reason !== 'DISPUTE')
  const isDebt = commission.refund !== null
  const isCredit = isDebt && commission.amountCents > 0
  const forms = [
    ['amend', words.amend, ChangeAmount],
    ['reschedule', words.reschedule, MoveDueDate],
    ['pay', words.markPaid, MarkPaid],
  ] as const
  return (
    <>
      {isOpen(commission) && canApprove && (
        <button type="button" className="primary" onClick={() => setAsked('approve')}>
          {words.approve}
        </button>
      )}
      {isOpen(commission) && isDebt && !isCredit && (
        <button type="button" className="danger-text" onClick={() => setAsked('void')}>
          {words.void}
        </button>
      )}
      {isOpen(commission) && !isDebt && (
        <Menu label={texts.actions} align="end">
          {forms
            .filter(([key]) => key !== 'pay' || !isHeld)
            .filter(([key]) => key !== 'amend' || commission.kind !== 'CORRECTION')
            .map(([key, name]) => (
              <MenuItem key={key} onSelect={() => setAsked(key)}>
                {name}
              </MenuItem>
            ))}
          <MenuLine />
          <MenuItem isDanger onSelect={() => setAsked('void')}>
            {words.void}
          </MenuItem>
        </Menu>
      )}
      {commission.paidAt && !commission.payout && (
        <button type="button" onClick={() => setAsked('takeBack')}>
          {words.takeBack}
        </button>
      )}
      <Approve commissions={asked === 'approve' ? [commission] : []} onClose={close} />
      <VoidThem commissions={asked === 'void' ? [commission] : []} onClose={close} />
      {forms.map(([key, name, Form]) => (
        <Dialog key={key} title={name} isOpen={asked === key} onClose={close}>
          <Form commission={commission} onDone={close} />
        </Dialog>
      ))}
      <TakeBack commission={commission} isAsked={asked === 'takeBack'} onClose={close} />
    </>
  )
}

/** Reverses a payment outside of any payout. */
function TakeBack({ commission, isAsked, onClose }: { commission: Shown; isAsked: boolean; onClose(): void }) {
  const { id, amountCents, currency, affiliate } = commission
  const [amend] = useAction(action('amendCommission'))
  const show = useToast()
  return (
    <Confirm
      title={words.takeBackTitle}
      text={<p>{words.takeBackText(formatMoney(amountCents, currency), nameOf(affiliate))}</p>}
      action={words.takeBack}
      isOpen={isAsked}
      onClose={onClose}
      onConfirm={async () => {
        const { failure } = await amend({ input: { id, paidAt: null } })
        if (failure === undefined) show(words.tookBack)
        return failure
      }}
    />
  )
}

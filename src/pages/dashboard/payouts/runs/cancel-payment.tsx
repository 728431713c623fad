import type { PaymentFragment } from '../../../../generated/dashboard/payouts/runs/graphql.ts'
import { cancelPayoutRunInput } from '../../../../modules/payouts/runs/input.ts'
import { nameOf } from '../../affiliate-name.tsx'
import { action } from '../../api/action.ts'
import { useAction } from '../../api/use-data.ts'
import { texts } from '../../texts.ts'
import { useToast } from '../../ui/toast.tsx'
import { ReasonDialog } from '../reason-dialog.tsx'

const words = texts.payoutRuns.byService

type CancelPaymentProps = { payment: PaymentFragment | undefined; service: string; onDone(): void }

/** Cancels a payment at the service that nobody has claimed, so that its payout is free. */
export function CancelPayment({ payment, service, onDone }: CancelPaymentProps) {
  const show = useToast()
  const [cancelPayment] = useAction(action('cancelPayment'))
  return (
    <ReasonDialog
      title={payment ? words.cancelFor(nameOf(payment.affiliate), service) : ''}
      lead={words.cancelLead(service)}
      schema={cancelPayoutRunInput}
      action={words.cancelAt(service)}
      keep={words.keepPayment}
      isOpen={payment !== undefined}
      onKeep={onDone}
      onReason={async (reason) => {
        if (!payment) return undefined
        const outcome = await cancelPayment({ input: { payoutId: payment.payoutId, reason } })
        if (!outcome.data) return outcome
        show(words.wasCancelled(nameOf(payment.affiliate)))
        onDone()
        return undefined
      }}
    />
  )
}

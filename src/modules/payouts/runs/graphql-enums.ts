import { defineEnum, type Words } from '../../../graphql/enums.ts'
import type { paymentFactKinds, payoutItemStates, payoutRunStates } from './input.ts'

export const PayoutRunStateEnum = defineEnum('PayoutRunState', 'The state of a payout run.', {
  prepared: 'The run was made, and nothing of it is paid.',
  approved: 'A second person approved the run.',
  sent: 'The payments were sent to the service.',
  paid: 'No payment is open: each is paid, came back or was cancelled.',
  cancelled: 'The run was cancelled. Its payouts are free for another run.',
} satisfies Words<typeof payoutRunStates>)

export const PayoutItemStateEnum = defineEnum('PayoutItemState', 'The state of a payment in a run.', {
  prepared: 'The payment is in the run, and was not sent.',
  sent: 'The payment was sent to the service.',
  paid: 'The payment arrived, or was marked as paid: all of it, or a part.',
  failed: 'The service could not make the payment. The amount is in a later payout.',
  returned: 'The payment came back. The amount is in a later payout.',
  unclaimed:
    'The affiliate did not claim the payment yet. It waits at the service, and is not offered again until it is returned, or `CANCELLED` there.',
  cancelled: 'The payment was taken out of the run, or undone. The payout is open again.',
} satisfies Words<typeof payoutItemStates>)

export const PaymentFactKindEnum = defineEnum('PaymentFactKind', 'What happened to a payment.', {
  sent: 'It was sent to the service.',
  paid: 'It left, and arrived.',
  failed: 'The service could not make it.',
  unclaimed: 'The affiliate has not claimed it yet.',
  returned: 'It came back.',
  reversed: 'A booking of its own took it back.',
  cancelled:
    'A person took it out of the run, cancelled it at the service, or undid it. What was recorded before does not count.',
} satisfies Words<typeof paymentFactKinds>)

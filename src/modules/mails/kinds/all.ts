import type { MailKind } from '../../../generated/prisma/enums.ts'
import { applicationApproved } from './application-approved.ts'
import { applicationConfirm } from './application-confirm.ts'
import { applicationReceived } from './application-received.ts'
import { applicationRejected } from './application-rejected.ts'
import { commissionsEarned } from './commissions-earned.ts'
import { deliveriesFailing } from './deliveries-failing.ts'
import { invitation } from './invitation.ts'
import type { Kind } from './kind.ts'
import { message } from './message.ts'
import { monthClosed } from './month-closed.ts'
import { monthlyStatement } from './monthly-statement.ts'
import { payoutAddressChange } from './payout-address-change.ts'
import { payoutAddressDead } from './payout-address-dead.ts'
import { payoutFailed } from './payout-failed.ts'
import { payoutRunsMade } from './payout-runs-made.ts'
import { payoutSent } from './payout-sent.ts'
import { payoutUnclaimed } from './payout-unclaimed.ts'
import { rewardChanged } from './reward-changed.ts'
import { signIn } from './sign-in.ts'
import { termsChanged } from './terms-changed.ts'
import { test } from './test.ts'
import { workWaiting } from './work-waiting.ts'

export const kinds: Readonly<Record<MailKind, Kind>> = {
  application_confirm: applicationConfirm,
  application_received: applicationReceived,
  application_approved: applicationApproved,
  application_rejected: applicationRejected,
  work_waiting: workWaiting,
  commissions_earned: commissionsEarned,
  payout_sent: payoutSent,
  payout_failed: payoutFailed,
  payout_unclaimed: payoutUnclaimed,
  payout_address_dead: payoutAddressDead,
  monthly_statement: monthlyStatement,
  month_closed: monthClosed,
  deliveries_failing: deliveriesFailing,
  payout_runs_made: payoutRunsMade,
  terms_changed: termsChanged,
  reward_changed: rewardChanged,
  sign_in: signIn,
  payout_address_change: payoutAddressChange,
  invitation,
  message,
  test,
}

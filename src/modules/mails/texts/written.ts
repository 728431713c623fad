import type { MailKind } from '../../../generated/prisma/enums.ts'
import type { Template } from '../template.ts'

/** The mails that have a text. A language has a file with all of them. */
export type WrittenKind = Extract<
  MailKind,
  | 'application_confirm'
  | 'application_received'
  | 'application_approved'
  | 'application_rejected'
  | 'applications_waiting'
  | 'invitation'
  | 'sign_in'
  | 'commissions_earned'
  | 'payout_sent'
  | 'payout_failed'
  | 'payout_address_change'
>

/** `button` is what the link of a mail says. Empty: it has no link. */
export type Written = Template & { button: string }

export type MailTexts = {
  mails: Record<WrittenKind, Written>
  /** Below mails that can be stopped. */
  footer: string
  /** What `{{what}}` lists in the mail about a changed payout address. */
  payoutFields: Record<'preferredPayoutMethod' | 'walletAEmail' | 'walletBEmail' | 'iban' | 'bic', string>
  /** `{{wait}}` in the same mail. */
  payoutsWait(until: string): string
}

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
export type MailTexts = {
  mails: Record<WrittenKind, Template & { button: string }>
  /** Below mails that can be stopped. */
  footer: string
}

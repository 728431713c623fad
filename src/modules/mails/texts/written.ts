import type { MailKind } from '../../../generated/prisma/enums.ts'
import type { Template } from '../template.ts'

/** The mails that have a text. A language has a file with all of them. */
export type WrittenKind = Extract<
  MailKind,
  | 'application_confirm'
  | 'application_received'
  | 'application_approved'
  | 'application_rejected'
  | 'work_waiting'
  | 'deliveries_failing'
  | 'monthly_statement'
  | 'terms_changed'
  | 'invitation'
  | 'sign_in'
  | 'commissions_earned'
  | 'payout_sent'
  | 'payout_failed'
  | 'payout_unclaimed'
  | 'payout_address_dead'
  | 'payout_address_change'
>

/** `button` is what the link of a mail says. Empty: it has no link. */
export type Written = Template & { button: string }

export type MailTexts = {
  mails: Record<WrittenKind, Written>
  /** Below mails that can be stopped. */
  footer: string
  /** Below mails to managers. */
  managerFooter: string
  /** The lines of the daily mail to managers, in order. */
  waiting: Record<'applications' | 'held' | 'payouts' | 'webhooks' | 'feeds', (count: string) => string>
  /** `{{required}}` in the mail about new terms. */
  termsRequired(date: string): string
  /** What `{{what}}` lists in the mail about a changed payout address. */
  payoutFields: Record<'preferredPayoutMethod' | 'walletAEmail' | 'walletBEmail' | 'iban' | 'bic', string>
  /** `{{wait}}` in the same mail. */
  payoutsWait(until: string): string
  /** `{{service}}` in a mail about a payment whose service has no name of its own. */
  paymentService: string
  /** A mail of the same kind, after a change was rejected. Programs do not edit it. */
  payoutChangeRejected: Written
}

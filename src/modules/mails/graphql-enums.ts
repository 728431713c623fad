import type { MailKind, MailState } from '../../generated/prisma/enums.ts'
import { defineEnum } from '../../graphql/enums.ts'

export const MailKindEnum = defineEnum(
  'MailKind',
  'What mails are about.',
  {
    application_confirm: 'To an applicant: the link that confirms the e-mail.',
    application_received: 'To an applicant whose application waits for a decision.',
    application_approved: 'To a new affiliate: welcome, with their link.',
    application_rejected: 'To an applicant who was rejected.',
    work_waiting: 'To managers: applications, held commissions, payouts, webhooks or feeds wait for them. Once a day.',
    commissions_earned: 'To an affiliate: commissions that were earned, at once or as a digest.',
    payout_sent: 'To an affiliate: a payout was paid.',
    payout_failed: 'To an affiliate: a payment did not arrive.',
    payout_unclaimed: 'To an affiliate: a payment waits at its service, where it has to be claimed.',
    payout_address_dead:
      'To an affiliate, instead of `PAYOUT_FAILED`: three payments to the address have failed. Payouts wait for another address.',
    monthly_statement: 'To an affiliate: what was earned and paid in a month, and what is due.',
    deliveries_failing: 'To managers: webhooks or feeds fail. Within minutes, at most once a day each.',
    terms_changed: 'To an affiliate: there are new terms, or they have to be accepted soon.',
    reward_changed: 'To an affiliate: what they earn has changed, or changes on a day.',
    sign_in: 'To an affiliate: the link that signs in to the portal.',
    payout_address_change:
      'To an affiliate, also at a replaced e-mail address that payments have reached: the payout address has changed, or a change was rejected.',
    invitation: 'To a person: an invitation to apply.',
    message: 'To an affiliate: what a manager wrote, to one or to many.',
    test: 'A mail that a person has sent to themselves.',
  } satisfies Record<MailKind, string>,
  // No mail was of these kinds.
  { APPLICATIONS_WAITING: 'work_waiting', PAYOUTS_DUE: 'work_waiting' },
)

export const MailStateEnum = defineEnum('MailState', 'The states of mails.', {
  pending: 'It waits for its first or its next attempt, or for a mail server (`SMTP_URL`).',
  sent: 'The mail server accepted it.',
  failed: 'It was not accepted, and is not tried again.',
  stopped: 'It is not sent, because the address gets no mail: it bounced, or its person complained.',
} satisfies Record<MailState, string>)

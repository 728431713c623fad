import type { ActorKind, ChangeSubject } from '../../generated/prisma/enums.ts'
import { defineEnum } from '../../graphql/enums.ts'
import type { HistoryAction } from './actions.ts'
import type { InstallationAction } from './installation.ts'
import type { HistorySubject } from './service.ts'

export const ActorKindEnum = defineEnum('ActorKind', 'The kinds of actors.', {
  operator: 'An operator, with the operator token.',
  api_key: "A client of the program, with one of the program's API keys.",
  affiliate: 'An affiliate, with an affiliate token.',
  person: 'A person who was signed in to the dashboard.',
  system: 'The service itself, for example when it records a tracked visit.',
} satisfies Record<ActorKind, string>)

const subjects = {
  affiliate: 'An affiliate, including its links and coupon.',
  campaign: 'A campaign.',
  payout: 'A payout.',
  customer: 'A customer. The history only has the erasure of their personal data.',
  program: 'The program itself: its settings, its publishable key, its affiliate tokens, the clock of a sandbox.',
  api_key: 'An API key. Only for owners and operators.',
  member: 'A person who has access to the program. Only for owners and operators.',
  invitation: 'An invitation to the program. Only for owners and operators.',
  webhook_endpoint: 'A webhook endpoint, including what was sent to it by hand.',
  import: 'The imports into the program. They have the id of the program.',
  unattributed_sale: 'A sale that was not attributed when it was reported.',
  payout_run: 'A payout run.',
} satisfies Record<ChangeSubject, string>

export const ChangeSubjectEnum = defineEnum(
  'ChangeSubject',
  'The kinds of resources whose history can be read by id.',
  subjects,
)

export const HistorySubjectEnum = defineEnum('HistorySubject', 'What entries of the history are about.', {
  ...subjects,
  commission: 'A commission. Its entries are the facts of which its amount is the sum.',
} satisfies Record<HistorySubject, string>)

export const HistoryActionEnum = defineEnum('HistoryAction', 'What was done to a resource.', {
  created: 'The resource was created. An invitation was created when the person was invited.',
  updated: 'Fields of the resource were changed.',
  archived: 'The campaign was archived.',
  unarchived: 'The campaign was unarchived.',
  deleted: 'The campaign or the webhook endpoint was deleted.',
  link_created: 'The affiliate got a link.',
  link_token_changed: "The token of one of the affiliate's links was changed.",
  link_archived: "One of the affiliate's links was archived.",
  link_unarchived: "One of the affiliate's links was unarchived.",
  link_deleted: "One of the affiliate's links was deleted.",
  coupon_created: 'The affiliate got a coupon.',
  coupon_archived: "The affiliate's coupon was archived.",
  coupon_unarchived: "The affiliate's coupon was unarchived.",
  coupon_deleted: "The affiliate's coupon was deleted.",
  opened: 'The payout was opened with its first commissions.',
  amount_changed: 'The amount of the open payout changed.',
  paid: 'The payout, the commission or the payout run was marked as paid.',
  sent: 'The payment of the payout or of the run was sent to a service.',
  failed: 'The payment of the payout failed, came back or was not claimed. Its commissions are due again.',
  undone: 'The payout is no longer marked as paid: that was a mistake.',
  cancelled: 'The run was cancelled, or the payout was taken out of a run that was sent.',
  closed: 'The open payout was left empty and deleted.',
  sign_in_link_created: 'A link was created that signs in to the portal as the affiliate.',
  token_created: 'A token was created that reads the data of the affiliate.',
  tokens_revoked: 'All affiliate tokens of the program were revoked.',
  publishable_key_rotated: 'The program got a new publishable key.',
  clock_advanced: 'The clock of the sandbox was advanced.',
  revoked: 'The API key or the invitation was revoked.',
  joined: 'The person accepted an invitation, and has access since then.',
  removed: 'The access of the member ended.',
  disabled: 'The webhook endpoint was disabled.',
  enabled: 'The webhook endpoint was enabled again.',
  secret_rotated: 'The webhook endpoint got a new secret.',
  test_sent: 'An example of an event was sent to the webhook endpoint.',
  redelivered: 'The event of a delivery was sent to the webhook endpoint again.',
  replayed: 'Kept events were sent to the webhook endpoint again.',
  started: 'A run of the import was started.',
  finished: 'A run of the import was finished.',
  dismissed: 'The unattributed sale was dismissed: it belongs to no affiliate.',
  restored: 'The unattributed sale was restored after it had been dismissed.',
  attributed: 'The unattributed sale was attributed to an affiliate.',
  erased: 'The personal data of the affiliate or the customer was erased.',
  imported: 'The paid payout was imported from another server.',
  earned: 'The commission was earned.',
  amended: 'The amount of the commission was changed by hand.',
  voided: 'The commission was voided.',
  refunded: 'The commission was reduced, because the sale was refunded in part.',
  held: 'The commission was held until a person decides.',
  approved: 'The held commission or the payout run was approved.',
  rescheduled: 'The due date of the commission was changed.',
  unpaid: 'The commission is no longer marked as paid.',
  unvoided: 'The refund that had voided the commission was reversed.',
  refund_reversed: 'A refund that had lowered the commission was reversed.',
} satisfies Record<HistoryAction, string>)

export const InstallationActionEnum = defineEnum('InstallationAction', 'What was done in the installation.', {
  program_created: 'A program was created.',
  program_deleted: 'A program was deleted with everything of it, also its own history.',
  program_closed: 'A program was closed to writes, to be moved to another installation.',
  program_opened: 'A program that was closed accepts writes again.',
  program_imported: 'A program was added from a file of another installation, with its ids and its history.',
  set_up_link_created: 'A link was created that makes an operator.',
  operator_created: 'A person used a set-up link, and became an operator.',
  password_reset_link_created: 'A link was created with which the person chooses a new password.',
  password_reset: 'The person chose a new password with a link.',
  password_changed: 'The person changed the password.',
  second_factor_enabled: 'The person enabled the second factor.',
  second_factor_disabled: 'The person disabled the second factor.',
  recovery_codes_replaced: 'The person made new recovery codes.',
  account_updated: 'The person changed the name of the account.',
  signed_in: 'The person signed in to the dashboard.',
  signed_out: 'The person signed out of the dashboard.',
  session_ended: 'The person ended one of their sessions.',
  other_sessions_ended: 'The person ended all of their sessions but the present one.',
  second_factor_failed: 'Somebody knew the password of the person, and entered a wrong code of the second factor.',
} satisfies Record<InstallationAction, string>)

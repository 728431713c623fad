import type { ActorKind, ChangeSubject } from '../../generated/prisma/enums.ts'
import { defineEnum } from '../../graphql/enums.ts'
import type { HistoryAction } from './actions.ts'

export const ActorKindEnum = defineEnum('ActorKind', 'The kinds of actors.', {
  operator: 'An operator, with the operator token.',
  api_key: "A client of the program, with one of the program's API keys.",
  affiliate: 'An affiliate, with an affiliate token.',
  person: 'A person who was signed in to the dashboard.',
  system: 'The service itself, for example when it records a tracked visit.',
} satisfies Record<ActorKind, string>)

export const ChangeSubjectEnum = defineEnum(
  'ChangeSubject',
  'The kinds of resources whose history can be read by id.',
  {
    affiliate: 'An affiliate, including its links and coupon.',
    campaign: 'A campaign.',
    payout: 'A payout.',
    customer: 'A customer. The history only tells that the personal data was erased.',
  } satisfies Record<ChangeSubject, string>,
)

export const HistoryActionEnum = defineEnum('HistoryAction', 'What was done to a resource.', {
  created: 'The affiliate or the campaign was created.',
  updated: 'Fields of the affiliate or the campaign were changed.',
  archived: 'The campaign was archived.',
  unarchived: 'Archiving the campaign was taken back.',
  deleted: 'The campaign was deleted.',
  link_created: 'The affiliate got a link.',
  link_token_changed: "The token of one of the affiliate's links was changed.",
  link_archived: "One of the affiliate's links was archived.",
  link_unarchived: "Archiving one of the affiliate's links was taken back.",
  link_deleted: "One of the affiliate's links was deleted.",
  coupon_created: 'The affiliate got a coupon.',
  coupon_archived: "The affiliate's coupon was archived.",
  coupon_unarchived: "Archiving the affiliate's coupon was taken back.",
  coupon_deleted: "The affiliate's coupon was deleted.",
  opened: 'The payout was opened with its first commissions.',
  amount_changed: 'The amount of the open payout changed.',
  paid: 'The payout or the commission was marked as paid.',
  closed: 'The open payout was left empty and deleted.',
  erased: 'The personal data of the affiliate or the customer was erased.',
  imported: 'The paid payout was imported from another server.',
  earned: 'The commission was earned.',
  amended: 'The amount of the commission was changed by hand.',
  voided: 'The commission was voided.',
  refunded: 'The commission was reduced, because the sale was refunded in part.',
  held: 'The commission was held until a person decides.',
  approved: 'The held commission was approved.',
  rescheduled: 'The due date of the commission was changed.',
  unpaid: 'Marking the commission as paid was taken back.',
} satisfies Record<HistoryAction, string>)

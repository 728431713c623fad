import type { ActorKind, ChangeSubject } from '../../generated/prisma/enums.ts'
import { defineEnum } from '../../graphql/enums.ts'

export const ActorKindEnum = defineEnum('ActorKind', 'Who does something.', {
  operator: "An operator, with the operator's token.",
  api_key: 'A client of the program, with one of its keys.',
  affiliate: 'An affiliate, with a token of their own.',
  system: 'The service itself.',
} satisfies Record<ActorKind, string>)

export const ChangeSubjectEnum = defineEnum('ChangeSubject', 'What a history can be of.', {
  affiliate: 'An affiliate, with its links and coupon.',
  campaign: 'A campaign.',
  payout: 'A payout.',
} satisfies Record<ChangeSubject, string>)

import type { ActorKind, ChangeSubject } from '../../generated/prisma/enums.ts'
import { defineEnum } from '../../graphql/enums.ts'

export const ActorKindEnum = defineEnum('ActorKind', 'The kinds of actors.', {
  operator: 'An operator, with the operator token.',
  api_key: "A client of the program, with one of the program's API keys.",
  affiliate: 'An affiliate, with an affiliate token.',
  system: 'The service itself, for example when it records a tracked visit.',
} satisfies Record<ActorKind, string>)

export const ChangeSubjectEnum = defineEnum(
  'ChangeSubject',
  'The kinds of resources whose history can be read by id.',
  {
    affiliate: 'An affiliate, including its links and coupon.',
    campaign: 'A campaign.',
    payout: 'A payout.',
  } satisfies Record<ChangeSubject, string>,
)

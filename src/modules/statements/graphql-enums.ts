import type { DifferenceKind } from '../../generated/prisma/enums.ts'
import { defineEnum } from '../../graphql/enums.ts'
import type { OpenMonth } from './open-months.ts'

export const DifferenceKindEnum = defineEnum('ReconciliationDifferenceKind', 'What a difference is about.', {
  sale: 'A sale.',
  refund: 'A refund.',
  feed_event: 'An event of a billing system that failed or waits.',
  payment: 'What was paid to an affiliate.',
} satisfies Record<DifferenceKind, string>)

export const OpenMonthStateEnum = defineEnum('OpenMonthState', 'What a month that is not closed waits for.', {
  open: 'It is not over.',
  differences: 'It is over, and has differences that nobody has accepted.',
  ready: 'It can be closed, once the months before it are.',
} satisfies Record<OpenMonth['state'], string>)

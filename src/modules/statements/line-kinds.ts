import type { Json } from '../../kernel/canonical-json.ts'

/** What a line is about. docs/statement-format.md lists them. */
export type LineKind =
  | 'commission'
  | 'lead'
  | 'bonus'
  | 'correction'
  | 'refund'
  | 'refund_reversed'
  | 'amended'
  | 'recalculated'
  | 'cancelled'
  | 'restored'
  | 'moved_away'
  | 'moved_here'
  | 'nothing'
  | 'payment'
  | 'payment_returned'
  | 'withheld'

/** Lines of what was paid or withheld, by which nothing is earned. */
export const settlingKinds: readonly LineKind[] = ['payment', 'payment_returned', 'withheld']

/** What happened, without the words that follow from it. */
export type Untold = { [name: string]: Json } & { kind: LineKind; amountCents: string }

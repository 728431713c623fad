import type { UnattributedFragment } from '../../../generated/dashboard/sales/graphql.ts'
import { texts } from '../texts.ts'

const words = texts.sales.lost

/** What was tried to find the affiliate of a sale, in words: "No referral. SPRING is no affiliate's coupon." */
export function triedSentence({ signals, coupon, saleId }: UnattributedFragment): string {
  if (saleId) return words.triedUndone
  return signals.flatMap(({ signal, outcome }) => words.tried[signal]?.[outcome]?.(coupon ?? '') ?? []).join(' ')
}

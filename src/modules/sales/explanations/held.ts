import type { WhyLine } from '../../../texts/en/why.ts'
import { type Hold, heldReasonsOf } from '../../referrals/held-reasons.ts'

/** A line for each reason that holds the commission. */
export const heldLines = (commission: Hold): WhyLine[] =>
  heldReasonsOf(commission).map((reason) => ({ code: 'held', reason }))

/** Whether a reason holds it that no approval ends. */
export const endsByItself = (commission: Hold): boolean => heldReasonsOf(commission).includes('dispute')

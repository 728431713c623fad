import type { MoneyEvent } from '../../generated/prisma/client.ts'
import type { HeldReason } from '../../generated/prisma/enums.ts'

/** The reasons in the history of what ends one hold alone. */
export const disputeEnded = 'dispute closed'
export const termsAccepted = 'terms accepted'

/** They end by themselves: with the dispute, and when the affiliate accepts. */
const endThemselves: readonly HeldReason[] = ['dispute', 'terms_not_accepted']

/**
 * What still holds a commission that a person approves. The approval answers what only a person can decide, such as a
 * self-referral. If nothing of that is left, it waives terms that were not accepted. An open dispute always remains.
 */
export function afterApproval(reasons: readonly HeldReason[]): HeldReason[] {
  const others = reasons.filter((reason) => endThemselves.includes(reason))
  return others.length < reasons.length ? others : others.filter((reason) => reason === 'dispute')
}

/** The reasons that hold a commission after one of its facts. */
export function heldAfter(
  before: readonly HeldReason[],
  { kind, reason }: Pick<MoneyEvent, 'kind' | 'reason'>,
): HeldReason[] {
  // Every hold is recorded with its reason, which is a word of the enum.
  if (kind === 'held') return [...new Set([...before, reason as HeldReason])]
  if (kind !== 'approved') return [...before]
  if (reason === disputeEnded) return before.filter((held) => held !== 'dispute')
  if (reason === termsAccepted) return before.filter((held) => held !== 'terms_not_accepted')
  // An approval of an earlier version ended a dispute that alone held the commission.
  return before.length === 1 ? [] : afterApproval(before)
}

import type { Commission } from '../../generated/prisma/client.ts'
import type { HeldReason } from '../../generated/prisma/enums.ts'

export type Hold = Pick<Commission, 'heldReason' | 'furtherHeldReasons'>

/** All reasons that hold a commission, in the order in which they were found. Empty if it is not held. */
export const heldReasonsOf = ({ heldReason, furtherHeldReasons }: Hold): HeldReason[] =>
  heldReason === null ? [] : [heldReason, ...((furtherHeldReasons ?? []) as HeldReason[])]

/** The columns of a commission that these reasons hold. `furtherHeldReasons` is null if there is at most one. */
export function heldFor(reasons: readonly HeldReason[]): {
  heldReason: HeldReason | null
  furtherHeldReasons: HeldReason[] | null
} {
  const [first = null, ...further] = [...new Set(reasons)]
  return { heldReason: first, furtherHeldReasons: further.length > 0 ? further : null }
}

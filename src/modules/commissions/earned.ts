/** The commission that the sale earned. The others are debts and credits of refunds after payment. */
export const earnedCommission = <C extends { refundId: string | null }>(commissions: readonly C[]): C | null =>
  commissions.find(({ refundId }) => refundId === null) ?? null

/** Whether a commission gives back what a refund had deducted after payment, because the refund was reversed. */
export const isCredit = ({ refundId, amountCents }: { refundId: string | null; amountCents: bigint }): boolean =>
  refundId !== null && amountCents > 0n

/** Of a sale's commissions the one that it earned: the others are negative, one for each refund after it was paid. */
export const earnedCommission = <C extends { refundId: string | null }>(commissions: readonly C[]): C | null =>
  commissions.find(({ refundId }) => refundId === null) ?? null

/** The commission that the sale earned. The other commissions of a sale are negative, one for each refund after payment. */
export const earnedCommission = <C extends { refundId: string | null }>(commissions: readonly C[]): C | null =>
  commissions.find(({ refundId }) => refundId === null) ?? null

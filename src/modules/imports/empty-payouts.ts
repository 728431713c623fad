/** Why a paid payout was not imported: its row is created with its first commission. */
export const emptyPayoutNote = (lines: number): string =>
  lines > 0 ? 'None of their commissions was imported.' : 'The source shows none of their commissions.'

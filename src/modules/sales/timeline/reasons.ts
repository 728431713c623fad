type NamedSale = { externalId: string | null; occurredAt: Date }

const day = (at: Date): string => at.toISOString().slice(0, 10)
const nameOf = ({ externalId }: NamedSale): string => (externalId === null ? '' : ` (${externalId})`)

/** Why sales are evaluated again after one that occurred before them was reported. */
export const lateReason = (sale: NamedSale, now: Date): string =>
  `an earlier sale${nameOf(sale)} of ${day(sale.occurredAt)} was reported on ${day(now)}`

/** Why sales are evaluated again after one was changed. */
export const changeReason = (sale: NamedSale, reason: string): string =>
  `the sale${nameOf(sale)} of ${day(sale.occurredAt)} was changed: ${reason}`

/** Why sales are evaluated again after a refund of one, or its reversal. */
export const refundReason = (sale: NamedSale): string =>
  `the refunds of the sale${nameOf(sale)} of ${day(sale.occurredAt)} have changed`

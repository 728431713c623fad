import type { CommissionFragment } from '../../../generated/dashboard/commissions/graphql.ts'
import { formatMoney } from '../../parts/format.tsx'
import { texts } from '../texts.ts'

const words = texts.commissions

/** The sale that a commission is for: its id in the billing system or, without one, its amount. */
export function saleName({
  sale,
  refund,
  amountCents,
}: Pick<CommissionFragment, 'sale' | 'refund' | 'amountCents'>): string {
  const name = sale.externalId ?? formatMoney(sale.amountCents, sale.currency)
  if (!refund) return name
  return amountCents > 0 ? words.reversalOf(name) : words.refundOf(name)
}

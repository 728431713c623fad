import type { CommissionFragment } from '../../../../generated/dashboard/commissions/graphql.ts'
import { formatMoney } from '../../parts/format.tsx'
import { texts } from '../texts.ts'

const words = texts.commissions

/** The sale that a commission is for: its id in the billing system or, without one, its amount. */
export function saleName({ sale, refund }: Pick<CommissionFragment, 'sale' | 'refund'>): string {
  const name = sale.externalId ?? formatMoney(sale.amountCents, sale.currency)
  return refund ? words.refundOf(name) : name
}

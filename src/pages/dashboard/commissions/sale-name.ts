import type { CommissionFragment } from '../../../generated/dashboard/commissions/graphql.ts'
import { formatMoney } from '../../parts/format.tsx'
import { texts } from '../texts.ts'

const words = texts.commissions

/** What a commission is: what was earned or given, or what a refund took or gave back. */
export function kindOf({
  kind,
  refund,
  amountCents,
}: Pick<CommissionFragment, 'kind' | 'refund' | 'amountCents'>): string {
  if (kind !== 'SALE') return words.kinds[kind]
  if (!refund) return texts.sales.earned
  return amountCents > 0 ? texts.sales.credit : texts.sales.debt
}

/** What a commission is for, in a sentence: the sale's id in the billing system or its amount, or the reason. */
export function saleName(
  commission: Pick<CommissionFragment, 'sale' | 'refund' | 'amountCents' | 'kind' | 'reason'>,
): string {
  const { sale, refund, amountCents, reason } = commission
  if (!sale) return reason === null ? kindOf(commission) : `${kindOf(commission)}: ${reason}`
  const name = sale.externalId ?? formatMoney(sale.amountCents, sale.currency)
  if (!refund) return name
  return amountCents > 0 ? words.reversalOf(name) : words.refundOf(name)
}

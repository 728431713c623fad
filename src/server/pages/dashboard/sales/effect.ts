import type { SaleQuery } from '../../../../generated/dashboard/sales/graphql.ts'
import { percentOf } from '../../../../kernel/money/amounts.ts'
import { formatMoney } from '../../parts/format.tsx'
import { nameOf } from '../money/affiliate.tsx'
import { texts } from '../texts.ts'

const words = texts.sales.effect

/**
 * What a refund would do to the commission of a sale, in words: the same rule as `adjustCommission` of the service, which
 * decides again.
 */
export function effectOf(sale: NonNullable<SaleQuery['sale']>, refundCents: bigint): string {
  const earned = sale.commissions.nodes.find(({ refund }) => refund === null)
  if (!earned || earned.state === 'VOID') return words.none
  const { rule } = sale.explanation
  if (!rule) return words.unknown
  const remaining = BigInt(sale.amountCents) - BigInt(sale.refundedCents) - refundCents
  const byRule =
    rule.commissionPercent === null
      ? BigInt(rule.commissionAmountCents ?? 0)
      : percentOf(remaining, Math.round(rule.commissionPercent * 100))
  const granted = remaining === 0n ? 0n : byRule
  const current = sale.commissions.nodes.reduce((sum, { amountCents }) => sum + BigInt(amountCents), 0n)
  const money = (cents: bigint) => formatMoney(cents, earned.currency)
  if (earned.state === 'PAID')
    return granted < current ? words.debt(money(current - granted), nameOf(sale.affiliate)) : words.same(money(current))
  if (remaining === 0n) return words.voided(money(current))
  return granted < current ? words.lowered(money(current), money(granted)) : words.same(money(current))
}

import type { SaleQuery } from '../../../generated/dashboard/sales/graphql.ts'
import { earnedUntilNow, refundEffect } from '../../../kernel/money/refund-effect.ts'
import { formatMoney } from '../../parts/format.tsx'
import { nameOf } from '../affiliate-name.tsx'
import { texts } from '../texts.ts'

const words = texts.sales.effect

/** What a refund would do to the commission of a sale, in words. */
export function effectOf(sale: NonNullable<SaleQuery['sale']>, refundCents: bigint): string {
  const earned = sale.commissions.nodes.find(({ refund }) => refund === null)
  if (!earned || earned.state === 'VOID') return words.none
  const { rule } = sale.explanation
  if (!rule) return words.unknown
  const { commissionPercent, commissionAmountCents } = rule
  const parts = sale.commissions.nodes.map(({ amountCents, state, refund }) => {
    return { amountCents: BigInt(amountCents), isVoid: state === 'VOID', isReversed: Boolean(refund?.reversedAt) }
  })
  const currentCents = earnedUntilNow(parts)
  const effect = refundEffect(
    commissionPercent === null
      ? { amountCents: BigInt(commissionAmountCents ?? 0) }
      : { basisPoints: Math.round(commissionPercent * 100) },
    {
      isPaid: earned.state === 'PAID',
      currentCents,
      remainingCents: BigInt(sale.amountCents) - BigInt(sale.refundedCents) - refundCents,
    },
  )
  const money = (cents: bigint) => formatMoney(cents, earned.currency)
  switch (effect.kind) {
    case 'same':
    case 'voided':
      return words[effect.kind](money(currentCents))
    case 'lowered':
      return words.lowered(money(currentCents), money(effect.cents))
    case 'debt':
      return words.debt(money(effect.cents), nameOf(sale.affiliate))
  }
}

import type { Commission, MoneyEvent, Refund, Sale } from '../../../generated/prisma/client.ts'
import type { Decision } from '../decision.ts'
import { soldItems } from '../items/read-items.ts'
import type { SaleFact, StoredOutcome } from './fact.ts'
import type { OfTime } from './of-time.ts'
import { customerKeyOf } from './read-sales.ts'
import type { StoredSale } from './stored.ts'

/** The facts of a stored sale. @param isEvaluated false: what it earned stays, and it only counts for others */
export function factOf(sale: StoredSale, ofTime: OfTime, convertedAt: Date | null, isEvaluated: boolean): SaleFact {
  const { affiliateId, campaignId, occurredAt } = sale
  const earned = earnedOf(sale)
  return {
    id: sale.id,
    externalId: sale.externalId,
    isTimed: isTimed(sale),
    customerKey: customerKeyOf(sale),
    referralId: sale.referralId,
    affiliateId,
    campaignId,
    amountCents: sale.amountCents,
    currency: sale.currency,
    billingInterval: sale.billingInterval,
    paymentNumber: sale.paymentNumber,
    items: soldItems(sale),
    occurredAt,
    groupIds: ofTime.groupsAt(affiliateId, occurredAt),
    couponKeys: (sale.decision as Decision | null)?.coupons ?? [],
    campaign: ofTime.campaignAt(campaignId, occurredAt),
    version: ofTime.versionAt(campaignId, occurredAt),
    convertedAt,
    refunds: sale.refunds.map(({ id, amountCents, items, reversedAt, ...times }) => {
      return { id, amountCents, items, at: startOf(times), isTimed: times.occurredAt !== null, reversedAt }
    }),
    voided: earned && voidedByPerson(earned),
    setCents: earned && isSetByHand(earned.events) ? earned.amountCents : null,
    isRejected: rejectedFor(sale),
    holdsPlace: earned !== null && earned.voidedAt === null && isFixed(sale),
    ...(!isEvaluated && { stored: { outcome: storedOutcome(sale) } }),
  }
}

/** Whether the report of a sale said when it occurred. */
export const isTimed = ({ decision }: Pick<Sale, 'decision'>): boolean => !(decision as Decision | null)?.isUntimed

const rejectedFor = ({ noCommissionReason: reason }: StoredSale): SaleFact['isRejected'] =>
  reason === 'self_referral' || reason === 'attribution_undone' ? reason : false

/** From when on a refund counts: from when it was made, and at the latest from when it was reported. */
export const startOf = ({ occurredAt, createdAt }: Pick<Refund, 'occurredAt' | 'createdAt'>): Date =>
  occurredAt !== null && occurredAt < createdAt ? occurredAt : createdAt

type Earned = StoredSale['commissions'][number]

export const earnedOf = ({ commissions }: Pick<StoredSale, 'commissions'>): Earned | null =>
  commissions.find(({ refundId }) => refundId === null) ?? null

/** Whether a payment, or a debt after it, fixes what was earned: a difference becomes a correction. */
export const isFixed = ({ commissions }: Pick<StoredSale, 'commissions'>): boolean =>
  commissions.some(({ refundId, paidAt }) => refundId !== null || paidAt !== null)

/** Whether the last word on the amount is that of a person. */
const isSetByHand = (events: readonly Pick<MoneyEvent, 'kind'>[]): boolean =>
  events.findLast(({ kind }) => kind === 'earned' || kind === 'amended' || kind === 'recalculated')?.kind === 'amended'

/** A commission that was calculated again to nothing is void, and its amount is 0. */
export const earnsNothingNow = ({ voidedAt, amountCents, events }: Earned): boolean =>
  voidedAt !== null && amountCents === 0n && events.some(({ kind }) => kind === 'recalculated')

function voidedByPerson(earned: Earned): { at: Date; id: string } | null {
  const fact = earned.events.findLast(({ kind }) => kind === 'voided')
  if (!earned.voidedAt || !fact || fact.refundId !== null || earnsNothingNow(earned)) return null
  return { at: fact.at, id: fact.id }
}

function storedOutcome(sale: StoredSale): StoredOutcome {
  const earned = earnedOf(sale)
  if (!earned || (earned.voidedAt && earned.amountCents === 0n)) return null
  const { currency, ruleId } = earned
  // A void commission earns nothing, and still began the period of its referral.
  if (earned.voidedAt) return { amountCents: 0n, currency, ruleId, isCounted: false }
  const cents = (rows: readonly Pick<Commission, 'amountCents' | 'voidedAt'>[]) =>
    rows.reduce((sum, { amountCents, voidedAt }) => (voidedAt ? sum : sum + amountCents), 0n)
  return { amountCents: cents(sale.commissions), currency, ruleId, isCounted: true }
}

import type { Commission, Customer, Referral, Sale } from '../../generated/prisma/client.ts'
import type { AttributionSignal } from '../../generated/prisma/enums.ts'
import { addMonths } from '../../kernel/dates.ts'
import { calculateCommission } from '../commissions/calculate.ts'
import { decisionOf, type TriedSignal } from '../sales/decision.ts'
import type { Member } from './affiliates.ts'
import { minutesAfter } from './calendar.ts'
import type { Plan } from './campaigns.ts'
import { addCommission } from './commissions.ts'
import { madeAt } from './rows.ts'
import type { World } from './world.ts'

type FirstSale = { customer: Customer | null; at: Date; by: AttributionSignal }
type Purchase = { at: Date; amountCents: number; currency: string }

/** Adds a customer's first sale, which turns the referral into a conversion, and the later sales. */
export function addSales(world: World, member: Member, referral: Referral, first: FirstSale): void {
  const { random, rows } = world
  const commissions: Commission[] = []
  let stopsAt = member.activeUntil
  for (const [index, purchase] of purchases(world, member, first.at).entries()) {
    const by = index === 0 ? first.by : first.customer && random.chance(0.6) ? 'email' : 'referral_id'
    // Billing systems report a sale a few seconds after it occurred.
    const reportedAt = by === 'coupon' ? purchase.at : minutesAfter(purchase.at, random.between(0.03, 0.6))
    if (reportedAt >= stopsAt) break
    const history = historyAt(commissions, reportedAt)
    const earned = calculateCommission(
      member.campaign,
      { ...purchase, amountCents: BigInt(purchase.amountCents), occurredAt: purchase.at },
      history,
    )
    const sale = saleOf(world, member, referral, first.customer, purchase, by, reportedAt)
    sale.noCommissionReason = 'reason' in earned ? earned.reason : null
    sale.decision = decisionOf({ signals: triedBefore(by), dropped: [] }, member.campaign, history, null)
    rows.sales.push(sale)
    if (index === 0) convert(referral, sale)
    if ('reason' in earned) continue
    const commission = addCommission(world, member.campaign, sale, earned)
    commissions.push(commission)
    // Most customers do not buy again after a full refund.
    if (commission.voidedAt && random.chance(0.8) && commission.voidedAt < stopsAt) stopsAt = commission.voidedAt
  }
}

/** The outcomes of a report that has only the signal that matched. */
const triedBefore = (matched: AttributionSignal): TriedSignal[] =>
  (['referral_id', 'coupon', 'email'] as const).map((signal, index, all) => {
    const isBefore = index < all.indexOf(matched as 'email')
    return { signal, outcome: signal === matched ? 'matched' : isBefore ? 'not_given' : 'not_tried' }
  })

/** What the referral had earned at a time. Commissions that were voided later still counted then. */
function historyAt(commissions: Commission[], at: Date) {
  return {
    commissions: commissions.filter(({ voidedAt }) => !voidedAt || voidedAt > at).length,
    firstOccurredAt: commissions[0]?.occurredAt ?? null,
  }
}

function convert(referral: Referral, sale: Sale): void {
  referral.becameLeadAt ??= sale.occurredAt
  referral.becameConversionAt = sale.occurredAt
  referral.updatedAt = sale.createdAt
}

function purchases(world: World, { habits, activeUntil }: Member, firstAt: Date): Purchase[] {
  const { random } = world
  const plan = random.pick(habits.plans)
  const currency = random.chance(0.3) ? 'eur' : 'usd'
  const list: Purchase[] = []
  let price = random.pick(plan.prices)
  for (let at = firstAt; at < activeUntil; at = nextAt(world, plan, firstAt, at, list.length)) {
    // Sometimes a credit covers an invoice, or all but a cent of it. Some customers change their plan.
    const amountCents = list.length > 0 && random.chance(0.012) ? random.integer(0, 1) : price
    list.push({ at, amountCents, currency })
    if (!random.chance(plan.loyalty)) break
    if (random.chance(0.03)) price = random.pick(plan.prices)
  }
  return list
}

function nextAt({ random }: World, { every }: Plan, firstAt: Date, at: Date, count: number): Date {
  switch (every) {
    case 'month':
      return addMonths(firstAt, count)
    case 'quarter':
      return addMonths(firstAt, count * 3)
    case 'year':
      return addMonths(firstAt, count * 12)
    case 'now and then':
      return minutesAfter(at, random.between(9, 90) * 1440)
  }
}

function saleOf(
  { programId, random }: World,
  { affiliate, campaign }: Member,
  referral: Referral,
  customer: Customer | null,
  purchase: Purchase,
  attributedBy: AttributionSignal,
  reportedAt: Date,
): Sale {
  return {
    programId,
    id: random.id(reportedAt),
    externalId: random.chance(0.96) ? `inv_${random.code(16)}` : null,
    referralId: referral.id,
    affiliateId: affiliate.id,
    campaignId: campaign.id,
    customerId: customer?.id ?? null,
    customerName: customer?.name ?? null,
    amountCents: BigInt(purchase.amountCents),
    currency: purchase.currency,
    billingInterval: null,
    paymentNumber: null,
    items: null,
    attributedBy,
    noCommissionReason: null,
    refundedCents: 0n,
    decision: null,
    occurredAt: purchase.at,
    ...madeAt(reportedAt),
  }
}

import type { Campaign, Commission, Referral, Sale } from '../../../generated/prisma/client.ts'
import { addDays } from '../../../kernel/dates.ts'
import { mintId } from '../../../kernel/ids.ts'
import { ofSale } from '../../commissions/new-commission.ts'
import { addNote, type BatchPlan, leaveOut, leaveOutUnresolved, recordOutcome } from '../plan.ts'
import { snapshotOf } from '../snapshot.ts'
import { timestampsOf } from '../timestamps.ts'
import { type CommissionRecord, campaignAt, type Existing, type SaleWithCommissions, saleKey } from './existing.ts'
import { type PaidCommission, type PayoutMatch, paidCommission } from './paid-payouts.ts'
import { addInitialEvents, type CommissionWrites, clampCents, daysBetween, nonNegative, refundOf } from './plan.ts'
import { referralFor } from './referral.ts'
import { estimateSaleAmount, ruleOf } from './rule.ts'
import { commissionSnapshot, leftOutSnapshot, sourceState, stateHere } from './state.ts'

/** A new commission, before its payout is known. */
type Draft = { record: CommissionRecord; commission: Commission; sale: Sale; refundedCents: bigint }

export const draftNewCommissions = (
  plan: BatchPlan,
  existing: Existing,
  writes: CommissionWrites,
  records: readonly CommissionRecord[],
): Draft[] => records.flatMap((record) => draft(plan, existing, writes, record) ?? [])

export const paidDrafts = (drafts: readonly Draft[]): PaidCommission[] =>
  drafts
    .filter(({ record }) => sourceState(record) === 'paid')
    .map(({ record, commission: { affiliateId, updatedAt } }) =>
      paidCommission(record, affiliateId, record.paidAt ?? updatedAt),
    )

export function planNewCommissions(
  plan: BatchPlan,
  existing: Existing,
  writes: CommissionWrites,
  drafts: readonly Draft[],
  matches: ReadonlyMap<string, PayoutMatch>,
): void {
  for (const { record, commission: drafted, sale, refundedCents } of drafts) {
    const { externalId } = record
    const payout = matches.get(externalId)
    const paidAt = sourceState(record) === 'paid' ? (payout?.paidAt ?? record.paidAt ?? drafted.updatedAt) : null
    const commission = { ...drafted, payoutId: payout?.payoutId ?? null, paidAt }
    const refunds = sale.refundedCents > 0n ? [refundOf(sale, sale.refundedCents, sale.updatedAt)] : []
    writes.sales.push(sale)
    writes.commissions.push(commission)
    writes.refunds.push(...refunds)
    const fullRefund = refunds.find(({ amountCents }) => amountCents === sale.amountCents)
    addInitialEvents(plan, writes, commission, payout, fullRefund)
    existing.sales.set(saleKey(record), { ...sale, commissions: [commission], refunds })
    const { amountCents: saleAmountCents, currency } = sale
    recordOutcome(plan, 'commission', externalId, 'created', {
      id: commission.id,
      snapshot: commissionSnapshot(record, commission.affiliateId, commission.dueAt, {
        saleAmountCents,
        refundedCents,
      }),
    })
    recordOutcome(plan, 'sale', saleKey(record), 'created', {
      id: sale.id,
      snapshot: snapshotOf({ amountCents: saleAmountCents, refundedCents, currency }),
    })
  }
}

function draft(plan: BatchPlan, existing: Existing, writes: CommissionWrites, record: CommissionRecord): Draft | null {
  const affiliateId = existing.affiliateIds.get(record.affiliateId)
  if (!affiliateId) {
    const missing = { field: 'affiliateId', kind: 'affiliate' } as const
    leaveOutUnresolved(plan, 'commission', record.externalId, [missing], leftOutSnapshot(record))
    return null
  }
  const importedSale = existing.sales.get(saleKey(record))
  const billedSale = existing.salesByBillingId.get(record.saleBillingId ?? '')
  const reportedSale =
    !importedSale && billedSale && !existing.importedSaleIds.has(billedSale.id) ? billedSale : undefined
  if (importedSale || reportedSale) {
    matchReportedSale(plan, existing, record, affiliateId, reportedSale)
    return null
  }
  const campaignId = existing.campaignIds.get(record.campaignId ?? '') ?? existing.affiliateCampaignIds.get(affiliateId)
  const sourceCampaign = existing.campaigns.get(campaignId ?? '') as Campaign
  const times = timestampsOf(record, record.saleOccurredAt ?? earnedAt(record, sourceCampaign) ?? plan.now)
  const occurredAt = record.saleOccurredAt ?? record.saleCreatedAt ?? times.createdAt
  const referral = referralFor(plan, existing, writes, record, affiliateId, sourceCampaign, occurredAt)
  const campaign = campaignAt(existing, referral.campaignId, occurredAt)
  noteCampaign(plan, existing, record, campaign, sourceCampaign)
  // A billing id is unique, so a second sale with the same id goes without.
  const externalId = billedSale ? null : (record.saleBillingId ?? null)
  const amounts = saleAmounts(plan, record, campaign)
  const sale = draftSale(plan, record, referral, { externalId, occurredAt, createdAt: times.createdAt, ...amounts })
  const commission = draftCommission(plan, record, sale, campaign, { ...amounts, ...times })
  const planned = { ...sale, commissions: [commission], refunds: [] }
  existing.sales.set(saleKey(record), planned)
  existing.importedSaleIds.add(sale.id)
  if (sale.externalId !== null) existing.salesByBillingId.set(sale.externalId, planned)
  return { record, commission, sale, refundedCents: amounts.refundedCents }
}

/** Matches a record with the commission of a sale that was reported here, which it then updates. */
function matchReportedSale(
  plan: BatchPlan,
  existing: Existing,
  record: CommissionRecord,
  affiliateId: string,
  sale: SaleWithCommissions | undefined,
): void {
  const { externalId } = record
  const earned = sale?.commissions.find(({ refundId }) => refundId === null)
  if (!sale || !earned) {
    const message = sale
      ? 'The sale was already reported here and earned no commission.'
      : 'The sale already has a commission.'
    leaveOut(plan, 'commission', externalId, { message }, leftOutSnapshot(record))
    return
  }
  const snapshot = snapshotOf({
    affiliateId,
    amountCents: earned.amountCents,
    currency: earned.currency,
    state: stateHere(earned),
    dueAt: earned.dueAt,
    saleAmountCents: sale.amountCents,
    refundedCents: sale.refundedCents,
  })
  existing.imported.set(externalId, { externalId, id: earned.id, snapshot })
  existing.commissions.set(earned.id, earned)
  existing.sales.set(saleKey(record), sale)
  addNote(plan, 'commission', externalId, 'Matched with the commission of the same sale, which was reported here.')
}

function noteCampaign(
  plan: BatchPlan,
  existing: Existing,
  { externalId, campaignId }: CommissionRecord,
  campaign: Campaign,
  sourceCampaign: Campaign,
): void {
  const used = 'The campaign of the referral is used.'
  if (campaignId !== undefined && !existing.campaignIds.has(campaignId))
    addNote(plan, 'commission', externalId, `The campaign was not imported. ${used}`)
  else if (campaign.id !== sourceCampaign.id)
    addNote(plan, 'commission', externalId, `The campaign differs from the campaign of the referral. ${used}`)
}

type SaleAmounts = { saleAmountCents: bigint; refundedCents: bigint; isRefundIgnored: boolean }

/** A full refund voids a commission here. It is ignored if the commission is not void at the source. */
function saleAmounts(plan: BatchPlan, record: CommissionRecord, campaign: Campaign): SaleAmounts {
  const { externalId, amountCents } = record
  if (record.saleAmountCents === undefined) {
    const sentence = 'The source does not show the sale. Its amount was estimated from the campaign.'
    addNote(plan, 'commission', externalId, sentence)
  }
  const saleAmountCents = nonNegative(record.saleAmountCents ?? estimateSaleAmount(campaign, amountCents))
  const refundedCents = clampCents(record.saleRefundedCents ?? 0n, saleAmountCents)
  const state = sourceState(record)
  const isRefundIgnored = refundedCents > 0n && refundedCents === saleAmountCents && state !== 'void'
  if (isRefundIgnored && state === 'open') {
    const sentence = 'The sale was fully refunded, but the commission is not void. It was imported without the refund.'
    addNote(plan, 'commission', externalId, sentence)
  }
  return { saleAmountCents, refundedCents, isRefundIgnored }
}

function draftSale(
  { ctx }: BatchPlan,
  record: CommissionRecord,
  referral: Referral,
  given: SaleAmounts & { externalId: string | null; occurredAt: Date; createdAt: Date },
): Sale {
  const { saleId: externalId = '', saleCreatedAt: createdAt, saleUpdatedAt: updatedAt } = record
  const times = timestampsOf({ externalId, createdAt, updatedAt }, given.createdAt)
  return {
    programId: ctx.program.id,
    id: mintId(times.createdAt),
    externalId: given.externalId,
    referralId: referral.id,
    affiliateId: referral.affiliateId,
    campaignId: referral.campaignId,
    customerId: referral.customerId,
    customerName: null,
    amountCents: given.saleAmountCents,
    currency: record.saleCurrency ?? record.currency,
    billingInterval: null,
    paymentNumber: null,
    items: null,
    attributedBy: referral.couponId ? 'coupon' : 'referral_id',
    noCommissionReason: null,
    refundedCents: given.isRefundIgnored ? 0n : given.refundedCents,
    decision: null,
    occurredAt: given.occurredAt,
    ...times,
  }
}

function draftCommission(
  plan: BatchPlan,
  record: CommissionRecord,
  sale: Sale,
  campaign: Campaign,
  given: SaleAmounts & { createdAt: Date; updatedAt: Date },
): Commission {
  const { programId, affiliateId, referralId, occurredAt } = sale
  const { createdAt, updatedAt, saleAmountCents, refundedCents } = given
  const { currency, amountCents } = record
  const dueAt = dueAtOf(plan, record, occurredAt, campaign)
  return {
    programId,
    id: mintId(createdAt),
    ...ofSale,
    saleId: sale.id,
    referralId,
    affiliateId,
    campaignId: campaign.id,
    payoutId: null,
    refundId: null,
    correctsSaleId: null,
    paymentId: null,
    currency,
    amountCents,
    heldReason: null,
    furtherHeldReasons: null,
    ruleId: null,
    ruleLines: null,
    ...ruleOf(campaign, { amountCents, saleAmountCents, refundedCents }),
    ruleDaysBeforeDue: daysBetween(occurredAt, dueAt),
    occurredAt,
    dueAt,
    paidAt: null,
    // An import records no events, also not that the commission is due already.
    dueNotedAt: dueAt <= plan.now ? plan.now : null,
    voidedAt: sourceState(record) === 'void' ? (record.voidedAt ?? updatedAt) : null,
    createdAt,
    updatedAt,
  }
}

/** When a commission without times was earned: counted back from its due date, else when it was paid. */
const earnedAt = ({ dueAt, paidAt }: CommissionRecord, campaign: Campaign): Date | undefined =>
  dueAt ? addDays(dueAt, -campaign.daysBeforeCommissionsAreDue) : paidAt

function dueAtOf(plan: BatchPlan, record: CommissionRecord, occurredAt: Date, campaign: Campaign): Date {
  const dueAt = record.dueAt ?? addDays(occurredAt, campaign.daysBeforeCommissionsAreDue)
  const state = record.state?.toLowerCase()
  if (state === 'pending' && dueAt <= plan.now) {
    const sentence = 'The commission is pending at the source, but its due date has passed. It is due here.'
    addNote(plan, 'commission', record.externalId, sentence)
  }
  return state === 'due' && record.dueAt === undefined && dueAt > plan.now ? plan.now : dueAt
}

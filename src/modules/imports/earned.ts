import type { Campaign, Commission, Referral, Refund, Sale } from '../../generated/prisma/client.ts'
import { addDays } from '../../kernel/calendar.ts'
import { mintId } from '../../kernel/ids.ts'
import { type Batch, leaveOut, leaveOutUnresolved, type Missing, note, tell } from './batch.ts'
import { type CommissionRecord, type Ground, saleKey, standInKey } from './ground.ts'
import { addWhatBecame, type Ledger } from './ledger.ts'
import { madeAndChanged } from './moments.ts'
import { likelySaleAmount, ruleOf } from './rule.ts'
import { paidIn, seenOf, stateHere, stateOf } from './source-state.ts'
import { storedFields } from './stored.ts'

type Draft = { record: CommissionRecord; commission: Commission; sale: Sale; refundedCents: bigint }

/** New commissions, each with the sale that earned it. */
export async function takeEarned(
  batch: Batch,
  ground: Ground,
  ledger: Ledger,
  records: readonly CommissionRecord[],
): Promise<void> {
  const drafts = records.flatMap((record) => draft(batch, ground, ledger, record) ?? [])
  const paid = drafts.flatMap(({ record, commission: { affiliateId, updatedAt } }) =>
    stateOf(record) === 'paid' ? [{ record, affiliateId, paidAt: record.paidAt ?? updatedAt }] : [],
  )
  const payouts = await paidIn(batch, paid)
  for (const { record, commission, sale, refundedCents } of drafts) {
    const { externalId } = record
    const payment = payouts.get(externalId)
    const paidAt = stateOf(record) === 'paid' ? (payment?.paidAt ?? record.paidAt ?? commission.updatedAt) : null
    const settled = { ...commission, payoutId: payment?.payoutId ?? null, paidAt }
    ledger.sales.push(sale)
    ledger.commissions.push(settled)
    const refunds = sale.refundedCents > 0n ? [refundOf(sale, sale.refundedCents, sale.updatedAt)] : []
    ledger.refunds.push(...refunds)
    ground.sales.set(saleKey(record), { ...sale, commissions: [settled], refunds })
    addWhatBecame(batch, ledger, settled, payment)
    const seen = seenOf(record, settled.affiliateId, settled.dueAt, {
      saleAmountCents: sale.amountCents,
      refundedCents,
    })
    tell(batch, 'commission', externalId, 'created', { id: settled.id, seen })
    tell(batch, 'sale', saleKey(record), 'created', {
      id: sale.id,
      seen: storedFields({ amountCents: sale.amountCents, refundedCents, currency: sale.currency }),
    })
  }
}

function draft(batch: Batch, ground: Ground, ledger: Ledger, record: CommissionRecord): Draft | null {
  const { externalId, currency, amountCents } = record
  const missing = missingOf(ground, record)
  const affiliateId = ground.affiliates.get(record.affiliateId)
  if (!affiliateId || (batch.dryRun && missing.length > 0)) {
    leaveOutUnresolved(
      batch,
      'commission',
      externalId,
      missing,
      storedFields({ amountCents, currency, state: stateOf(record) }),
    )
    return null
  }
  const known = ground.sales.get(saleKey(record))
  const billed = record.saleBillingId === undefined ? undefined : ground.billed.get(record.saleBillingId)
  const reportedHere = !known && billed && !ground.imported.has(billed.id) ? billed : undefined
  if (known || reportedHere) {
    takeAsReported(batch, ground, record, affiliateId, reportedHere)
    return null
  }
  const campaignId = ground.campaignIds.get(record.campaignId ?? '') ?? ground.affiliateCampaigns.get(affiliateId)
  const own = ground.campaigns.get(campaignId ?? '') as Campaign
  const times = madeAndChanged(record, record.saleOccurredAt ?? begun(record, own) ?? batch.now)
  const occurredAt = record.saleOccurredAt ?? record.saleCreatedAt ?? times.createdAt
  const referral = referralOf(batch, ground, ledger, record, affiliateId, own, occurredAt)
  const campaign = ground.campaigns.get(referral.campaignId) as Campaign
  if (record.campaignId !== undefined && !ground.campaignIds.has(record.campaignId))
    note(batch, 'commission', externalId, 'Its campaign was not imported: taken over in that of its referral.')
  else if (campaign.id !== own.id)
    note(batch, 'commission', externalId, "Its campaign is not its referral's: taken over in that of the referral.")
  if (record.saleAmountCents === undefined)
    note(
      batch,
      'commission',
      externalId,
      'The source does not show its sale: what it came to was worked out from the campaign.',
    )
  const saleAmountCents = nonNegative(record.saleAmountCents ?? likelySaleAmount(campaign, amountCents))
  const refundedCents = smaller(nonNegative(record.saleRefundedCents ?? 0n), saleAmountCents)
  const state = stateOf(record)
  const stands = refundedCents > 0n && refundedCents === saleAmountCents && state !== 'void'
  if (stands && state === 'open')
    note(
      batch,
      'commission',
      externalId,
      'Its sale was given back in whole, but it stands at the source: taken over without the refund.',
    )
  const programId = batch.ctx.program.id
  const saleTimes = madeAndChanged(
    { externalId: record.saleId ?? '', createdAt: record.saleCreatedAt, updatedAt: record.saleUpdatedAt },
    times.createdAt,
  )
  const sale: Sale = {
    programId,
    id: mintId(saleTimes.createdAt),
    externalId: billed ? null : (record.saleBillingId ?? null),
    referralId: referral.id,
    affiliateId,
    campaignId: campaign.id,
    customerId: referral.customerId,
    customerName: null,
    amountCents: saleAmountCents,
    currency: record.saleCurrency ?? currency,
    attributedBy: referral.couponId ? 'coupon' : 'referral_id',
    noCommissionReason: null,
    refundedCents: stands ? 0n : refundedCents,
    decision: null,
    occurredAt,
    ...saleTimes,
  }
  const dueAt = dueAtOf(batch, record, occurredAt, campaign)
  const commission = {
    programId,
    id: mintId(times.createdAt),
    saleId: sale.id,
    referralId: referral.id,
    affiliateId,
    campaignId: campaign.id,
    payoutId: null,
    refundId: null,
    currency,
    amountCents,
    heldReason: null,
    ...ruleOf(campaign, { amountCents, saleAmountCents, refundedCents }),
    ruleDaysBeforeDue: daysBetween(occurredAt, dueAt),
    occurredAt,
    dueAt,
    paidAt: null,
    voidedAt: state === 'void' ? (record.voidedAt ?? times.updatedAt) : null,
    ...times,
  } as Commission
  const made = { ...sale, commissions: [commission], refunds: [] }
  ground.sales.set(saleKey(record), made)
  ground.imported.add(sale.id)
  if (sale.externalId !== null) ground.billed.set(sale.externalId, made)
  return { record, commission, sale, refundedCents }
}

/**
 * A sale that was reported here already, or whose commission was taken over: nothing is added to it. Its commission is
 * known from now on as it stands here, to be caught up with like any other.
 */
function takeAsReported(
  batch: Batch,
  ground: Ground,
  record: CommissionRecord,
  affiliateId: string,
  sale: Ground['sales'] extends Map<string, infer S> ? S | undefined : never,
): void {
  const { externalId } = record
  const earned = sale?.commissions.find(({ refundId }) => refundId === null)
  if (!sale || !earned) {
    const message = sale
      ? 'Its sale was reported here already, and earned nothing.'
      : 'Its sale has a commission already.'
    leaveOut(
      batch,
      'commission',
      externalId,
      { message },
      storedFields({ amountCents: record.amountCents, currency: record.currency, state: stateOf(record) }),
    )
    return
  }
  const seen = storedFields({
    affiliateId,
    amountCents: earned.amountCents,
    currency: earned.currency,
    state: stateHere(earned),
    dueAt: earned.dueAt,
    saleAmountCents: sale.amountCents,
    refundedCents: sale.refundedCents,
  })
  ground.known.set(externalId, { externalId, id: earned.id, seen })
  ground.commissions.set(earned.id, earned)
  ground.sales.set(saleKey(record), sale)
  note(batch, 'commission', externalId, 'Its sale was reported here already, and is taken as the same one.')
}

function missingOf(ground: Ground, record: CommissionRecord): Missing[] {
  const missing: Missing[] = []
  if (!ground.affiliates.has(record.affiliateId))
    missing.push({ field: 'affiliateId', kind: 'affiliate', externalId: record.affiliateId })
  if (record.campaignId !== undefined && !ground.campaignIds.has(record.campaignId))
    missing.push({ field: 'campaignId', kind: 'campaign', externalId: record.campaignId })
  return missing
}

/** The referral that the commission is of, as the conversion that its sale makes it; one that stands in where there is none. */
function referralOf(
  batch: Batch,
  ground: Ground,
  ledger: Ledger,
  record: CommissionRecord,
  affiliateId: string,
  campaign: Campaign,
  at: Date,
): Referral {
  const named = record.referralId === undefined ? undefined : ground.referrals.get(record.referralId)
  if (named?.affiliateId === affiliateId) {
    const current = ledger.referrals.get(named.id)?.after ?? named
    if (current.becameConversionAt) return current
    const after = { ...current, becameLeadAt: current.becameLeadAt ?? at, becameConversionAt: at, updatedAt: batch.now }
    ledger.referrals.set(named.id, { before: named, after })
    return after
  }
  const key = standInKey(affiliateId, campaign.id)
  note(
    batch,
    'commission',
    record.externalId,
    "Its referral is not here, or not its affiliate's: it is kept with one that stands in.",
  )
  const there = ground.referrals.get(key)
  if (there) return there
  const referral: Referral = {
    programId: batch.ctx.program.id,
    id: mintId(at),
    affiliateId,
    campaignId: campaign.id,
    linkId: null,
    couponId: null,
    customerId: null,
    billingCustomerId: null,
    becameLeadAt: at,
    becameConversionAt: at,
    expiresAt: addDays(at, campaign.daysBeforeReferralsExpire),
    isCounted: true,
    createdAt: at,
    updatedAt: at,
  }
  ledger.referrals.set(referral.id, { before: null, after: referral })
  ground.referrals.set(key, referral)
  batch.remembered.set(`referral ${key}`, {
    kind: 'referral',
    externalId: key,
    id: referral.id,
    seen: { standIn: true },
  })
  return referral
}

/** When a commission that does not say so was earned: so long before it is due as the campaign says, or when it was paid. */
const begun = ({ dueAt, paidAt }: CommissionRecord, campaign: Campaign): Date | undefined =>
  dueAt ? addDays(dueAt, -campaign.daysBeforeCommissionsAreDue) : paidAt

function dueAtOf(batch: Batch, record: CommissionRecord, occurredAt: Date, campaign: Campaign): Date {
  const dueAt = record.dueAt ?? addDays(occurredAt, campaign.daysBeforeCommissionsAreDue)
  const state = record.state?.toLowerCase()
  if (state === 'pending' && dueAt <= batch.now)
    note(
      batch,
      'commission',
      record.externalId,
      'It is pending at the source although its day has come: here it is due.',
    )
  return state === 'due' && record.dueAt === undefined && dueAt > batch.now ? batch.now : dueAt
}

/** What was given back of a sale. */
export const refundOf = ({ programId, id: saleId }: Sale, amountCents: bigint, createdAt: Date): Refund => {
  return { programId, id: mintId(createdAt), saleId, externalId: null, amountCents, createdAt }
}

export const daysBetween = (from: Date, to: Date): number =>
  Math.max(0, Math.round((to.getTime() - from.getTime()) / 86_400_000))
export const nonNegative = (amount: bigint): bigint => (amount < 0n ? 0n : amount)
export const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other)

import { inserted, type Write } from '../../../database/client/write.ts'
import type { Campaign, Commission, Sale } from '../../../generated/prisma/client.ts'
import type { AttributionSignal, BillingInterval, HeldReason } from '../../../generated/prisma/enums.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { mintId } from '../../../kernel/ids.ts'
import { problem } from '../../../kernel/input/parse.ts'
import { maxCents } from '../../../kernel/money/amounts.ts'
import { lacksTerms } from '../../applications/required-terms.ts'
import { calculateCommission, type Earned } from '../../commissions/calculate.ts'
import { newCommission, noHistory } from '../../commissions/new-commission.ts'
import { namedCustomer } from '../../customers/service.ts'
import { eventsOf, insertedEvents, type NewEvent } from '../../events/record.ts'
import { type Fact, moneyEvents } from '../../history/money-events.ts'
import { heldFor, heldReasonsOf } from '../../referrals/held-reasons.ts'
import { eventsOfProgress, insertsOf, newReferral, progressed, updatesOf } from '../../referrals/progress.ts'
import { findSelfReferral } from '../../referrals/self-referral.ts'
import type { SoldItem } from '../../rules/sale.ts'
import { decisionOf } from '../decision.ts'
import { storedList } from '../items/read-items.ts'
import type { SaleFacts } from '../signals/sale-facts.ts'
import type { Attribution } from './attribute.ts'
import { deletedUnattributedSale } from './keep-unattributed.ts'

export type NewSale = {
  externalId: string | null
  customerName: string | null
  /** Stored on the referral, unless it already has one. */
  billingCustomerId: string | null
  amountCents: bigint
  currency: string
  billingInterval: BillingInterval | null
  paymentNumber: number | null
  items: SoldItem[] | null
  occurredAt: Date
  /** Whether the report said when it occurred. */
  isTimed: boolean
}

export type RecordedSale = {
  sale: Sale
  /** Null if the sale earned no commission. */
  commission: Commission | null
  /** What is to be written, all of it in one statement. */
  writes: Write[]
}

/**
 * Decides what an attributed sale changes: the sale with its decision, its commission, and its referral, a conversion.
 * @param attribution `campaign` has the rules that apply to this sale
 * @throws INVALID_INPUT if the commission passes the largest amount
 */
export function recordSale(
  ctx: ProgramCtx,
  { billingCustomerId, items, isTimed, ...reported }: NewSale,
  { customer, kept }: Pick<SaleFacts, 'customer' | 'kept'>,
  attribution: Attribution,
  now: Date,
): RecordedSale {
  const { affiliate, campaign, signal, signals, dropped, couponId, couponKeys, feed } = attribution
  const { referral: known, heldReason: ownHeldReason } = attribution
  const programId = ctx.program.id
  const { occurredAt, externalId, customerName } = reported
  const customerId = customer?.id ?? null
  const buyer = { customerId, billingCustomerId }
  const created = newReferral(
    { programId, id: affiliate.id },
    campaign,
    { ...buyer, couponId, agentProvider: providerOf(ctx, signal), soldAt: occurredAt },
    now,
  )
  const referral = known ?? created
  const history = attribution.history ?? known?.history ?? noHistory
  const selfReferral = selfReferralOf({ customer }, attribution)
  const earned: Earned = rejectsSelf(selfReferral, campaign)
    ? { reason: 'self_referral' }
    : calculateCommission(campaign, { ...reported, items: items ?? [] }, history)
  if ('amountCents' in earned && earned.amountCents > maxCents)
    throw invalid([problem('amountCents', `earns a commission above ${maxCents}. Check the amount, and the rule`)])
  const sale: Sale = {
    items: storedList(items),
    programId,
    id: mintId(now),
    referralId: referral.id,
    affiliateId: referral.affiliateId,
    campaignId: referral.campaignId,
    customerId: customerId ?? referral.customerId,
    attributedBy: signal,
    noCommissionReason: 'reason' in earned ? earned.reason : null,
    refundedCents: 0n,
    decision: decisionOf(
      { signals, dropped, coupons: couponKeys, feed, isUntimed: !isTimed },
      campaign,
      history,
      selfReferral,
    ),
    createdAt: now,
    updatedAt: now,
    ...reported,
  }
  // A look-alike may be another person, so it is never rejected.
  const held = heldFor([
    ...(selfReferral && campaign.selfReferrals !== 'allow' ? [selfReferral] : []),
    ...(ownHeldReason ? [ownHeldReason] : []),
    ...(lacksTerms(affiliate, now) ? (['terms_not_accepted'] as const) : []),
  ])
  const commission = 'reason' in earned ? null : { ...newCommission(mintId(now), sale, campaign, earned, now), ...held }
  const events = [
    ...eventsOfProgress(referral, 'conversion', known === null),
    ...eventsOf(sale.id, ['sale.created']),
    ...eventsOfCommission(commission),
  ]
  return {
    sale,
    commission,
    writes: [
      ...(known
        ? updatesOf(known, progressed(known, 'conversion', { ...buyer, at: occurredAt }), now)
        : insertsOf(created)),
      inserted('sales', [sale]),
      inserted('commissions', commission ? [commission] : []),
      inserted('money_events', moneyEvents(ctx, factsOf(commission), now)),
      insertedEvents(ctx, sharingState(events), now),
      ...(customer ? [namedCustomer({ programId, ...customer }, customerName, now)] : []),
      ...(kept && externalId !== null ? [deletedUnattributedSale(programId, externalId)] : []),
    ],
  }
}

/** The provider of the agent by whom a new referral begins. */
export const providerOf = ({ program }: Pick<ProgramCtx, 'program'>, signal: AttributionSignal): string | null =>
  signal === 'agent' ? program.agentProvider : null

/** Whether the buyer is the affiliate. */
export function selfReferralOf(
  { customer }: Pick<SaleFacts, 'customer'>,
  { affiliate, referral }: Pick<Attribution, 'affiliate' | 'referral'>,
): HeldReason | null {
  const email = customer?.email ?? referral?.customerEmail ?? null
  return email === null ? null : findSelfReferral(affiliate, email)
}

/** A look-alike may be another person, so it is never rejected. */
export const rejectsSelf = (found: HeldReason | null, { selfReferrals }: Pick<Campaign, 'selfReferrals'>): boolean =>
  found !== null && found !== 'self_referral_lookalike' && selfReferrals === 'reject'

/** The facts about a new commission: that it was earned, and that it is held. */
function factsOf(commission: Commission | null): Fact[] {
  if (!commission) return []
  return [
    { commission, kind: 'earned', deltaCents: commission.amountCents },
    ...heldReasonsOf(commission).map((reason): Fact => ({ commission, kind: 'held', deltaCents: 0n, reason })),
  ]
}

/** The last event is of the commission or of the sale. Its state has the referral too. */
const sharingState = (events: NewEvent[]): NewEvent[] => {
  const within = events.at(-1)
  return within ? events.map((event) => ({ ...event, within })) : []
}

function eventsOfCommission(commission: Commission | null): NewEvent[] {
  if (!commission) return []
  return eventsOf(commission.id, [
    'commission.created',
    ...(commission.heldReason ? (['tributary.commission.held'] as const) : []),
  ])
}

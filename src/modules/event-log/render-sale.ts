import type { Commission, Prisma } from '../../generated/prisma/client.ts'
import { commissions } from '../../resources/commissions.ts'
import { payouts } from '../../resources/payouts.ts'
import { referrals } from '../../resources/referrals.ts'
import { sales } from '../../resources/sales.ts'
import { conventionCommissionState } from '../commissions/state.ts'
import { conventionPayoutState } from '../payouts/state.ts'
import { conversionState } from '../referrals/progress.ts'
import { affiliateWithin, campaignSummary, couponOf, renderLink } from './render-affiliate.ts'
import { renderResource } from './render-resource.ts'
import { dateOrNull, numberOf, type Rendered, type Row, type State, textOf, textOrNull } from './state.ts'

export function renderReferral(state: State): Rendered {
  const referral = state.referral as Row
  const { customer } = state
  return renderResource(referrals, referral, {
    conversion_state: conversionState({
      becameLeadAt: dateOrNull(referral, 'became_lead_at'),
      becameConversionAt: dateOrNull(referral, 'became_conversion_at'),
    }),
    link: state.link ? renderLink(state) : null,
    coupon: couponOf(state),
    visits: state.visits ?? 0,
    customer: customer
      ? {
          platform: 'api',
          id: textOrNull(referral, 'billing_customer_id') ?? textOf(customer, 'id'),
          name: textOrNull(customer, 'name'),
          email: textOf(customer, 'email'),
        }
      : null,
  })
}

export function renderSale(state: State): Rendered {
  const sale = state.sale as Row
  return renderResource(sales, sale, {
    sale_amount_cents: numberOf(sale, 'amount_cents') - numberOf(sale, 'refunded_cents'),
    referral: { ...renderReferral(state), affiliate: affiliateWithin(state) },
    affiliate: affiliateWithin(state),
  })
}

export const renderCommission = (state: State, at: Date): Rendered => ({
  ...commissionFields(state.commission as Row, (state.campaign ?? state.affiliate_campaign) as Row, at),
  sale: state.sale ? renderSale(state) : null,
})

function commissionFields(commission: Row, campaign: Row, at: Date): Rendered {
  const facts: Pick<Commission, 'paidAt' | 'voidedAt' | 'dueAt' | 'heldReason'> = {
    paidAt: dateOrNull(commission, 'paid_at'),
    voidedAt: dateOrNull(commission, 'voided_at'),
    dueAt: new Date(textOf(commission, 'due_at')),
    heldReason: textOrNull(commission, 'held_reason') as Commission['heldReason'],
  }
  return renderResource(commissions, commission, {
    state: conventionCommissionState(facts, at),
    campaign: campaignSummary(campaign),
    // An event from before there were kinds is of a sale.
    kind: textOrNull(commission, 'kind') ?? 'sale',
  })
}

export function renderPayout(state: State, at: Date): Rendered {
  const payout = state.payout as Row
  const facts = {
    paidAt: dateOrNull(payout, 'paid_at'),
    sentAt: dateOrNull(payout, 'sent_at'),
    failedAt: dateOrNull(payout, 'failed_at'),
    currency: textOf(payout, 'currency'),
    amountCents: BigInt(numberOf(payout, 'amount_cents')),
  }
  const campaign = state.affiliate_campaign as Row
  const minimums = {
    minimumPayoutCents: BigInt(numberOf(campaign, 'minimum_payout_cents')),
    minimumPayouts: (campaign.minimum_payouts ?? {}) as Prisma.JsonObject,
  }
  return renderResource(payouts, payout, {
    state: conventionPayoutState(facts, minimums),
    // Events of earlier versions have it beside the payout.
    paid_by_id: textOrNull(payout, 'paid_by_id') ?? state.paid_by_id ?? null,
    affiliate: affiliateWithin(state),
    commissions: (state.commissions ?? []).map(({ commission, campaign }) =>
      commissionFields(commission, campaign, at),
    ),
  })
}

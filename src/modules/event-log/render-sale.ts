import type { Commission } from '../../generated/prisma/client.ts'
import { conventionCommissionState } from '../commissions/state.ts'
import { conventionPayoutState } from '../payouts/state.ts'
import { conversionState } from '../referrals/progress.ts'
import { affiliateWithin, campaignSummary, couponOf, renderLink } from './render-affiliate.ts'
import {
  dateOrNull,
  numberOf,
  type Rendered,
  type Row,
  type State,
  textOf,
  textOrNull,
  timeOf,
  timeOrNull,
} from './state.ts'

export function renderReferral(state: State): Rendered {
  const referral = state.referral as Row
  const { customer } = state
  const billingCustomerId = textOrNull(referral, 'billing_customer_id')
  return {
    id: textOf(referral, 'id'),
    object: 'referral',
    conversion_state: conversionState({
      becameLeadAt: dateOrNull(referral, 'became_lead_at'),
      becameConversionAt: dateOrNull(referral, 'became_conversion_at'),
    }),
    became_lead_at: timeOrNull(referral, 'became_lead_at'),
    became_conversion_at: timeOrNull(referral, 'became_conversion_at'),
    expires_at: timeOf(referral, 'expires_at'),
    billing_customer_id: billingCustomerId,
    affiliate_id: textOf(referral, 'affiliate_id'),
    campaign_id: textOf(referral, 'campaign_id'),
    created_at: timeOf(referral, 'created_at'),
    updated_at: timeOf(referral, 'updated_at'),
    link: state.link ? renderLink(state) : null,
    coupon: couponOf(state),
    visits: state.visits ?? 0,
    customer: customer
      ? {
          platform: 'api',
          id: billingCustomerId ?? textOf(customer, 'id'),
          name: textOrNull(customer, 'name'),
          email: textOf(customer, 'email'),
        }
      : null,
    deactivated_at: null,
    stripe_customer_id: billingCustomerId,
    stripe_account_id: null,
  }
}

export function renderSale(state: State): Rendered {
  const sale = state.sale as Row
  const amount = numberOf(sale, 'amount_cents')
  const refunded = numberOf(sale, 'refunded_cents')
  return {
    id: textOf(sale, 'id'),
    object: 'sale',
    currency: textOf(sale, 'currency'),
    charged_at: timeOf(sale, 'occurred_at'),
    invoiced_at: timeOf(sale, 'occurred_at'),
    created_at: timeOf(sale, 'created_at'),
    updated_at: timeOf(sale, 'updated_at'),
    charge_amount_cents: amount,
    refund_amount_cents: refunded,
    tax_amount_cents: 0,
    sale_amount_cents: amount - refunded,
    stripe_charge_id: textOrNull(sale, 'external_id'),
    stripe_account_id: null,
    referral: { ...renderReferral(state), affiliate: affiliateWithin(state) },
    affiliate: affiliateWithin(state),
  }
}

export const renderCommission = (state: State, at: Date): Rendered => ({
  ...commissionFields(state.commission as Row, (state.campaign ?? state.affiliate_campaign) as Row, at),
  sale: renderSale(state),
})

function commissionFields(commission: Row, campaign: Row, at: Date): Rendered {
  const facts: Pick<Commission, 'paidAt' | 'voidedAt' | 'dueAt' | 'heldReason'> = {
    paidAt: dateOrNull(commission, 'paid_at'),
    voidedAt: dateOrNull(commission, 'voided_at'),
    dueAt: new Date(textOf(commission, 'due_at')),
    heldReason: textOrNull(commission, 'held_reason') as Commission['heldReason'],
  }
  return {
    id: textOf(commission, 'id'),
    object: 'commission',
    currency: textOf(commission, 'currency'),
    amount: numberOf(commission, 'amount_cents'),
    state: conventionCommissionState(facts, at),
    due_at: timeOf(commission, 'due_at'),
    paid_at: timeOrNull(commission, 'paid_at'),
    campaign_id: textOf(commission, 'campaign_id'),
    affiliate_id: textOf(commission, 'affiliate_id'),
    created_at: timeOf(commission, 'created_at'),
    updated_at: timeOf(commission, 'updated_at'),
    voided_at: timeOrNull(commission, 'voided_at'),
    campaign: campaignSummary(campaign),
    stripe_account_id: null,
  }
}

export function renderPayout(state: State, at: Date): Rendered {
  const payout = state.payout as Row
  const amountCents = numberOf(payout, 'amount_cents')
  const facts = {
    paidAt: dateOrNull(payout, 'paid_at'),
    sentAt: dateOrNull(payout, 'sent_at'),
    failedAt: dateOrNull(payout, 'failed_at'),
    amountCents: BigInt(amountCents),
  }
  const minimum = BigInt(numberOf(state.affiliate_campaign as Row, 'minimum_payout_cents'))
  return {
    id: textOf(payout, 'id'),
    object: 'payout',
    state: conventionPayoutState(facts, minimum),
    currency: textOf(payout, 'currency'),
    amount: amountCents,
    paid_at: timeOrNull(payout, 'paid_at'),
    affiliate_id: textOf(payout, 'affiliate_id'),
    created_at: timeOf(payout, 'created_at'),
    updated_at: timeOf(payout, 'updated_at'),
    paid_by_id: state.paid_by_id ?? null,
    affiliate: affiliateWithin(state),
    commissions: (state.commissions ?? []).map(({ commission, campaign }) =>
      commissionFields(commission, campaign, at),
    ),
  }
}

import { linkUrl } from '../affiliates/links/service.ts'
import { renderCampaign } from './render-own.ts'
import { numberOf, type Rendered, type Row, type State, textOf, textOrNull, timeOf, timeOrNull } from './state.ts'

export const renderAffiliate = (state: State): Rendered => ({
  ...affiliateFields(state.affiliate as Row),
  campaign: renderCampaign({
    campaign: state.affiliate_campaign as Row,
    ...(state.campaign_counts && { campaign_counts: state.campaign_counts }),
  }),
  links: (state.links ?? []).map((link) => linkFields(link, state.affiliate_campaign as Row)),
  coupon: couponOf(state),
})

/** An affiliate within another resource. */
export const affiliateWithin = (state: State): Rendered => ({
  ...affiliateFields(state.affiliate as Row),
  campaign: campaignSummary(state.affiliate_campaign as Row),
})

export const campaignSummary = (campaign: Row): Rendered => ({
  id: textOf(campaign, 'id'),
  name: textOf(campaign, 'name'),
  created_at: timeOf(campaign, 'created_at'),
  updated_at: timeOf(campaign, 'updated_at'),
})

function affiliateFields(affiliate: Row): Rendered {
  const walletA = textOrNull(affiliate, 'wallet_a_email')
  const walletB = textOrNull(affiliate, 'wallet_b_email')
  const confirmedAt = timeOrNull(affiliate, 'confirmed_at')
  const billingCustomerId = textOrNull(affiliate, 'billing_customer_id')
  return {
    id: textOf(affiliate, 'id'),
    object: 'affiliate',
    created_at: timeOf(affiliate, 'created_at'),
    updated_at: timeOf(affiliate, 'updated_at'),
    first_name: textOrNull(affiliate, 'first_name'),
    last_name: textOrNull(affiliate, 'last_name'),
    email: textOf(affiliate, 'email'),
    wallet_a_email: walletA,
    wallet_b_email: walletB,
    state: textOf(affiliate, 'state'),
    billing_customer_id: billingCustomerId,
    confirmed_at: confirmedAt,
    visitors: numberOf(affiliate, 'visitors'),
    leads: numberOf(affiliate, 'leads'),
    conversions: numberOf(affiliate, 'conversions'),
    paypal_email: walletA,
    paypal_email_confirmed_at: walletA && confirmedAt,
    wise_email: walletB,
    wise_email_confirmed_at: walletB && confirmedAt,
    unconfirmed_email: null,
    receive_new_commission_notifications: affiliate.receive_new_commission_notifications,
    sign_in_count: numberOf(affiliate, 'sign_in_count'),
    stripe_customer_id: billingCustomerId,
    stripe_account_id: null,
  }
}

export const renderLink = (state: State): Rendered => linkFields(state.link as Row, state.affiliate_campaign as Row)

function linkFields(link: Row, campaign: Row): Rendered {
  return {
    id: textOf(link, 'id'),
    object: 'affiliate_link',
    url: linkUrl(textOf(campaign, 'url'), textOf(link, 'token')),
    token: textOf(link, 'token'),
    visitors: numberOf(link, 'visitors'),
    leads: numberOf(link, 'leads'),
    conversions: numberOf(link, 'conversions'),
    affiliate_id: textOf(link, 'affiliate_id'),
  }
}

export const renderCoupon = (state: State): Rendered => couponOf(state) as Rendered

export function couponOf({ coupon, coupon_imported_id: importedId, ...counts }: State): Rendered | null {
  if (!coupon) return null
  const archivedAt = timeOrNull(coupon, 'archived_at')
  return {
    id: textOf(coupon, 'id'),
    object: 'affiliate_coupon',
    token: textOf(coupon, 'token'),
    affiliate_id: textOf(coupon, 'affiliate_id'),
    external_id: importedId ?? textOf(coupon, 'id'),
    leads: counts.coupon_leads ?? 0,
    conversions: counts.coupon_conversions ?? 0,
    archived: archivedAt !== null,
    archived_at: archivedAt,
  }
}

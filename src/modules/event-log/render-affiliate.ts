import { affiliateCoupons } from '../../resources/affiliate-coupons.ts'
import { affiliateLinks } from '../../resources/affiliate-links.ts'
import { affiliates } from '../../resources/affiliates.ts'
import { linkUrl } from '../affiliates/links/service.ts'
import { ownFieldsOf } from '../affiliates/own-fields/values.ts'
import { renderCampaign } from './render-own.ts'
import { renderResource } from './render-resource.ts'
import { type Rendered, type Row, type State, textOf, textOrNull, timeOf, timeOrNull } from './state.ts'

export const renderAffiliate = (state: State): Rendered => ({
  ...affiliateFields(
    state.affiliate as Row,
    renderCampaign({
      campaign: state.affiliate_campaign as Row,
      ...(state.campaign_counts && { campaign_counts: state.campaign_counts }),
    }),
  ),
  own_fields: ownFieldsOf((state.affiliate as Row).own_fields ?? {}),
  links: (state.links ?? []).map((link) => linkFields(link, state.affiliate_campaign as Row)),
  coupon: couponOf(state),
  coupons: (state.coupons ?? []).map(couponFields),
})

/** An affiliate within another resource. */
export const affiliateWithin = (state: State): Rendered =>
  affiliateFields(state.affiliate as Row, campaignSummary(state.affiliate_campaign as Row))

export const campaignSummary = (campaign: Row): Rendered => ({
  id: textOf(campaign, 'id'),
  name: textOf(campaign, 'name'),
  created_at: timeOf(campaign, 'created_at'),
  updated_at: timeOf(campaign, 'updated_at'),
})

function affiliateFields(affiliate: Row, campaign: Rendered): Rendered {
  const confirmedAt = timeOrNull(affiliate, 'confirmed_at')
  return renderResource(affiliates, affiliate, {
    paypal_email_confirmed_at: textOrNull(affiliate, 'paypal_email') && confirmedAt,
    wise_email_confirmed_at: textOrNull(affiliate, 'wise_email') && confirmedAt,
    campaign,
  })
}

export const renderLink = (state: State): Rendered => linkFields(state.link as Row, state.affiliate_campaign as Row)

const linkFields = (link: Row, campaign: Row): Rendered =>
  renderResource(affiliateLinks, link, { url: linkUrl(textOf(campaign, 'url'), textOf(link, 'token')) })

export const renderCoupon = (state: State): Rendered => couponOf(state) as Rendered

export function couponOf({ coupon, coupon_imported_id: importedId, ...counts }: State): Rendered | null {
  if (!coupon) return null
  const { coupon_leads: leads, coupon_conversions: conversions } = counts
  return couponFields({ ...coupon, leads, conversions, imported_id: importedId })
}

const couponFields = (coupon: Row): Rendered =>
  renderResource(affiliateCoupons, coupon, {
    external_id: textOrNull(coupon, 'imported_id') ?? textOf(coupon, 'id'),
    leads: coupon.leads ?? 0,
    conversions: coupon.conversions ?? 0,
    archived: textOrNull(coupon, 'archived_at') !== null,
  })

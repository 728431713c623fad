import type { EventSubject } from '../events/types.ts'
import { renderAffiliate, renderCoupon, renderLink } from './render-affiliate.ts'
import {
  renderApiKey,
  renderCampaign,
  renderInvoice,
  renderProposal,
  renderStatements,
  renderUnattributedSale,
  renderWebhookEndpoint,
} from './render-own.ts'
import { renderCommission, renderPayout, renderReferral, renderSale } from './render-sale.ts'
import type { Rendered, State } from './state.ts'

export type FrozenEvent = { type: string; subject: string; createdAt: Date; state: unknown }

const renderers: Record<EventSubject, (state: State, at: Date) => Rendered> = {
  affiliate: renderAffiliate,
  affiliate_link: renderLink,
  affiliate_coupon: renderCoupon,
  referral: renderReferral,
  sale: renderSale,
  commission: renderCommission,
  payout: renderPayout,
  campaign: renderCampaign,
  api_key: renderApiKey,
  unattributed_sale: renderUnattributedSale,
  webhook_endpoint: renderWebhookEndpoint,
  proposal: renderProposal,
  statements: renderStatements,
  invoice: renderInvoice,
}

/** Renders the frozen state of an event's subject. A pure function, so every format and every try sends the same. */
export function renderObject({ type, subject, state, createdAt }: FrozenEvent): Rendered {
  const rendered = renderers[subject as EventSubject](state as State, createdAt)
  // The convention deletes commissions; here they become void.
  return type === 'commission.deleted' ? { ...rendered, deleted: true } : rendered
}

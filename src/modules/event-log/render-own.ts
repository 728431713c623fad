import { campaigns } from '../../resources/campaigns.ts'
import { renderResource } from './render-resource.ts'
import {
  numberOf,
  numberOrNull,
  type Rendered,
  type Row,
  type State,
  textOf,
  textOrNull,
  timeOf,
  timeOrNull,
} from './state.ts'

export function renderCampaign({ campaign = {}, campaign_counts: counts = {} }: State): Rendered {
  const basisPoints = numberOrNull(campaign, 'commission_basis_points')
  return renderResource(campaigns, campaign, {
    commission_percent: basisPoints === null ? null : basisPoints / 100,
    visitors: counts.visitors ?? 0,
    leads: counts.leads ?? 0,
    conversions: counts.conversions ?? 0,
    affiliates: counts.affiliates ?? 0,
  })
}

export function renderApiKey(state: State): Rendered {
  const key = state.api_key as Row
  return {
    id: textOf(key, 'id'),
    object: 'api_key',
    name: textOf(key, 'name'),
    access: textOf(key, 'access'),
    profile: textOf(key, 'profile'),
    words: textOf(key, 'words'),
    last_four: textOf(key, 'last_four'),
    created_at: timeOf(key, 'created_at'),
    revoked_at: timeOrNull(key, 'revoked_at'),
  }
}

export function renderUnattributedSale(state: State): Rendered {
  const sale = state.unattributed_sale as Row
  return {
    id: textOf(sale, 'id'),
    object: 'unattributed_sale',
    external_id: textOrNull(sale, 'external_id'),
    referral_id: textOrNull(sale, 'referral_id'),
    email: textOrNull(sale, 'email'),
    coupon: textOrNull(sale, 'coupon'),
    customer_name: textOrNull(sale, 'customer_name'),
    billing_customer_id: textOrNull(sale, 'billing_customer_id'),
    amount_cents: numberOf(sale, 'amount_cents'),
    currency: textOf(sale, 'currency'),
    occurred_at: timeOf(sale, 'occurred_at'),
    created_at: timeOf(sale, 'created_at'),
    updated_at: timeOf(sale, 'updated_at'),
  }
}

export function renderWebhookEndpoint(state: State): Rendered {
  const endpoint = state.webhook_endpoint as Row
  return {
    id: textOf(endpoint, 'id'),
    object: 'webhook_endpoint',
    url: textOf(endpoint, 'url'),
    description: textOrNull(endpoint, 'description'),
    event_types: endpoint.event_types,
    format: textOf(endpoint, 'format'),
    disabled_at: timeOrNull(endpoint, 'disabled_at'),
    disabled_reason: textOrNull(endpoint, 'disabled_reason'),
    failing_since: timeOrNull(endpoint, 'failing_since'),
    created_at: timeOf(endpoint, 'created_at'),
    updated_at: timeOf(endpoint, 'updated_at'),
  }
}

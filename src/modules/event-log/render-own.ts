import { campaigns } from '../../resources/campaigns.ts'
import type { StoredMinimums } from '../campaigns/minimum-payouts.ts'
import { renderResource } from './render-resource.ts'
import { numberOrNull, type Rendered, type Row, type State, timeOrNull } from './state.ts'

export function renderCampaign({ campaign = {}, campaign_counts: counts = {} }: State): Rendered {
  const basisPoints = numberOrNull(campaign, 'commission_basis_points')
  return renderResource(campaigns, campaign, {
    commission_percent: basisPoints === null ? null : basisPoints / 100,
    visitors: counts.visitors ?? 0,
    leads: counts.leads ?? 0,
    conversions: counts.conversions ?? 0,
    affiliates: counts.affiliates ?? 0,
    minimum_payouts: Object.entries((campaign.minimum_payouts ?? {}) as StoredMinimums).map(([currency, cents]) => ({
      currency,
      amount_cents: Number(cents),
    })),
  })
}

export const renderApiKey = ({ api_key }: State): Rendered =>
  columnsOf('api_key', api_key, 'name access profile words last_four created_at revoked_at')

export const renderUnattributedSale = ({ unattributed_sale }: State): Rendered =>
  columnsOf(
    'unattributed_sale',
    unattributed_sale,
    'external_id referral_id email coupon customer_name billing_customer_id amount_cents currency ' +
      'occurred_at created_at updated_at',
  )

export const renderWebhookEndpoint = ({ webhook_endpoint }: State): Rendered =>
  columnsOf(
    'webhook_endpoint',
    webhook_endpoint,
    'url description event_types format disabled_at disabled_reason failing_since created_at updated_at',
  )

/** Without its arguments, which can have data of people. */
export const renderProposal = ({ proposal }: State): Rendered =>
  columnsOf(
    'proposal',
    proposal,
    'kind state effect_text effect_cents effect_currency reason decision_reason decided_at expires_at created_at updated_at',
  )

/** A month that was closed, with the signature of all of its statements. */
export const renderStatements = ({ statements }: State): Rendered =>
  columnsOf('statement_month', statements, 'month number from_at until_at time_zone closed_at count root key_id seal')

/** An invoice or a credit note. Who supplies is in its affiliate. */
export const renderInvoice = ({ invoice }: State): Rendered =>
  columnsOf(
    'invoice',
    invoice,
    'kind number issued_on month currency net_cents vat_cents gross_cents vat_treatment vat_basis_points affiliate_id statement_id corrects_id is_cancellation created_at',
  )

/** Columns whose names end with `_at` or `_since` are times. */
function columnsOf(object: string, row: Row | undefined, columns: string): Rendered {
  const rendered: Rendered = { id: row?.id, object }
  for (const column of columns.split(' '))
    rendered[column] = /_(at|since)$/.test(column) ? timeOrNull(row ?? {}, column) : (row?.[column] ?? null)
  return rendered
}

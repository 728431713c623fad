/** The convention's fields that the contract lacks. Aliases, responses, documentation and tests follow. */

/** A field of a resource: where its value comes from, and in which responses it is. */
export type FieldSource = (
  | { kind: 'same'; contractField: string }
  | { kind: 'field'; schemaField: string }
  | { kind: 'constant'; value: null | boolean | number; type: 'String' | 'Boolean' | 'Int'; why: string }
  | { kind: 'object'; schemaField: string; name: string; fields: Fields }
  | { kind: 'resource'; schemaField: string; type: string }
  | { kind: 'state'; schemaField: string }
) &
  Shown
/**
 * A resource has the same fields wherever it appears, except those with one of these marks.
 * - `onExpand`: in the resource itself, only if `expand` names the field.
 * - `onlyIn`: only in the response of this operation.
 * - `onlyWithin`: only in a resource within another.
 * - `within`: whether it is in a resource within another: by default yes, without `onExpand`, `onlyIn` and embedded
 *   objects.
 */
type Shown = { onExpand?: true; onlyIn?: string; onlyWithin?: true; within?: 'always' | 'onExpand' }
export type Fields = Readonly<Record<string, FieldSource>>

/** An alias of the contract's field. Accepted in bodies and as a filter too. */
const same = (contractField: string): FieldSource => ({ kind: 'same', contractField })
const field = (schemaField: string): FieldSource => ({ kind: 'field', schemaField })
/** Always null, since the data is not stored here. */
const alwaysNull = (why: string): FieldSource => ({ kind: 'constant', value: null, type: 'String', why })
const always = (value: boolean | number, why: string): FieldSource => ({
  kind: 'constant',
  value,
  type: typeof value === 'boolean' ? 'Boolean' : 'Int',
  why,
})
/** An object with these fields of a related row. `name` is the name of its schema. */
const object = (name: string, schemaField: string, fields: Fields): FieldSource => ({
  kind: 'object',
  schemaField,
  name,
  fields,
})
/** Another resource of this table. */
const resource = (type: string, schemaField: string): FieldSource => ({ kind: 'resource', schemaField, type })
/** The contract's state, or the schema's field for API keys with the convention's words. */
const state = (schemaField: string): FieldSource => ({ kind: 'state', schemaField })
const marked = (source: FieldSource, shown: Shown): FieldSource => ({ ...source, ...shown })

const campaignSummary = object('CampaignSummary', 'campaign', {
  id: field('id'),
  name: field('name'),
  created_at: field('createdAt'),
  updated_at: field('updatedAt'),
})

const accounts = 'Billing accounts are not stored.'

/**
 * The superset's additional fields, by type. A sale is a resource of the convention only: both profiles have its
 * fields.
 */
export const convention = {
  Affiliate: {
    paypal_email: same('wallet_a_email'),
    paypal_email_confirmed_at: field('walletAEmailConfirmedAt'),
    wise_email: same('wallet_b_email'),
    wise_email_confirmed_at: field('walletBEmailConfirmedAt'),
    unconfirmed_email: alwaysNull('A changed e-mail applies immediately; it is not confirmed.'),
    receive_new_commission_notifications: field('receiveNewCommissionNotifications'),
    sign_in_count: field('signInCount'),
    stripe_customer_id: same('billing_customer_id'),
    stripe_account_id: alwaysNull(accounts),
    campaign: marked(campaignSummary, { onlyWithin: true }),
    commission_stats: marked(field('commissionStats'), { onExpand: true }),
  },
  Campaign: {
    commission_amount_currency: same('commission_currency'),
    days_until_commissions_are_due: same('days_before_commissions_are_due'),
    max_commission_period_months: same('max_commission_period_in_months'),
    minimum_payout_currency: field('commissionCurrency'),
    default: field('isDefault'),
    visitors: field('visitors'),
    leads: field('leads'),
    conversions: field('conversions'),
    affiliates: field('affiliateCount'),
  },
  AffiliateLink: {},
  AffiliateCoupon: {
    external_id: field('externalIdOrId'),
    leads: field('leads'),
    conversions: field('conversions'),
    archived: field('archived'),
    archived_at: field('archivedAt'),
  },
  Referral: {
    created_at: field('createdAt'),
    updated_at: field('updatedAt'),
    link: resource('AffiliateLink', 'link'),
    coupon: resource('AffiliateCoupon', 'coupon'),
    visits: field('visits'),
    customer: object('ReferralCustomer', 'knownCustomer', {
      platform: field('platform'),
      id: field('id'),
      name: field('name'),
      email: field('email'),
    }),
    affiliate: marked(resource('Affiliate', 'affiliate'), { onExpand: true, within: 'always' }),
    deactivated_at: alwaysNull('Referrals are not deactivated; they expire.'),
    stripe_customer_id: same('billing_customer_id'),
    stripe_account_id: alwaysNull(accounts),
  },
  Sale: {
    currency: field('currency'),
    charged_at: field('occurredAt'),
    invoiced_at: field('occurredAt'),
    created_at: field('createdAt'),
    updated_at: field('updatedAt'),
    charge_amount_cents: field('amountCents'),
    refund_amount_cents: field('refundedCents'),
    tax_amount_cents: always(0, 'Taxes are not reported.'),
    sale_amount_cents: field('netAmountCents'),
    stripe_charge_id: field('externalId'),
    stripe_account_id: alwaysNull(accounts),
    referral: resource('Referral', 'referral'),
    affiliate: resource('Affiliate', 'affiliate'),
  },
  Conversion: { differences: field('differences') },
  Commission: {
    state: state('conventionState'),
    created_at: field('createdAt'),
    updated_at: field('updatedAt'),
    voided_at: field('voidedAt'),
    campaign: campaignSummary,
    sale: marked(resource('Sale', 'sale'), { within: 'onExpand' }),
    affiliate: marked(resource('Affiliate', 'affiliate'), { onExpand: true }),
    stripe_account_id: alwaysNull(accounts),
    deleted: marked(always(true, 'The convention deletes commissions; the contract voids them.'), {
      onlyIn: 'voidCommission',
    }),
  },
  Payout: {
    state: state('conventionState'),
    created_at: field('createdAt'),
    updated_at: field('updatedAt'),
    paid_by_id: field('paidById'),
    affiliate: resource('Affiliate', 'affiliate'),
    commissions: resource('Commission', 'commissionList'),
  },
  PayoutRun: {
    file: marked(object('PayoutRunFile', 'file', { name: field('name'), content: field('content') }), {
      onExpand: true,
    }),
    items: marked(
      object('PayoutRunItem', 'itemList', {
        payout_id: field('payoutId'),
        affiliate_id: field('affiliateId'),
        amount: field('amountCents'),
        state: field('state'),
        reference: field('reference'),
        reason: field('reason'),
      }),
      { onExpand: true },
    ),
  },
} as const satisfies Record<string, Fields>

/** The convention's words for the contract's states. Accepted wherever a state is read. */
export const stateAliases: Readonly<Record<string, string>> = { voided: 'void' }

/** States of the convention that no resource here is ever in, by the operation whose filter accepts them. They match nothing. */
export const unusedStates: Readonly<Record<string, readonly string[]>> = {
  'Query.affiliates': ['inactive', 'pending', 'deactivated'],
  'Query.payouts': ['completed'],
}

/** The convention's names of the contract's fields. Accepted in bodies and queries. */
export const fieldAliases: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values<Fields>(convention).flatMap((fields) =>
    Object.entries(fields).flatMap(([name, source]) => (source.kind === 'same' ? [[name, source.contractField]] : [])),
  ),
)

/** The fields that `expand` can add to a resource, or to the resources within it. */
export const expandableOf = (typeName: string): string[] =>
  Object.entries(fieldsOf(typeName)).flatMap(([name, source]) => [
    ...(source.onExpand ? [name] : []),
    ...(source.kind === 'resource' ? expandableWithin(source.type) : []),
  ])

const expandableWithin = (typeName: string): string[] =>
  Object.entries(fieldsOf(typeName)).flatMap(([name, { within }]) => (within === 'onExpand' ? [name] : []))

const fieldsOf = (typeName: string): Fields => (convention as Record<string, Fields>)[typeName] ?? {}

/** The fields that `expand` can add to any resource. */
export const expandable: readonly string[] = [...new Set(Object.keys(convention).flatMap(expandableOf))]

/**
 * The convention's fields that the contract does not have, in one table. Aliases of input fields (rest/names.ts), the
 * superset profile's responses and their documentation (rest/superset.ts) and the tests are derived from it.
 */

/**
 * Where the value of a field comes from. `onExpand`: the field is included only if `expand` names it. `onlyIn`: the field
 * is included only in the response of this operation.
 */
export type FieldSource = (
  | { kind: 'same'; contractField: string }
  | { kind: 'field'; schemaField: string }
  | { kind: 'constant'; value: null | boolean | number; type: 'String' | 'Boolean' | 'Int'; why: string }
  | { kind: 'object'; schemaField: string; fields: Fields }
  | { kind: 'resource'; schemaField: string; plain: boolean }
  | { kind: 'state'; schemaField: string }
) & { onExpand?: true; onlyIn?: string }
export type Fields = Readonly<Record<string, FieldSource>>

/** An alias of the contract's field. Accepted in bodies and as a filter too. */
const same = (contractField: string): FieldSource => ({ kind: 'same', contractField })
/** A field of the schema. */
const field = (schemaField: string): FieldSource => ({ kind: 'field', schemaField })
/** Always null, since the data is not stored here. */
const alwaysNull = (why: string): FieldSource => ({ kind: 'constant', value: null, type: 'String', why })
const always = (value: boolean | number, why: string): FieldSource => ({
  kind: 'constant',
  value,
  type: typeof value === 'boolean' ? 'Boolean' : 'Int',
  why,
})
/** An object with these fields of a related row. */
const object = (schemaField: string, fields: Fields): FieldSource => ({ kind: 'object', schemaField, fields })
/** Another resource, with all of its fields. */
const resource = (schemaField: string): FieldSource => ({ kind: 'resource', schemaField, plain: false })
/** Another resource, without its embedded resources. */
const plain = (schemaField: string): FieldSource => ({ kind: 'resource', schemaField, plain: true })
/** The contract's state, or the schema's field for API keys with the convention's words. */
const state = (schemaField: string): FieldSource => ({ kind: 'state', schemaField })
const onExpand = (source: FieldSource): FieldSource => ({ ...source, onExpand: true })
const onlyIn = (operation: string, source: FieldSource): FieldSource => ({ ...source, onlyIn: operation })

const accounts = 'Billing accounts are not stored.'

/** The superset profile's additional fields, by the resource's type in the schema. */
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
    commission_stats: onExpand(field('commissionStats')),
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
    external_id: field('importedId'),
    leads: field('leads'),
    conversions: field('conversions'),
    archived: field('archived'),
    archived_at: field('archivedAt'),
  },
  Referral: {
    created_at: field('createdAt'),
    updated_at: field('updatedAt'),
    link: object('link', {
      id: field('id'),
      url: field('url'),
      token: field('token'),
      visitors: field('visitors'),
      leads: field('leads'),
      conversions: field('conversions'),
    }),
    coupon: plain('coupon'),
    visits: field('visits'),
    customer: object('knownCustomer', {
      platform: field('platform'),
      id: field('id'),
      name: field('name'),
      email: field('email'),
    }),
    affiliate: onExpand(plain('affiliate')),
    deactivated_at: alwaysNull('Referrals are not deactivated; they expire.'),
    stripe_customer_id: same('billing_customer_id'),
    stripe_account_id: alwaysNull(accounts),
  },
  Commission: {
    state: state('conventionState'),
    created_at: field('createdAt'),
    updated_at: field('updatedAt'),
    voided_at: field('voidedAt'),
    campaign: object('campaign', {
      id: field('id'),
      name: field('name'),
      created_at: field('createdAt'),
      updated_at: field('updatedAt'),
    }),
    sale: object('sale', {
      id: field('id'),
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
      referral: resource('referral'),
      affiliate: plain('affiliate'),
    }),
    affiliate: onExpand(plain('affiliate')),
    deleted: onlyIn('voidCommission', always(true, 'The convention deletes commissions; the contract voids them.')),
  },
  Payout: {
    state: state('conventionState'),
    created_at: field('createdAt'),
    updated_at: field('updatedAt'),
    paid_by_id: field('paidById'),
    affiliate: plain('affiliate'),
    commissions: plain('commissionList'),
  },
} as const satisfies Record<string, Fields>

/** The convention's words for the contract's states. Accepted wherever a state is read. */
export const stateAliases: Readonly<Record<string, string>> = { voided: 'void' }

/** The convention's names of the contract's fields. Accepted in bodies and queries. */
export const fieldAliases: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values<Fields>(convention).flatMap((fields) =>
    Object.entries(fields).flatMap(([name, source]) => (source.kind === 'same' ? [[name, source.contractField]] : [])),
  ),
)

/** The fields that `expand` can add to a resource. */
export const expandableOf = (typeName: string): string[] =>
  Object.entries((convention as Record<string, Fields>)[typeName] ?? {}).flatMap(([name, { onExpand: isOptional }]) =>
    isOptional ? [name] : [],
  )

/** The fields that `expand` can add to any resource. */
export const expandable: readonly string[] = [...new Set(Object.keys(convention).flatMap(expandableOf))]

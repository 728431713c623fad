/**
 * What clients of the convention call things, beside the contract: the one table. Input aliases (rest/names.ts), the
 * answers of the superset profile and their description (rest/superset.ts) and the tests are made from it.
 */

/**
 * How a field of the convention comes about. `onExpand`: only for those who ask for it by `expand`; `onlyIn`: only in the
 * answer to this operation.
 */
export type Spelling = (
  | { is: 'same'; contractField: string }
  | { is: 'field'; schemaField: string }
  | { is: 'fixed'; value: null | boolean | number; type: 'String' | 'Boolean' | 'Int'; why: string }
  | { is: 'object'; schemaField: string; fields: Fields }
  | { is: 'resource'; schemaField: string; plain: boolean }
  | { is: 'worded'; schemaField: string }
) & { onExpand?: true; onlyIn?: string }
export type Fields = Readonly<Record<string, Spelling>>

/** The contract's field, which is accepted by this name on input and as a filter too. */
const same = (contractField: string): Spelling => ({ is: 'same', contractField })
/** A field of the schema, by its name there. */
const field = (schemaField: string): Spelling => ({ is: 'field', schemaField })
/** What is not kept here: always null. */
const none = (why: string): Spelling => ({ is: 'fixed', value: null, type: 'String', why })
const always = (value: boolean | number, why: string): Spelling => ({
  is: 'fixed',
  value,
  type: typeof value === 'boolean' ? 'Boolean' : 'Int',
  why,
})
/** A row that a relation of the schema leads to, with these fields. */
const object = (schemaField: string, fields: Fields): Spelling => ({ is: 'object', schemaField, fields })
/** Another resource, as it is when it is asked for by itself. */
const resource = (schemaField: string): Spelling => ({ is: 'resource', schemaField, plain: false })
/** Another resource, without those that it holds in turn. */
const plain = (schemaField: string): Spelling => ({ is: 'resource', schemaField, plain: true })
/** The contract's field of this name, or what the schema's field says where the key asks for the convention's words. */
const worded = (schemaField: string): Spelling => ({ is: 'worded', schemaField })
const onExpand = (spelling: Spelling): Spelling => ({ ...spelling, onExpand: true })
const onlyIn = (operation: string, spelling: Spelling): Spelling => ({ ...spelling, onlyIn: operation })

const accounts = 'Billing accounts are not kept.'

/** By resource, as the schema calls its type, what the superset profile has beside the contract's fields. */
export const convention = {
  Affiliate: {
    paypal_email: same('wallet_a_email'),
    paypal_email_confirmed_at: field('walletAEmailConfirmedAt'),
    wise_email: same('wallet_b_email'),
    wise_email_confirmed_at: field('walletBEmailConfirmedAt'),
    unconfirmed_email: none('An e-mail counts as soon as it is changed.'),
    receive_new_commission_notifications: field('receiveNewCommissionNotifications'),
    sign_in_count: field('signInCount'),
    stripe_customer_id: same('billing_customer_id'),
    stripe_account_id: none(accounts),
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
    external_id: field('externalId'),
    leads: field('leads'),
    conversions: field('conversions'),
    archived: always(false, 'Coupons are not archived.'),
    archived_at: none('Coupons are not archived.'),
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
    deactivated_at: none('Referrals are not deactivated; they expire.'),
    stripe_customer_id: same('billing_customer_id'),
    stripe_account_id: none(accounts),
  },
  Commission: {
    state: worded('conventionState'),
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
      tax_amount_cents: always(0, 'Sales are reported without tax.'),
      sale_amount_cents: field('netAmountCents'),
      stripe_charge_id: field('externalId'),
      stripe_account_id: none(accounts),
      referral: resource('referral'),
      affiliate: plain('affiliate'),
    }),
    affiliate: onExpand(plain('affiliate')),
    deleted: onlyIn('voidCommission', always(true, 'The convention deletes what the contract voids.')),
  },
  Payout: {
    state: worded('conventionState'),
    created_at: field('createdAt'),
    updated_at: field('updatedAt'),
    paid_by_id: field('paidById'),
    affiliate: plain('affiliate'),
    commissions: plain('commissionList'),
  },
} as const satisfies Record<string, Fields>

/** Other words for the contract's states, accepted wherever a state is read. */
export const otherWords: Readonly<Record<string, string>> = { voided: 'void' }

/** Other names for the contract's fields, accepted in bodies and queries. */
export const otherNames: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values<Fields>(convention).flatMap((fields) =>
    Object.entries(fields).flatMap(([name, spelling]) =>
      spelling.is === 'same' ? [[name, spelling.contractField]] : [],
    ),
  ),
)

/** What `expand` adds to a resource. */
export const expandableOf = (typeName: string): string[] =>
  Object.entries((convention as Record<string, Fields>)[typeName] ?? {}).flatMap(([name, { onExpand: asked }]) =>
    asked ? [name] : [],
  )

/** What `expand` adds to any. */
export const expandable: readonly string[] = [...new Set(Object.keys(convention).flatMap(expandableOf))]

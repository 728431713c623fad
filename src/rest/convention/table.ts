import { affiliateCoupons } from '../../resources/affiliate-coupons.ts'
import { affiliateLinks } from '../../resources/affiliate-links.ts'
import { affiliates } from '../../resources/affiliates.ts'
import { campaigns } from '../../resources/campaigns.ts'
import { commissions } from '../../resources/commissions.ts'
import { payouts } from '../../resources/payouts.ts'
import { referrals } from '../../resources/referrals.ts'
import { sales } from '../../resources/sales.ts'
import { field, marked, object, type Superset } from '../../resources/superset.ts'

/** The superset's additional fields, by type: aliases, responses, documentation and tests follow. */
export const convention = {
  Affiliate: affiliates.superset,
  Campaign: campaigns.superset,
  AffiliateLink: affiliateLinks.superset,
  AffiliateCoupon: affiliateCoupons.superset,
  Referral: referrals.superset,
  Sale: sales.superset,
  Conversion: { differences: field('differences') },
  Commission: commissions.superset,
  Payout: payouts.superset,
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
} as const satisfies Record<string, Superset>

/** The convention's words for the contract's states. Accepted wherever a state is read. */
export const stateAliases: Readonly<Record<string, string>> = { voided: 'void' }

/** States of the convention that nothing here is ever in, by operation. Filters accept them. */
export const unusedStates: Readonly<Record<string, readonly string[]>> = {
  'Query.affiliates': ['inactive', 'pending', 'deactivated'],
  'Query.payouts': ['completed'],
}

/** The convention's names of the contract's fields. Accepted in bodies and queries. */
export const fieldAliases: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values<Superset>(convention).flatMap((fields) =>
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

const fieldsOf = (typeName: string): Superset => (convention as Record<string, Superset>)[typeName] ?? {}

/** The fields that `expand` can add to any resource. */
export const expandable: readonly string[] = [...new Set(Object.keys(convention).flatMap(expandableOf))]

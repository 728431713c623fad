import type { ApiKeyProfile } from '../generated/prisma/enums.ts'
import { groupBy } from '../kernel/group-by.ts'
import { memoize } from '../kernel/memoize.ts'
import { createSsoLinkInput } from '../modules/access/sign-in-links/input.ts'
import { createAffiliateCouponInput, listAffiliateCouponsInput } from '../modules/affiliates/coupons/input.ts'
import { createAffiliateInput, listAffiliatesInput, updateAffiliateInput } from '../modules/affiliates/input.ts'
import {
  createAffiliateLinkInput,
  listAffiliateLinksInput,
  updateAffiliateLinkInput,
} from '../modules/affiliates/links/input.ts'
import { createCampaignInput, listCampaignsInput, updateCampaignInput } from '../modules/campaigns/input.ts'
import { amendCommissionInput, createCommissionInput, listCommissionsInput } from '../modules/commissions/input.ts'
import { listEventsInput } from '../modules/event-log/input.ts'
import * as exportInputs from '../modules/exports/input.ts'
import { listPayoutsInput, updatePayoutInput } from '../modules/payouts/input.ts'
import { readPayoutFileInput } from '../modules/payouts/runs/read-file-input.ts'
import { listReferralsInput } from '../modules/referrals/input.ts'
import { changeSaleInput } from '../modules/sales/changes/input.ts'
import { listSalesInput } from '../modules/sales/input.ts'
import { refundSaleInput, reverseRefundInput } from '../modules/sales/refunds/input.ts'
import { reportConversionInput } from '../modules/sales/report/input.ts'
import { affiliates as affiliate } from '../resources/affiliates.ts'
import { commissions as commission } from '../resources/commissions.ts'
import { renamedIn } from '../resources/resource.ts'
import { payoutRunRoutes } from './payout-run-routes.ts'
import { create, exported, list, listOfAffiliate, type Route, read, update } from './route.ts'
import { statementRoutes } from './statement-routes.ts'

export const basePath = '/v1'

const createLink = (path: string) =>
  create(path, 'Mutation.createAffiliateLink', 'Affiliate links', 'affiliate link', createAffiliateLinkInput)

const referrals = list('/referrals', 'Query.referrals', 'Referrals', listReferralsInput)
const commissions = list('/commissions', 'Query.commissions', 'Commissions', listCommissionsInput)

const payouts: Route = {
  ...list('/payouts', 'Query.payouts', 'Payouts', listPayoutsInput),
  hasConventionState: true,
  contractStates: ['pending', 'paid'],
}

const signIn = {
  path: '/affiliates/{id}/sso',
  operation: 'Mutation.createSsoLink',
  status: 200,
  input: createSsoLinkInput,
  idField: 'affiliateId',
  refusal: 'The affiliate is disabled and cannot sign in. Activate the affiliate first.',
  tag: 'Affiliates',
  summary: 'Create a sign-in link',
} as const

const pay = {
  path: '/payouts/{id}/pay',
  operation: 'Mutation.payPayout',
  status: 200,
  refusal: "The payout of 9.80 USD is below the campaign's minimum of 50.00 USD.",
  tag: 'Payouts',
  summary: 'Mark a payout as paid',
} as const

/**
 * The allow-list of the REST API. If several rows have an operation, the first is the contract's, the others are
 * aliases of the convention. The convention also has the reads of a link, a coupon, a referral and a payout by id, the
 * update of a link's token, the sign-in link, the sales, and an affiliate's referrals, commissions and payouts. Files
 * and exports are our own.
 */
export const routes: readonly Route[] = [
  list('/affiliates', 'Query.affiliates', 'Affiliates', listAffiliatesInput),
  {
    ...create('/affiliates', 'Mutation.createAffiliate', 'Affiliates', 'affiliate', createAffiliateInput),
    renamed: renamedIn(affiliate.fields),
  },
  read('/affiliates/{id}', 'Query.affiliate', 'Affiliates', 'affiliate'),
  {
    ...update('/affiliates/{id}', 'Mutation.updateAffiliate', 'Affiliates', 'affiliate', updateAffiliateInput),
    renamed: renamedIn(affiliate.fields),
  },
  { method: 'GET', ...signIn },
  { method: 'POST', ...signIn },

  list('/campaigns', 'Query.campaigns', 'Campaigns', listCampaignsInput),
  {
    ...create('/campaigns', 'Mutation.createCampaign', 'Campaigns', 'campaign', createCampaignInput),
    needsOneOf: ['commission_percent', 'commission_amount_cents'],
  },
  read('/campaigns/{id}', 'Query.campaign', 'Campaigns', 'campaign'),
  update('/campaigns/{id}', 'Mutation.updateCampaign', 'Campaigns', 'campaign', updateCampaignInput),

  list('/affiliate_links', 'Query.affiliateLinks', 'Affiliate links', listAffiliateLinksInput),
  createLink('/affiliate_links'),
  { ...createLink('/affiliates/{id}/links'), idField: 'affiliateId' },

  read('/affiliate_links/{id}', 'Query.affiliateLink', 'Affiliate links', 'affiliate link'),
  update(
    '/affiliate_links/{id}',
    'Mutation.updateAffiliateLink',
    'Affiliate links',
    'affiliate link',
    updateAffiliateLinkInput,
  ),

  list('/affiliate_coupons', 'Query.affiliateCoupons', 'Affiliate coupons', listAffiliateCouponsInput),
  create(
    '/affiliate_coupons',
    'Mutation.createAffiliateCoupon',
    'Affiliate coupons',
    'affiliate coupon',
    createAffiliateCouponInput,
  ),
  read('/affiliate_coupons/{id}', 'Query.affiliateCoupon', 'Affiliate coupons', 'affiliate coupon'),

  referrals,
  listOfAffiliate(referrals),
  read('/referrals/{id}', 'Query.referral', 'Referrals', 'referral'),

  list('/sales', 'Query.sales', 'Sales', listSalesInput),
  read('/sales/{id}', 'Query.sale', 'Sales', 'sale'),
  {
    ...update('/sales/{id}', 'Mutation.changeSale', 'Sales', 'sale', changeSaleInput),
    refusal: 'The sale was imported, so what it earns is not calculated here. Amend its commission instead.',
    isOwnEndpoint: true,
    isOfSuperset: true,
    summary: 'Change a sale',
  },

  commissions,
  listOfAffiliate(commissions),
  {
    ...create('/commissions', 'Mutation.createCommission', 'Commissions', 'commission', createCommissionInput),
    refusal: 'The affiliate is not active, so it gets no bonus.',
    refusalReasons: ['affiliate_not_active'],
    isOwnEndpoint: true,
    isOfSuperset: true,
    summary: 'Give a bonus or correction',
  },
  read('/commissions/{id}', 'Query.commission', 'Commissions', 'commission'),
  {
    ...update('/commissions/{id}', 'Mutation.amendCommission', 'Commissions', 'commission', amendCommissionInput),
    renamed: renamedIn(commission.fields),
    refusal: "A paid commission can't be changed.",
    summary: 'Amend a commission',
  },
  {
    method: 'DELETE',
    path: '/commissions/{id}',
    operation: 'Mutation.voidCommission',
    status: 200,
    refusal: "A paid commission can't be voided.",
    tag: 'Commissions',
    summary: 'Void a commission',
  },

  payouts,
  listOfAffiliate(payouts),
  {
    method: 'GET',
    path: '/payouts/export',
    operation: 'Mutation.readPayoutFile',
    status: 200,
    input: readPayoutFileInput,
    failure: 'Could not export payouts.',
    refusal: 'A file holds one currency, but the payouts are in eur, usd. Filter by currency.',
    isFile: true,
    isOwnEndpoint: true,
    tag: 'Payouts',
    summary: 'Make a payout run, and get its file',
  },
  read('/payouts/{id}', 'Query.payout', 'Payouts', 'payout'),
  { method: 'POST', ...pay },
  { method: 'PUT', ...pay },
  {
    ...update('/payouts/{id}', 'Mutation.updatePayout', 'Payouts', 'payout', updatePayoutInput),
    refusal: 'The payment of this payout failed, so it is not marked as paid.',
    isOwnEndpoint: true,
    summary: 'Undo a payout',
  },
  ...payoutRunRoutes,
  ...statementRoutes,

  {
    method: 'POST',
    path: '/conversions',
    operation: 'Mutation.reportConversion',
    status: 201,
    otherwise: [{ field: 'duplicate', status: 200, meaning: 'The sale was reported before; nothing changed.' }],
    input: reportConversionInput,
    needsOneOf: ['referral_id', 'email', 'coupon'],
    refusal: 'No active affiliate matches this sale.',
    refusalReasons: ['no_matching_affiliate', 'referral_id_expired', 'email_not_found'],
    dryRun: 'Query.simulateConversion',
    namesUnknownFields: true,
    isOwnEndpoint: true,
    tag: 'Conversions',
    summary: 'Report a sale',
  },
  {
    method: 'POST',
    path: '/conversions/refund',
    operation: 'Mutation.refundSale',
    status: 201,
    otherwise: [
      { field: 'duplicate', status: 200, meaning: 'The refund was reported before; nothing changed.' },
      {
        field: 'waiting',
        status: 202,
        meaning: 'No sale has the external id yet: the refund waits for it.',
        example: {
          sale_id: null,
          commission: null,
          hint: 'No sale inv_1001 is known yet. The refund waits for it, for 90 days.',
        },
      },
    ],
    input: refundSaleInput,
    needsOneOf: ['sale_id', 'external_id'],
    refusal: 'This sale is already refunded in full.',
    namesUnknownFields: true,
    refusalReasons: ['sale_refunded_in_full'],
    isOwnEndpoint: true,
    tag: 'Conversions',
    summary: 'Report a refund',
  },
  {
    method: 'POST',
    path: '/conversions/refund/reverse',
    operation: 'Mutation.reverseRefund',
    status: 200,
    input: reverseRefundInput,
    needsOneOf: ['refund_id', 'external_id'],
    isOwnEndpoint: true,
    tag: 'Conversions',
    summary: 'Reverse a refund',
  },

  { ...list('/events', 'Query.events', 'Events', listEventsInput), isOwnEndpoint: true },
  { ...read('/events/{id}', 'Query.event', 'Events', 'event'), isOwnEndpoint: true },

  exported('affiliates', 'Query.exportAffiliates', exportInputs.exportAffiliatesInput),
  exported('customers', 'Query.exportCustomers', exportInputs.exportCustomersInput),
  exported('visits', 'Query.exportVisits', exportInputs.exportVisitsInput),
  exported('referrals', 'Query.exportReferrals', exportInputs.exportReferralsInput),
  exported('sales', 'Query.exportSales', exportInputs.exportSalesInput),
  exported('refunds', 'Query.exportRefunds', exportInputs.exportRefundsInput),
  exported('commissions', 'Query.exportCommissions', exportInputs.exportCommissionsInput),
  exported('payouts', 'Query.exportPayouts', exportInputs.exportPayoutsInput),
  exported('payments', 'Query.exportPayments', exportInputs.exportPaymentsInput),
  exported('unattributed_sales', 'Query.exportUnattributedSales', exportInputs.exportUnattributedSalesInput),
]

/** The OpenAPI documents. They run no operation of the schema, and need no API key. */
export const descriptionPaths: Readonly<Record<ApiKeyProfile, string>> = {
  contract: '/openapi.json',
  superset: '/openapi.superset.json',
}

const documentPaths: ReadonlySet<string> = new Set(Object.values(descriptionPaths))

/** The route of a request and the id in its path, or the methods that the path allows, or null for an unknown path. */
export type RouteMatch = { route: Route; id: string | undefined } | { allow: string[] } | null

/** The routes that API keys with the profile have. */
export const routesOf = memoize((profile: ApiKeyProfile) =>
  routes.filter(({ isOfSuperset }) => profile === 'superset' || !isOfSuperset),
)

/** @param path below /v1 @param profile of the API key; the superset has all routes */
export function matchRoute(method: string, path: string, profile: ApiKeyProfile = 'superset'): RouteMatch {
  if (documentPaths.has(path)) return { allow: ['GET', 'HEAD'] }
  const servedMethod = method === 'HEAD' ? 'GET' : method
  const possible = (routesByPlace.get(placeOf(path)) ?? []).flatMap((route) => {
    const match = route.isOfSuperset && profile === 'contract' ? null : patternOf(route.path).exec(path)
    return match ? [{ route, id: match.groups?.id }] : []
  })
  // `/payouts/export` is no id of a payout.
  const named = possible.filter(({ id }) => id === undefined)
  const matches = named.length > 0 ? named : possible
  if (matches.length === 0) return null
  const match = matches.find(({ route }) => route.method === servedMethod)
  if (match) return match
  const methods = matches.map(({ route }) => route.method as string)
  return { allow: methods.includes('GET') ? ['GET', 'HEAD', ...methods.filter((name) => name !== 'GET')] : methods }
}

/** Whether a request counts towards the convention's rate limit. Requests to unknown paths count too. */
export const isOfConvention = (match: RouteMatch): boolean => !(match && 'route' in match && match.route.isOwnEndpoint)

/** The first part of a path, and how many parts it has. */
const placeOf = (path: string): string => `${path.split('/', 2)[1]} ${path.split('/').length}`

const routesByPlace = groupBy(routes, ({ path }) => placeOf(path))

const patternOf = memoize((path: string) => new RegExp(`^${path.replace('{id}', '(?<id>[^/]+)')}$`))

import type { z } from 'zod'
import type { ApiKeyProfile } from '../generated/prisma/enums.ts'
import { createSsoLinkInput } from '../modules/access/sign-in-links/input.ts'
import { createAffiliateCouponInput, listAffiliateCouponsInput } from '../modules/affiliates/coupons/input.ts'
import { createAffiliateInput, listAffiliatesInput, updateAffiliateInput } from '../modules/affiliates/input.ts'
import {
  createAffiliateLinkInput,
  listAffiliateLinksInput,
  updateAffiliateLinkInput,
} from '../modules/affiliates/links/input.ts'
import { createCampaignInput, listCampaignsInput, updateCampaignInput } from '../modules/campaigns/input.ts'
import { amendCommissionInput, listCommissionsInput } from '../modules/commissions/input.ts'
import {
  exportAffiliatesInput,
  exportCommissionsInput,
  exportPayoutsInput,
  exportReferralsInput,
  exportSalesInput,
} from '../modules/exports/input.ts'
import { listPayoutsInput, payoutRunInput } from '../modules/payouts/input.ts'
import { listReferralsInput } from '../modules/referrals/input.ts'
import { refundSaleInput } from '../modules/sales/refunds/input.ts'
import { reportConversionInput } from '../modules/sales/report/input.ts'

/** One documented endpoint: which operation of the schema it runs, and what is said where that fails on its input. */
export type Route = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below /v1; `{id}` stands for the resource's id. */
  path: string
  operation: `Query.${string}` | `Mutation.${string}`
  status: number
  /** What the verb behind the operation reads: a GET's query, any other method's body. Without it there is neither. */
  input?: z.ZodObject
  /** Fields of the body of which one has to be there, beside those that each have to be. */
  needsOneOf?: readonly string[]
  /** The `error` of a 422 whose `details` name the problems; where it is absent, the problems themselves are the error. */
  failure?: string
  /** Fields that the schema calls differently. */
  renamed?: Readonly<Record<string, string>>
  /** Fields that keys of the superset mean by a name; other keys do not know them. */
  inSuperset?: Readonly<Record<string, string>>
  /** The argument that `{id}` goes to, where it is not `id`: an affiliate's id. */
  idField?: 'affiliateId'
  /** The other status, of answers in which this field is true. */
  otherwise?: { field: string; status: number; meaning: string }
  /** The `error` of a 422 where the state of things does not allow it. */
  refusal?: string
  /** The answer is a file, not JSON: the answered type has `csv`, `fileName` and `skippedCount`. */
  isFile?: boolean
  /** The answer is a file of all rows, written while it is read; the operation reads some of them at a time. */
  isExport?: boolean
  /** The `details` of that 422, for machines, where it has them. */
  refusalReasons?: readonly string[]
  /** Known to the contract or to us alone, not to clients of the convention. */
  isOurs?: boolean
  /** The operation that runs instead, and writes nothing, where the query says `dry_run=true`. */
  dryRun?: `Query.${string}`
  tag: string
  summary: string
}

const list = (path: string, operation: Route['operation'], tag: string, input: z.ZodObject): Route => ({
  method: 'GET',
  path,
  operation,
  status: 200,
  input,
  failure: `Could not list ${tag.toLowerCase()}.`,
  tag,
  summary: `List ${tag.toLowerCase()}`,
})

const read = (path: string, operation: Route['operation'], tag: string, noun: string): Route => ({
  method: 'GET',
  path,
  operation,
  status: 200,
  tag,
  summary: `Read ${noun}`,
})

const create = (path: string, operation: Route['operation'], tag: string, noun: string, input: z.ZodObject): Route => ({
  method: 'POST',
  path,
  operation,
  status: 201,
  input,
  failure: `Could not create ${noun}.`,
  tag,
  summary: `Create ${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`,
})

const update = (path: string, operation: Route['operation'], tag: string, noun: string, input: z.ZodObject): Route => ({
  method: 'PUT',
  path,
  operation,
  status: 200,
  input,
  failure: `Could not update ${noun}.`,
  tag,
  summary: `Update ${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`,
})

const exported = (noun: string, operation: Route['operation'], input: z.ZodObject): Route => ({
  method: 'GET',
  path: `/exports/${noun}`,
  operation,
  status: 200,
  input,
  failure: `Could not export ${noun}.`,
  isExport: true,
  isOurs: true,
  tag: 'Exports',
  summary: `Export ${noun}`,
})

const createLink = (path: string) =>
  create(path, 'Mutation.createAffiliateLink', 'Affiliate links', 'affiliate link', createAffiliateLinkInput)

const pay = {
  path: '/payouts/{id}/pay',
  operation: 'Mutation.payPayout',
  status: 200,
  refusal: "The payout of 9.80 usd is below the campaign's minimum of 50.00 usd.",
  tag: 'Payouts',
  summary: 'Mark a payout as paid',
} as const

/**
 * The allow-list of the REST API: what is not here is not served. Where an operation stands in several rows, the first
 * is the contract's and the others are what clients of the convention send for the same. Reading a link, a coupon and a
 * payout by id, changing a link's token and the link to the portal are the convention's too; the contract does not
 * forbid them. The files are ours.
 */
export const routes: readonly Route[] = [
  list('/affiliates', 'Query.affiliates', 'Affiliates', listAffiliatesInput),
  create('/affiliates', 'Mutation.createAffiliate', 'Affiliates', 'affiliate', createAffiliateInput),
  read('/affiliates/{id}', 'Query.affiliate', 'Affiliates', 'an affiliate'),
  update('/affiliates/{id}', 'Mutation.updateAffiliate', 'Affiliates', 'affiliate', updateAffiliateInput),
  {
    method: 'GET',
    path: '/affiliates/{id}/sso',
    operation: 'Mutation.createSsoLink',
    status: 200,
    input: createSsoLinkInput,
    idField: 'affiliateId',
    refusal: 'The affiliate is disabled and cannot sign in. Activate the affiliate first.',
    tag: 'Affiliates',
    summary: 'Make a link that signs an affiliate in',
  },

  list('/campaigns', 'Query.campaigns', 'Campaigns', listCampaignsInput),
  {
    ...create('/campaigns', 'Mutation.createCampaign', 'Campaigns', 'campaign', createCampaignInput),
    needsOneOf: ['commission_percent', 'commission_amount_cents'],
  },
  read('/campaigns/{id}', 'Query.campaign', 'Campaigns', 'a campaign'),
  update('/campaigns/{id}', 'Mutation.updateCampaign', 'Campaigns', 'campaign', updateCampaignInput),

  list('/affiliate_links', 'Query.affiliateLinks', 'Affiliate links', listAffiliateLinksInput),
  createLink('/affiliate_links'),
  { ...createLink('/affiliates/{id}/links'), idField: 'affiliateId' },

  read('/affiliate_links/{id}', 'Query.affiliateLink', 'Affiliate links', 'an affiliate link'),
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
  read('/affiliate_coupons/{id}', 'Query.affiliateCoupon', 'Affiliate coupons', 'an affiliate coupon'),

  list('/referrals', 'Query.referrals', 'Referrals', listReferralsInput),

  list('/commissions', 'Query.commissions', 'Commissions', listCommissionsInput),
  read('/commissions/{id}', 'Query.commission', 'Commissions', 'a commission'),
  {
    ...update('/commissions/{id}', 'Mutation.amendCommission', 'Commissions', 'commission', amendCommissionInput),
    renamed: { amount: 'amountCents' },
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

  {
    ...list('/payouts', 'Query.payouts', 'Payouts', listPayoutsInput),
    inSuperset: { state: 'conventionState' },
  },
  {
    method: 'GET',
    path: '/payouts/export',
    operation: 'Query.payoutRun',
    status: 200,
    input: payoutRunInput,
    failure: 'Could not export payouts.',
    refusal: 'A file in this format holds one currency, but the payouts are in eur, usd. Filter by currency.',
    isFile: true,
    isOurs: true,
    tag: 'Payouts',
    summary: 'Export payouts as a file',
  },
  read('/payouts/{id}', 'Query.payout', 'Payouts', 'a payout'),
  { method: 'POST', ...pay },
  { method: 'PUT', ...pay },

  {
    method: 'POST',
    path: '/conversions',
    operation: 'Mutation.reportConversion',
    status: 201,
    otherwise: { field: 'duplicate', status: 200, meaning: 'The sale was reported before; nothing changed.' },
    input: reportConversionInput,
    needsOneOf: ['referral_id', 'email', 'coupon'],
    refusal: 'No active affiliate matches this sale.',
    refusalReasons: ['no_matching_affiliate', 'referral_id_expired', 'email_not_found'],
    dryRun: 'Query.simulateConversion',
    isOurs: true,
    tag: 'Conversions',
    summary: 'Report a sale',
  },
  {
    method: 'POST',
    path: '/conversions/refund',
    operation: 'Mutation.refundSale',
    status: 201,
    otherwise: { field: 'duplicate', status: 200, meaning: 'The refund was reported before; nothing changed.' },
    input: refundSaleInput,
    needsOneOf: ['sale_id', 'external_id'],
    refusal: 'This sale is already refunded in full.',
    refusalReasons: ['sale_refunded_in_full'],
    isOurs: true,
    tag: 'Conversions',
    summary: 'Report a refund',
  },

  exported('affiliates', 'Query.exportAffiliates', exportAffiliatesInput),
  exported('referrals', 'Query.exportReferrals', exportReferralsInput),
  exported('sales', 'Query.exportSales', exportSalesInput),
  exported('commissions', 'Query.exportCommissions', exportCommissionsInput),
  exported('payouts', 'Query.exportPayouts', exportPayoutsInput),
]

/** Where the descriptions of this API are: no operations of the schema, and the only paths that need no key to be read. */
export const descriptionPaths: Readonly<Record<ApiKeyProfile, string>> = {
  contract: '/openapi.json',
  superset: '/openapi.superset.json',
}

/** The route of a path below /v1, or which methods the path has, or nothing where the path is unknown. */
export function matchRoute(
  method: string,
  path: string,
): { route: Route; id: string | undefined } | { allow: string[] } | null {
  if (Object.values(descriptionPaths).includes(path)) return { allow: ['GET', 'HEAD'] }
  const served = method === 'HEAD' ? 'GET' : method
  const matches = routes.flatMap((route) => {
    const match = patternOf(route.path).exec(path)
    return match ? [{ route, id: match.groups?.id }] : []
  })
  if (matches.length === 0) return null
  const found = matches.find(({ route }) => route.method === served)
  if (found) return found
  const methods = matches.map(({ route }) => route.method as string)
  return { allow: methods.includes('GET') ? ['GET', 'HEAD', ...methods.filter((name) => name !== 'GET')] : methods }
}

/** Whether clients of the convention send this; what is unknown here, they may have meant. */
export function isOfConvention(method: string, path: string): boolean {
  const match = matchRoute(method, path)
  return !(match && 'route' in match && match.route.isOurs)
}

const patterns = new Map<string, RegExp>()
function patternOf(path: string): RegExp {
  const known = patterns.get(path)
  if (known) return known
  const pattern = new RegExp(`^${path.replace('{id}', '(?<id>[^/]+)')}$`)
  patterns.set(path, pattern)
  return pattern
}

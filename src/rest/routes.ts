/** One documented endpoint: which operation of the schema it runs, and what is said where that fails on its input. */
export type Route = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below /v1; `{id}` stands for the resource's id. */
  path: string
  operation: `Query.${string}` | `Mutation.${string}`
  status: number
  /** The `error` of a 422 whose `details` name the problems; where it is absent, the problems themselves are the error. */
  failure?: string
  /** Fields that the schema calls differently. */
  renamed?: Readonly<Record<string, string>>
  /** The argument that `{id}` goes to, where it is not `id`: an affiliate's id. */
  idField?: 'affiliateId'
  /** The status of an answer, where it is not always the same. */
  statusOf?: (answer: unknown) => number
  tag: string
  summary: string
}

const list = (path: string, operation: Route['operation'], tag: string): Route => ({
  method: 'GET',
  path,
  operation,
  status: 200,
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

const create = (path: string, operation: Route['operation'], tag: string, noun: string): Route => ({
  method: 'POST',
  path,
  operation,
  status: 201,
  failure: `Could not create ${noun}.`,
  tag,
  summary: `Create ${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`,
})

const update = (path: string, operation: Route['operation'], tag: string, noun: string): Route => ({
  method: 'PUT',
  path,
  operation,
  status: 200,
  failure: `Could not update ${noun}.`,
  tag,
  summary: `Update ${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`,
})

const pay = {
  path: '/payouts/{id}/pay',
  operation: 'Mutation.payPayout',
  status: 200,
  tag: 'Payouts',
  summary: 'Mark a payout as paid',
} as const

/**
 * The allow-list of the REST API: what is not here is not served. Where an operation stands in several rows, the first
 * is the contract's and the others are what clients of the convention send for the same.
 */
export const routes: readonly Route[] = [
  list('/affiliates', 'Query.affiliates', 'Affiliates'),
  create('/affiliates', 'Mutation.createAffiliate', 'Affiliates', 'affiliate'),
  read('/affiliates/{id}', 'Query.affiliate', 'Affiliates', 'an affiliate'),
  update('/affiliates/{id}', 'Mutation.updateAffiliate', 'Affiliates', 'affiliate'),

  list('/campaigns', 'Query.campaigns', 'Campaigns'),
  create('/campaigns', 'Mutation.createCampaign', 'Campaigns', 'campaign'),
  read('/campaigns/{id}', 'Query.campaign', 'Campaigns', 'a campaign'),
  update('/campaigns/{id}', 'Mutation.updateCampaign', 'Campaigns', 'campaign'),

  list('/affiliate_links', 'Query.affiliateLinks', 'Affiliate links'),
  create('/affiliate_links', 'Mutation.createAffiliateLink', 'Affiliate links', 'affiliate link'),
  { ...create('/affiliates/{id}/links', 'Mutation.createAffiliateLink', 'Affiliate links', 'affiliate link'), idField: 'affiliateId' },

  list('/affiliate_coupons', 'Query.affiliateCoupons', 'Affiliate coupons'),
  create('/affiliate_coupons', 'Mutation.createAffiliateCoupon', 'Affiliate coupons', 'affiliate coupon'),

  list('/referrals', 'Query.referrals', 'Referrals'),

  list('/commissions', 'Query.commissions', 'Commissions'),
  read('/commissions/{id}', 'Query.commission', 'Commissions', 'a commission'),
  { ...update('/commissions/{id}', 'Mutation.amendCommission', 'Commissions', 'commission'), renamed: { amount: 'amountCents' }, summary: 'Amend a commission' },
  { method: 'DELETE', path: '/commissions/{id}', operation: 'Mutation.voidCommission', status: 200, tag: 'Commissions', summary: 'Void a commission' },

  list('/payouts', 'Query.payouts', 'Payouts'),
  { method: 'POST', ...pay },
  { method: 'PUT', ...pay },

  {
    method: 'POST',
    path: '/conversions',
    operation: 'Mutation.reportConversion',
    status: 201,
    statusOf: (answer) => ((answer as { duplicate: boolean }).duplicate ? 200 : 201),
    tag: 'Conversions',
    summary: 'Report a sale',
  },
]

/** The route of a path below /v1, or which methods the path has, or nothing where the path is unknown. */
export function matchRoute(method: string, path: string): { route: Route; id: string | undefined } | { allow: string[] } | null {
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

const patterns = new Map<string, RegExp>()
function patternOf(path: string): RegExp {
  const known = patterns.get(path)
  if (known) return known
  const pattern = new RegExp(`^${path.replace('{id}', '(?<id>[^/]+)')}$`)
  patterns.set(path, pattern)
  return pattern
}

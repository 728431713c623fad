import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** The lists of a server, each newest first. */
export type OldLists = Record<string, any[]>

export type OldServer = {
  address: string
  key: string
  lists: OldLists
  /** The requests and their status codes. */
  requests: { path: string; status: number }[]
  /** Replaces the responses to the next requests, one each. */
  next: ((response: ServerResponse) => void)[]
}

type Behavior = {
  /** The number of requests until the rate limit rejects all requests for `windowMs`. */
  limit?: number
  windowMs?: number
  /** The maximum number of rows on a page. */
  pageSize?: number
  /** Every n-th request fails, in saleIndex in different ways. */
  failsEvery?: number
}

const failures: ((response: ServerResponse) => void)[] = [
  (response) => response.writeHead(503).end('busy'),
  (response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"pagination": {"total'),
  (response) => response.destroy(),
  (response) => response.writeHead(500, { 'Content-Type': 'text/html' }).end('<h1>Oops</h1>'),
]

/** Starts a server with the API of the convention, with pages, a rate limit and failures. */
export async function startOldServer(
  lists: OldLists,
  {
    limit = Number.POSITIVE_INFINITY,
    windowMs = 400,
    pageSize = 100,
    failsEvery = Number.POSITIVE_INFINITY,
  }: Behavior = {},
): Promise<OldServer> {
  const requests: OldServer['requests'] = []
  const next: OldServer['next'] = []
  const key = 'old_secret_key'
  let used = 0
  let limitedUntil = 0
  let count = 0
  const server = createServer((request, response) => {
    const record = () => requests.push({ path: request.url ?? '', status: response.statusCode })
    response.on('close', record)
    const respond = (status: number, body: unknown, headers: Record<string, string> = {}) =>
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body))
    if (request.headers.authorization !== `Basic ${btoa(`${key}:`)}`) return respond(401, { error: 'Invalid API key.' })
    const replacement = next.shift()
    if (replacement) return replacement(response)
    const now = Date.now()
    if (now >= limitedUntil) used += 1
    if (used > limit) {
      used = 0
      limitedUntil = now + windowMs
    }
    if (now < limitedUntil) {
      const headers = { 'RateLimit-Reset': String((limitedUntil - now) / 1000) }
      return respond(429, { error: 'Too many requests.' }, { 'RateLimit-Limit': String(limit), ...headers })
    }
    count += 1
    if (count % failsEvery === 0) return failures[(count / failsEvery - 1) % failures.length]?.(response)
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://old.test')
    const rows = lists[pathname.replace(/^\/v1\//, '')]
    if (!rows) return respond(404, { error: 'Not found.' })
    const [page, size] = [
      Number(searchParams.get('page') ?? 1),
      Math.min(Number(searchParams.get('limit') ?? 25), pageSize),
    ]
    const data = rows.slice((page - 1) * size, page * size)
    return respond(200, { pagination: { current_page: page, total_count: rows.length }, data })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  })
  const { port } = server.address() as AddressInfo
  return { address: `http://127.0.0.1:${port}`, key, lists, requests, next }
}

const day = 86_400_000
const start = Date.UTC(2026, 0, 1)

/**
 * A program with the field names of the convention: affiliates with links and coupons, referrals in each state,
 * commissions in each state with their sales, and payouts.
 */
export function oldProgram(affiliates: number): OldLists {
  const iso = (days: number) => new Date(start + Math.round(days * day)).toISOString()
  const id = (noun: string, index: number) => `${noun}-${String(index).padStart(5, '0')}`
  const campaigns = [
    { name: 'Partners', default: true, commission_percent: 20, commission_amount_cents: null, reward_type: 'percent' },
    { name: 'Fixed', default: false, commission_percent: null, commission_amount_cents: 1500, reward_type: 'amount' },
  ].map((fields, index) => ({
    id: id('campaign', index),
    object: 'campaign',
    url: 'https://old.test/join',
    private: false,
    commission_amount_currency: 'USD',
    minimum_payout_cents: 1000,
    days_before_referrals_expire: 60,
    days_until_commissions_are_due: 30,
    max_commissions: null,
    max_commission_period_months: null,
    created_at: iso(index),
    updated_at: iso(index),
    ...fields,
  }))
  const lists: OldLists = {
    campaigns,
    affiliates: [],
    affiliate_links: [],
    affiliate_coupons: [],
    referrals: [],
    commissions: [],
    payouts: [],
  }
  for (let index = 0; index < affiliates; index += 1) addAffiliate(lists, index, iso, id)
  for (const [noun, rows] of Object.entries(lists)) lists[noun] = rows.reverse()
  return lists
}

function addAffiliate(
  lists: OldLists,
  index: number,
  iso: (days: number) => string,
  id: (noun: string, index: number) => string,
): void {
  const campaign = lists.campaigns?.[index % 2]
  const joined = 2 + index / 10
  const affiliate = {
    id: id('affiliate', index),
    object: 'affiliate',
    email: `Affiliate${index}@Old.test`,
    first_name: `A${index}`,
    last_name: index % 3 ? 'Old' : null,
    paypal_email: index % 2 ? `wallet${index}@old.test` : null,
    wise_email: null,
    state: index % 7 === 6 ? 'disabled' : 'active',
    stripe_customer_id: index % 5 ? null : `cus_a${index}`,
    confirmed_at: iso(joined),
    created_at: iso(joined),
    updated_at: iso(joined),
    campaign: { id: campaign.id, name: campaign.name },
    links: [] as object[],
  }
  lists.affiliates?.push(affiliate)
  const link = { id: id('link', index), object: 'affiliate_link', token: `Partner-${index}`, created_at: iso(joined) }
  affiliate.links.push(link)
  lists.affiliate_links?.push({ ...link, affiliate_id: affiliate.id })
  const coupon = { id: id('coupon', index), object: 'affiliate_coupon', token: `SAVE${index}` }
  if (index % 2) lists.affiliate_coupons?.push({ ...coupon, affiliate_id: affiliate.id, created_at: iso(joined) })
  for (const [position, state] of (['visitor', 'lead', 'conversion', 'conversion'] as const).entries()) {
    const number = index * 4 + position
    const createdDay = joined + 1 + position
    const isKnown = state !== 'visitor'
    const referral = {
      id: id('referral', number),
      object: 'referral',
      conversion_state: state,
      link: index % 2 && position === 3 ? null : link,
      coupon: index % 2 && position === 3 ? coupon : null,
      customer: isKnown
        ? { platform: null, id: null, name: `Customer ${number}`, email: `c${number}@shop.test` }
        : null,
      affiliate: { id: affiliate.id },
      campaign_id: campaign.id,
      stripe_customer_id: isKnown ? `cus_${number}` : null,
      became_lead_at: isKnown ? iso(createdDay + 0.2) : null,
      became_conversion_at: state === 'conversion' ? iso(createdDay + 1) : null,
      expires_at: iso(createdDay + 60),
      created_at: iso(createdDay),
      updated_at: iso(createdDay + 1),
    }
    lists.referrals?.push(referral)
    if (state === 'conversion') addCommissions(lists, { affiliate, campaign, referral, number, createdDay }, iso, id)
  }
}

type Conversion = { affiliate: any; campaign: any; referral: any; number: number; createdDay: number }

/** Adds two sales to a conversion. The first commission is paid, void or due, the second is pending. */
function addCommissions(
  lists: OldLists,
  { affiliate, campaign, referral, number, createdDay }: Conversion,
  iso: (days: number) => string,
  id: (noun: string, index: number) => string,
): void {
  for (const saleIndex of [0, 1]) {
    const key = number * 2 + saleIndex
    const soldAt = createdDay + 1 + saleIndex * 50
    const states = ['paid', 'voided', 'due', 'paid']
    const state = saleIndex === 1 ? 'pending' : (states[number % 4 === 2 ? 0 : (number >> 2) % 4] as string)
    const refund = state === 'voided' ? 10_000 : 0
    const amount = campaign.commission_percent === null ? 1_500 : 2_000
    const paidAt = state === 'paid' ? iso(createdDay + 40) : null
    const commission = {
      id: id('commission', key),
      object: 'commission',
      amount,
      currency: 'USD',
      state,
      due_at: iso(soldAt + 30),
      paid_at: paidAt,
      voided_at: state === 'voided' ? iso(soldAt + 5) : null,
      created_at: iso(soldAt),
      updated_at: iso(soldAt + 5),
      campaign: { id: campaign.id, name: campaign.name },
      sale: {
        id: id('sale', key),
        currency: 'USD',
        charged_at: iso(soldAt),
        invoiced_at: iso(soldAt),
        created_at: iso(soldAt),
        updated_at: iso(soldAt + 5),
        charge_amount_cents: 11_000,
        tax_amount_cents: 1_000,
        refund_amount_cents: refund,
        sale_amount_cents: 10_000,
        stripe_charge_id: `ch_${key}`,
        referral: { id: referral.id },
        affiliate: { id: affiliate.id },
      },
    }
    lists.commissions?.push(commission)
    if (!paidAt) continue
    lists.payouts?.push({
      id: id('payout', key),
      object: 'payout',
      state: 'paid',
      amount,
      currency: 'USD',
      paid_at: paidAt,
      created_at: iso(soldAt + 31),
      updated_at: paidAt,
      affiliate: { id: affiliate.id },
      commissions: [{ id: commission.id }],
    })
  }
}

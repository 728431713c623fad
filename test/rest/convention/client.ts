import { failure, pagination, type Read, sso } from './client-resources.ts'

/**
 * A typical client of the convention. It has one function per call, sends forms and a content type on every request, uses
 * `expand[]` and some trailing slashes, and reads pages until one is empty. On 429 it waits and retries.
 */
type Options<R extends Resources> = {
  fetch: (request: Request) => Promise<Response>
  baseUrl: string
  secret: string
  resources: R
  sleep: (seconds: number) => Promise<void>
}
type Resources = Record<
  'campaign' | 'affiliate' | 'link' | 'coupon' | 'referral' | 'commission' | 'payout',
  Read<unknown>
>
type Value = string | number | boolean | undefined | readonly string[]
type Fields = Record<string, Value>

export class RequestFailed extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
  }
}

/** Encodes lists as `a[]=1&a[]=2`. Leaves out undefined fields. */
function encode(fields: Fields): string {
  const pairs = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    if (Array.isArray(value)) for (const item of value) pairs.append(`${name}[]`, item)
    else if (value !== undefined) pairs.append(name, String(value))
  }
  return String(pairs)
}

export function createClient<R extends Resources>({ fetch, baseUrl, secret, resources, sleep }: Options<R>) {
  const headers = {
    Authorization: `Basic ${Buffer.from(`${secret}:`).toString('base64')}`,
    'Content-Type': 'application/x-www-form-urlencoded',
    Accept: 'application/json',
  }
  const waits: number[] = []

  async function request<T>(method: string, path: string, read: Read<T>, fields: Fields = {}): Promise<T> {
    const isRead = method === 'GET' || method === 'DELETE'
    const query = isRead ? encode(fields) : ''
    const init: RequestInit = { method, headers, ...(!isRead && { body: encode(fields) }) }
    for (;;) {
      const response = await fetch(new Request(`${baseUrl}${path}${query && `?${query}`}`, init))
      if (response.status === 429) {
        const seconds = Number(response.headers.get('RateLimit-Reset'))
        if (!(seconds > 0)) throw new RequestFailed(429, 'A 429 has no RateLimit-Reset.')
        waits.push(seconds)
        await sleep(seconds)
        continue
      }
      const body: unknown = await response.json()
      if (!response.ok) throw new RequestFailed(response.status, failure(body, path).error)
      return read(body, path)
    }
  }

  type Is<Name extends keyof R> = R[Name] extends Read<infer T> ? T : never
  const reader = <Name extends keyof Resources>(name: Name) => resources[name] as Read<Is<Name>>

  async function all<Name extends keyof Resources>(path: string, name: Name, fields: Fields): Promise<Is<Name>[]> {
    const rows: Is<Name>[] = []
    for (let page = 1; ; page += 1) {
      const read: Read<Is<Name>[]> = (body, at) => {
        pagination((body as { pagination?: unknown }).pagination, `${at}.pagination`)
        const { data } = body as { data: unknown[] }
        return data.map((row, index) => reader(name)(row, `${at}[${index}]`))
      }
      const found = await request('GET', path, read, { ...fields, page, limit: 100 })
      if (found.length === 0) return rows
      rows.push(...found)
    }
  }

  const expandAffiliate = { expand: ['campaign', 'links', 'commission_stats'] }
  return {
    /** The seconds of each wait for the rate limit. */
    waits,
    campaigns: {
      list: () => all('/campaigns', 'campaign', {}),
      read: (id: string) => request('GET', `/campaigns/${id}`, reader('campaign')),
      create: (fields: Fields) => request('POST', '/campaigns', reader('campaign'), fields),
      update: (id: string, fields: Fields) => request('PUT', `/campaigns/${id}`, reader('campaign'), fields),
    },
    affiliates: {
      list: (filter: Fields = {}) => all('/affiliates/', 'affiliate', { ...filter, ...expandAffiliate }),
      read: (id: string) => request('GET', `/affiliates/${id}`, reader('affiliate'), expandAffiliate),
      create: (fields: Fields) =>
        request('POST', '/affiliates/', reader('affiliate'), { ...fields, ...expandAffiliate }),
      update: (id: string, fields: Fields) =>
        request('PUT', `/affiliates/${id}`, reader('affiliate'), { ...fields, ...expandAffiliate }),
      addLink: (id: string, token: string) => request('POST', `/affiliates/${id}/links`, reader('link'), { token }),
      signIn: (id: string) => request('GET', `/affiliates/${id}/sso`, sso),
    },
    links: {
      list: () => all('/affiliate_links/', 'link', {}),
      read: (id: string) => request('GET', `/affiliate_links/${id}/`, reader('link')),
      create: (fields: Fields) => request('POST', '/affiliate_links', reader('link'), fields),
      rename: (id: string, token: string) => request('PUT', `/affiliate_links/${id}`, reader('link'), { token }),
    },
    coupons: {
      list: () => all('/affiliate_coupons', 'coupon', {}),
      read: (id: string) => request('GET', `/affiliate_coupons/${id}`, reader('coupon')),
      create: (fields: Fields) => request('POST', '/affiliate_coupons/', reader('coupon'), fields),
    },
    referrals: {
      list: (filter: Fields = {}) => all('/referrals', 'referral', { ...filter, expand: 'affiliate' }),
    },
    commissions: {
      list: (filter: Fields = {}) => all('/commissions', 'commission', { ...filter, expand: ['sale', 'campaign'] }),
      read: (id: string) => request('GET', `/commissions/${id}`, reader('commission'), { expand: 'sale' }),
      amend: (id: string, amount: number) => request('PUT', `/commissions/${id}`, reader('commission'), { amount }),
      remove: <T>(id: string, read: Read<T>) => request('DELETE', `/commissions/${id}`, read),
    },
    payouts: {
      list: (filter: Fields = {}) => all('/payouts/', 'payout', { ...filter, expand: ['affiliate', 'commissions'] }),
      read: (id: string) => request('GET', `/payouts/${id}`, reader('payout')),
      pay: (id: string) => request('PUT', `/payouts/${id}/pay`, reader('payout')),
    },
    reportSale: (fields: Fields) =>
      request(
        'POST',
        '/conversions',
        (body, path) => {
          const { commission, duplicate } = body as { commission: unknown; duplicate: boolean }
          return { duplicate, commission: reader('commission')(commission, `${path}.commission`) }
        },
        fields,
      ),
  }
}

import type { Answer, TestApp, TestProgram } from './app.ts'

export const browserName =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

type Fetching = Pick<TestApp['app'], 'fetch'>

/** Sends what the tracking script sends: JSON as text. `from` is the IP address of the visitor. */
export function createPage(app: Fetching, program: Pick<TestProgram, 'publishableKey'>, from = '203.0.113.7') {
  const post = async (path: string, body: object, headers: Record<string, string> = {}): Promise<Answer> => {
    const request = new Request(`http://localhost:4000${path}`, {
      method: 'POST',
      headers: { 'User-Agent': browserName, 'X-Forwarded-For': from, 'Content-Type': 'text/plain', ...headers },
      body: JSON.stringify({ key: program.publishableKey, ...body }),
    })
    const response = await app.fetch(request)
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : undefined }
  }
  return {
    visit: (token: string, more: object = {}, headers = {}) => post('/track/visits', { token, ...more }, headers),
    /** A visit with what an agent said. */
    brought: (said: unknown, more: object = {}) => post('/track/visits', { affiliate_attribution: said, ...more }),
    takeOver: (referralId: string) => post('/track/visits', { referral_id: referralId }),
    lead: (referralId: string, person: object = {}, headers = {}) =>
      post('/track/leads', { referral_id: referralId, email: 'grace@example.com', ...person }, headers),
  }
}

/** Requests a link as a browser does, without following the redirect. */
export async function click(app: Fetching, path: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await app.fetch(
    new Request(`http://localhost:4000${path}`, {
      method,
      redirect: 'manual',
      headers: { 'User-Agent': browserName, 'X-Forwarded-For': '203.0.113.7', ...headers },
    }),
  )
  return {
    status: response.status,
    headers: response.headers,
    location: response.headers.get('location') ?? '',
    response,
  }
}

/** Settings for one proxy, with rate limits that tests do not reach. */
export const roomy = { trustedProxies: 1, visitsPerMinute: 1_000_000, leadsPerMinute: 1_000_000 }

import { createSetUpToken } from '../../src/modules/people/set-up.ts'
import { graphqlClient, type TestApp } from './app.ts'

export const password = 'four random words here'

type Call = { body?: unknown; headers?: Record<string, string>; method?: string }

/** A browser's view of the dashboard's endpoints: it keeps the cookies, and names the page's origin. */
export function createBrowser({ app, origin }: TestApp) {
  const cookies = new Map<string, string>()
  const cookieHeader = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const call = async (path: string, { body, headers = {}, method }: Call = {}) => {
    const request = new Request(`${origin}/dashboard${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json', Origin: origin }),
        ...(cookies.size > 0 && { Cookie: cookieHeader() }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const response = await app.fetch(request)
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (value === '' || /max-age=0/i.test(cookie)) cookies.delete(name)
      else cookies.set(name, value)
    }
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : undefined }
  }
  return {
    get: (path: string, headers?: Record<string, string>) => call(path, headers ? { headers } : {}),
    post: (path: string, body: unknown = {}, headers?: Record<string, string>) =>
      call(path, { body, ...(headers && { headers }) }),
    call,
    cookies,
    cookieHeader,
    /** GraphQL as a page of the dashboard sends it. @param program the id or slug for X-Program-Id */
    graphql: (program?: string, headers: Record<string, string> = {}) =>
      graphqlClient(app.fetch, {
        Cookie: cookieHeader(),
        Origin: origin,
        ...(program && { 'X-Program-Id': program }),
        ...headers,
      }),
  }
}

export type TestBrowser = ReturnType<typeof createBrowser>

/** Makes an operator by a set-up link, and returns the browser in which they are signed in. */
export async function setUpOperator(test: TestApp, email = 'olga@example.com'): Promise<TestBrowser> {
  const browser = createBrowser(test)
  const token = await createSetUpToken(test.database.db, test.clock.now)
  const answer = await browser.post('/setup', { token, name: 'Olga Operator', email, password })
  if (answer.status !== 201) throw new Error(`The set-up failed: ${JSON.stringify(answer.body)}`)
  return browser
}

/** Invites a person to a program, and returns the browser in which they have accepted and are signed in. */
export async function addMember(
  test: TestApp,
  inviter: TestBrowser,
  program: string,
  { email, role, name = 'Mia Member' }: { email: string; role: string; name?: string },
): Promise<TestBrowser> {
  const { inviteMember } = await inviter.graphql(program)(
    `mutation ($input: InviteMemberInput!) { inviteMember(input: $input) { url } }`,
    { input: { email, role } },
  )
  const browser = createBrowser(test)
  const token = inviteMember.url.split('#token=')[1]
  const answer = await browser.post('/invitation', { token, name, password })
  if (answer.status !== 201) throw new Error(`The invitation failed: ${JSON.stringify(answer.body)}`)
  return browser
}

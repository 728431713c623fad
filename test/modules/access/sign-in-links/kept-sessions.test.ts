import { beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, graphqlClient, type TestProgram } from '../../../support/app.ts'
import { createAffiliate } from '../../../support/factories.ts'
import { addMember, setUpOperator } from '../../../support/people.ts'

const test = await createTestApp()
const secure = await createTestApp({ origin: 'https://affiliates.example.com' })
const single = await createTestApp()
const origin = 'http://localhost:4000'
let acme: TestProgram
let other: TestProgram
let ada: { id: string; email: string }

beforeAll(async () => {
  acme = await test.createProgram()
  other = await test.createProgram()
  ada = await createAffiliate(acme)
})

type Asked = { cookie?: string; headers?: Record<string, string> }

async function post(path: string, body: object, { cookie, headers }: Asked = {}) {
  const response = await test.app.fetch(
    new Request(`${origin}/portal/${path}`, {
      method: 'POST',
      headers: {
        Origin: origin,
        'Content-Type': 'application/json',
        ...(cookie !== undefined && { Cookie: cookie }),
        ...headers,
      },
      body: JSON.stringify(body),
    }),
  )
  return {
    status: response.status,
    cookies: response.headers.getSetCookie(),
    body: (await response.json()) as { token?: string | null; why?: string; in_cookie?: boolean },
  }
}

const open = async (program = acme, id = ada.id) =>
  post('session', {
    ticket: new URL((await program.get(`/affiliates/${id}/sso`)).body.sso.url).hash.slice('#ticket='.length),
  })

/** What a browser sends of a cookie that was set. */
const sent = ([cookie = '']: string[]) => cookie.split(';')[0] as string
const resume = (cookie: string, { slug } = acme, headers?: Record<string, string>) =>
  post('session/resume', { program: slug }, { cookie, ...(headers && { headers }) })
const emailOf = async (token: string | null | undefined) =>
  (await graphqlClient(test.app.fetch, { Authorization: `Bearer ${token}` })('{ me { email } }')).me.email

describe('the session that a browser keeps', () => {
  it('is in a cookie of the program for a day, which scripts cannot read and other sites do not send', async () => {
    const { cookies, body } = await open()
    expect(cookies).toEqual([
      expect.stringMatching(
        new RegExp(
          `^tributary\\.portal\\.${acme.id}=trib_ps_[\\w.-]+; Path=/; Max-Age=86400; HttpOnly; SameSite=Strict$`,
        ),
      ),
    ])
    expect(body.in_cookie).toBe(true)
    const resumed = await resume(`theme=dark; ${sent(cookies)}; x=1`)
    expect([resumed.status, resumed.cookies]).toEqual([200, []])
    expect(await emailOf(resumed.body.token)).toBe(ada.email)
  })

  it('has the prefix __Host- with https, and is not read without it', async () => {
    const program = await secure.createProgram()
    const { id } = await createAffiliate(program)
    const ask = async (path: string, body: object, cookie = '') =>
      secure.app.fetch(
        new Request(`https://affiliates.example.com/portal/${path}`, {
          method: 'POST',
          headers: { Origin: 'https://affiliates.example.com', 'Content-Type': 'application/json', Cookie: cookie },
          body: JSON.stringify(body),
        }),
      )
    const { sso } = (await program.get(`/affiliates/${id}/sso`)).body
    const opened = await ask('session', { ticket: sso.url.split('#ticket=')[1] })
    const cookies = opened.headers.getSetCookie()
    expect(cookies).toEqual([
      expect.stringMatching(
        /^__Host-tributary\.portal\.\S+; Path=\/; Max-Age=86400; HttpOnly; SameSite=Strict; Secure$/,
      ),
    ])
    const tokenFor = async (cookie: string) =>
      ((await (await ask('session/resume', { program: program.slug }, cookie)).json()) as { token: string | null })
        .token
    expect(await tokenFor(sent(cookies))).toMatch(/^trib_at_/)
    expect(await tokenFor(sent(cookies).replace('__Host-', ''))).toBeNull()
  })

  it('of one program is nothing in another, also under the name of its cookie', async () => {
    const { cookies } = await open()
    const cookie = sent(cookies)
    expect((await resume(cookie, other)).body).toEqual({ token: null, why: 'none' })
    expect((await resume(cookie.replace(acme.id, other.id), other)).body).toEqual({ token: null, why: 'ended' })
    await post('session/end', { program: other.slug }, { cookie: cookie.replace(acme.id, other.id) })
    expect((await resume(cookie)).body.token).toMatch(/^trib_at_/)
  })

  it('reads no data: GraphQL and REST do not take the cookie, nor its secret as a token', async () => {
    const cookie = sent((await open()).cookies)
    const secret = cookie.split('=')[1] as string
    for (const credentials of [
      ['Cookie', cookie],
      ['Authorization', `Bearer ${secret}`],
    ] as const) {
      const headers = new Headers([
        ['Origin', origin],
        ['Content-Type', 'application/json'],
        credentials as [string, string],
      ])
      const body = JSON.stringify({ query: '{ me { email } }' })
      const asked = await test.app.fetch(new Request(`${origin}/graphql`, { method: 'POST', headers, body }))
      expect(asked.status).toBe(401)
      expect((await test.app.fetch(new Request(`${origin}/v1/affiliates`, { headers }))).status).toBe(401)
    }
    const token = (await open()).body.token as string
    expect((await resume(`${cookie.split('=')[0]}=${token}`)).body.token).toBeNull()
  })

  it('is resumed and ended by pages of this origin alone, with JSON', async () => {
    const cookie = sent((await open()).cookies)
    for (const path of ['session/resume', 'session/end']) {
      for (const foreign of ['https://evil.test', 'null', 'http://localhost:4001', 'https://localhost:4000'])
        expect((await post(path, { program: acme.slug }, { cookie, headers: { Origin: foreign } })).status).toBe(403)
      const form = { 'Content-Type': 'text/plain' }
      expect((await post(path, { program: acme.slug }, { cookie, headers: form })).status).toBe(415)
    }
    expect((await resume(cookie)).body.token).toMatch(/^trib_at_/)
  })

  it('ends with the sign-out, on the server too, and the cookie is deleted', async () => {
    const { cookies, body } = await open()
    const ended = await post('session/end', { program: acme.slug }, { cookie: sent(cookies) })
    expect(ended.cookies).toEqual([`tributary.portal.${acme.id}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict`])
    expect((await resume(sent(cookies))).body).toEqual({ token: null, why: 'ended' })
    await expect(emailOf(body.token)).rejects.toThrow('This session has ended.')
    expect((await post('session/end', { program: acme.slug })).status).toBe(200)
  })

  it('ends a day after the sign-in, however often it was resumed', async () => {
    const cookie = sent((await open()).cookies)
    test.clock.advanceMinutes(24 * 60 - 1)
    const { token } = (await resume(cookie)).body
    expect(await emailOf(token)).toBe(ada.email)
    test.clock.advanceMinutes(1)
    expect((await resume(cookie)).body).toEqual({ token: null, why: 'ended' })
    await expect(emailOf(token)).rejects.toThrow('expired')
  })

  it('ends when the affiliate is disabled, or all tokens of the program are revoked', async () => {
    const { id } = await createAffiliate(acme)
    const cookie = sent((await open(acme, id)).cookies)
    await acme.put(`/affiliates/${id}`, { state: 'disabled' })
    expect((await resume(cookie)).body).toEqual({ token: null, why: 'disabled' })
    await acme.put(`/affiliates/${id}`, { state: 'active' })
    expect((await resume(cookie)).body.token).toMatch(/^trib_at_/)
    await acme.graphql('mutation { revokeAffiliateTokens(input: {}) { program { id } } }')
    expect((await resume(cookie)).body.token).toBeNull()
  })

  it('is not made by the view of a person of the program, which lasts an hour in one tab', async () => {
    const olga = await setUpOperator(test)
    const mia = await addMember(test, olga, acme.id, { email: 'mia@example.com', role: 'MANAGER' })
    const { createSsoLink } = await mia.graphql(acme.id)(
      'mutation ($id: ID!) { createSsoLink(input: { affiliateId: $id }) { url } }',
      { id: ada.id },
    )
    const { cookies, body } = await post('session', { ticket: createSsoLink.url.split('#ticket=')[1] })
    expect([cookies, body.in_cookie]).toEqual([[], false])
    test.clock.advanceMinutes(60)
    await expect(emailOf(body.token)).rejects.toThrow('expired')
  })
})

it('/portal is the sign-in of the only program, and names none of several', async () => {
  const ask = async () => single.app.fetch(new Request(`${origin}/portal?lang=de`))
  expect((await ask()).status).toBe(200)
  const { slug } = await single.createProgram()
  const moved = await ask()
  expect([moved.status, moved.headers.get('location')]).toEqual([302, `portal?lang=de&program=${slug}`])
  await single.createProgram({ isSandbox: true })
  expect((await ask()).status).toBe(302)
  await single.createProgram()
  expect((await ask()).status).toBe(200)
})

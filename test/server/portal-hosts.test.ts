import { describe, expect, it } from 'vitest'
import { adminToken, createTestApp } from '../support/app.ts'
import { createSeller } from '../support/factories.ts'

const host = 'partners.acme.test'
const test = await createTestApp({
  origin: 'https://affiliates.example.com',
  portalHosts: new Map([[host, 'on-its-own-host']]),
})
const acme = await test.createProgram({ slug: 'on-its-own-host' })
const other = await test.createProgram()
const ada = await createSeller(acme)

const ask = (path: string, init: RequestInit & { headers?: Record<string, string> } = {}) =>
  test.app.fetch(new Request(`https://${host}${path}`, { ...init, headers: { Host: host, ...init.headers } }))
const json = { 'Content-Type': 'application/json' }

describe("on a program's own host", () => {
  it('the first page is the portal, and /join its page of applications', async () => {
    for (const [path, location] of [
      ['/', `portal?program=${acme.slug}`],
      ['/join', `/join/${acme.slug}`],
    ] as const) {
      const answer = await ask(path)
      expect([answer.status, answer.headers.get('location')]).toEqual([302, location])
    }
    for (const path of ['/portal', `/join/${acme.slug}`, '/join/style.css', '/join/confirm', '/track.js', '/healthz'])
      expect((await ask(path)).status, path).toBe(200)
  })

  it.each(['/dashboard', '/docs', '/v1/affiliates', '/graphql', '/metrics', '/demo/shop', `/join/${other.slug}`])(
    '%s is not there, also with a key',
    async (path) => {
      expect((await ask(path, { headers: { Authorization: `Bearer ${acme.secret}` } })).status).toBe(404)
    },
  )

  it('the portal signs in and queries', async () => {
    const { createSsoLink } = await acme.graphql(
      'mutation ($id: ID!) { createSsoLink(input: { affiliateId: $id }) { url } }',
      { id: ada.affiliate.id },
    )
    expect(createSsoLink.url).toMatch(new RegExp(`^https://${host}/portal\\?program=${acme.slug}&from=site#ticket=`))
    const ticket = createSsoLink.url.split('#ticket=')[1]
    const session = await ask('/portal/session', { method: 'POST', headers: json, body: JSON.stringify({ ticket }) })
    const { token } = (await session.json()) as { token: string }
    const body = JSON.stringify({ query: '{ me { email invitationUrl } }' })
    const answer = await ask('/graphql', {
      method: 'POST',
      headers: { ...json, Authorization: `Bearer ${token}` },
      body,
    })
    const { data } = (await answer.json()) as { data: { me: { email: string; invitationUrl: string } } }
    expect(data.me.email).toBe(ada.affiliate.email)
    expect(data.me.invitationUrl).toMatch(new RegExp(`^https://${host}/join/${acme.slug}\\?`))
  })

  it('links in mails lead to it, and those of other programs do not', async () => {
    for (const [program, base] of [
      [acme, `https://${host}`],
      [other, 'https://affiliates.example.com'],
    ] as const) {
      const form = { email: 'applicant@example.com' }
      const init = { method: 'POST', headers: json, body: JSON.stringify(form) }
      await test.app.fetch(new Request(`https://affiliates.example.com/join/${program.slug}`, init))
      const { mails } = await program.graphql('{ mails { nodes { kind text } } }')
      expect(mails.nodes[0].text).toContain(`${base}/join/confirm#token=`)
    }
  })
})

describe('other spellings of the host, and other programs', () => {
  const joe = () => createSeller(other)
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    ask(path, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) })

  it.each([
    'PARTNERS.acme.test',
    'partners.acme.test.',
    'Partners.Acme.Test:80',
    'partners.acme.test.:443',
    `${host}:8443`,
  ])('Host: %s is this host', async (spelling) => {
    for (const path of ['/dashboard', '/docs', '/v1/affiliates', `/join/${other.slug}`])
      expect((await ask(path, { headers: { Host: spelling } })).status, path).toBe(404)
    expect((await ask(`/join/${acme.slug}`, { headers: { Host: spelling } })).status).toBe(200)
  })

  it('pages, links and sign-in mails of another program are not there', async () => {
    const seller = await joe()
    for (const path of [
      `/portal?program=${other.slug}`,
      `/portal?program=${acme.slug}&program=${other.slug}`,
      `/r/${other.slug}/${seller.link.token}`,
      `/portal/assets/${other.id}/${acme.id}.png`,
    ])
      expect((await ask(path)).status, path).toBe(404)
    expect((await ask(`/r/${acme.slug}/${ada.link.token}`)).status).toBe(302)
    const answer = await post('/portal/sign-in', { program: other.slug, email: seller.affiliate.email })
    expect(answer.status).toBe(404)
    expect(
      (await other.graphql('{ mails(where: { kind: { equals: SIGN_IN } }) { nodes { id } } }')).mails.nodes,
    ).toEqual([])
  })

  it('tickets, tokens and keys of another program are unknown there, and so is the operator token', async () => {
    const seller = await joe()
    const ticket = (await other.get(`/affiliates/${seller.affiliate.id}/sso`)).body.sso.url.split('#ticket=')[1]
    expect((await post('/portal/session', { ticket })).status).toBe(401)
    const elsewhere = new Request('https://affiliates.example.com/portal/session', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ ticket }),
    })
    const session = await test.app.fetch(elsewhere)
    expect(session.status, 'the ticket was not used up').toBe(201)
    const { token } = (await session.json()) as { token: string }
    // A key that was used before takes a shorter way.
    for (const secret of [token, other.secret, other.secret, adminToken]) {
      const answer = await post('/graphql', { query: '{ __typename }' }, { Authorization: `Bearer ${secret}` })
      expect(answer.status).toBe(401)
    }
    const own = await post('/graphql', { query: '{ program { slug } }' }, { Authorization: `Bearer ${acme.secret}` })
    expect(own.status).toBe(200)
  })
})

it("on the service's own host everything is as before", async () => {
  const get = (path: string) => test.app.fetch(new Request(`https://affiliates.example.com${path}`))
  for (const path of ['/portal', '/docs', `/join/${acme.slug}`, `/join/${other.slug}`])
    expect((await get(path)).status, path).toBe(200)
})

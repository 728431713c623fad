import { describe, expect, it } from 'vitest'
import { adminToken, createTestApp } from '../support/app.ts'
import { createSeller } from '../support/factories.ts'
import { browserName } from '../support/tracking.ts'

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
const json = { 'Content-Type': 'application/json', 'User-Agent': browserName }

describe("on a program's own host", () => {
  it('the first page is the portal, and /join its page of applications', async () => {
    for (const [path, location] of [
      ['/', `portal?program=${acme.slug}`],
      ['/portal', `portal?program=${acme.slug}`],
      ['/join', `/join/${acme.slug}`],
    ] as const) {
      const answer = await ask(path)
      expect([answer.status, answer.headers.get('location')]).toEqual([302, location])
    }
    const portal = `/portal?program=${acme.slug}`
    for (const path of [portal, `/join/${acme.slug}`, '/join/style.css', '/join/confirm', '/track.js', '/healthz'])
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

  it('clicks, visits and leads with the publishable key of another program are not recorded', async () => {
    const seller = await joe()
    const click = (key: string, token: string, at = host) =>
      test.app.fetch(
        new Request(`https://${at}/r/${key}/${token}`, { headers: { Host: at, 'User-Agent': browserName } }),
      )
    // Kept targets of the service's own host do not answer either.
    const elsewhere = await click(other.publishableKey, seller.link.token, 'affiliates.example.com')
    expect(elsewhere.status).toBe(302)
    const referralId = new URL(elsewhere.headers.get('location') as string).searchParams.get('referral')
    for (const body of [
      { token: seller.link.token },
      { referral_id: referralId },
      { referral_id: referralId, expand: 'affiliate', cookie: '' },
    ])
      expect((await post('/track/visits', { key: other.publishableKey, ...body })).status).toBe(401)
    const lead = { referral_id: referralId, email: 'visitor@example.com' }
    expect((await post('/track/leads', { key: other.publishableKey, ...lead })).status).toBe(401)
    expect((await click(other.publishableKey, seller.link.token)).status).toBe(404)
    expect((await click(other.publishableKey, 'unknown')).status).toBe(404)
    const { referrals } = await other.graphql('{ referrals { nodes { id } } }')
    expect(referrals.nodes).toEqual([{ id: referralId }])
    expect((await click(acme.publishableKey, ada.link.token)).status).toBe(302)
    expect((await post('/track/visits', { key: acme.publishableKey, token: ada.link.token })).status).toBe(200)
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

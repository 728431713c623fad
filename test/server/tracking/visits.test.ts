import { describe, expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { createAffiliate, createSeller, listed, recordVisit, unknownId } from '../../support/factories.ts'
import { browserName, createPage, roomy } from '../../support/tracking.ts'

const app = await createTestApp({ tracking: roomy })
const program = await app.createProgram()
const page = createPage(app.app, program)
const visitsOf = (linkId: string) => app.database.db.visit.findMany({ where: { linkId }, orderBy: { at: 'asc' } })
const visitorsOf = async (affiliateId: string, of: TestProgram = program) => {
  await app.app.flush()
  const { body } = await of.get(`/affiliates/${affiliateId}`)
  return [body.visitors, ...body.links.map((link: { visitors: number }) => link.visitors)]
}

describe('a visit', () => {
  it('returns 201 with a referral that exists at once, and is counted with the next batch', async () => {
    const { affiliate, campaign, link } = await createSeller(program, { days_before_referrals_expire: 7 })
    const { status, body } = await page.visit(link.token.toUpperCase())
    expect(status).toBe(201)
    expect(body).toEqual({
      referral_id: expect.any(String),
      expires_at: new Date(app.clock.now.getTime() + 7 * 86_400_000).toISOString(),
    })
    const before = await program.get(`/affiliates/${affiliate.id}`)
    expect(before.body.visitors).toBe(0)
    expect(await listed(program, `/referrals?affiliate_id=${affiliate.id}`)).toEqual([
      expect.objectContaining({
        id: body.referral_id,
        conversion_state: 'visitor',
        campaign_id: campaign.id,
        expires_at: body.expires_at,
      }),
    ])
    expect(await visitorsOf(affiliate.id)).toEqual([1, 1])
    expect((await program.get(`/affiliates/${affiliate.id}`)).body.updated_at).toBe(affiliate.updated_at)
  })

  it('is counted soon, without a flush', async () => {
    const { affiliate, link } = await createSeller(program)
    await page.visit(link.token)
    const visitors = async () => (await program.get(`/affiliates/${affiliate.id}`)).body.visitors
    await expect.poll(visitors).toBe(1)
  })

  it('stores pages without their query, and only a hash of the visitor', async () => {
    const { link } = await createSeller(program)
    await page.visit(link.token, {
      url: 'https://user:pw@acme.test/pricing?email=grace%40example.com#top',
      referrer: 'https://blog.test/review?session=1',
    })
    const [visit] = await visitsOf(link.id)
    expect(visit).toMatchObject({ url: 'https://acme.test/pricing', referrer: 'https://blog.test/review' })
    const [dump] = await app.database.db.$queryRaw<{ all: string }[]>`
      select (select json_agg(v)::text from visits v) || (select json_agg(r)::text from referrals r)
        || (select json_agg(s)::text from tracking_salts s) as all`
    expect(dump?.all).toContain(link.id)
    for (const secret of ['203.0.113.7', 'Mozilla', 'grace', 'session']) expect(dump?.all).not.toContain(secret)
  })

  it('of the same visitor within an hour reuses the referral and writes nothing', async () => {
    const { affiliate, link } = await createSeller(program)
    const first = await page.visit(link.token)
    app.clock.advanceMinutes(59)
    const again = await page.visit(link.token)
    expect(again.status).toBe(200)
    expect(again.body).toEqual(first.body)
    expect(await visitsOf(link.id)).toHaveLength(1)
    expect(await visitorsOf(affiliate.id)).toEqual([1, 1])
    app.clock.advanceMinutes(2)
    const later = await page.visit(link.token)
    expect(later.status).toBe(201)
    expect(later.body.referral_id).not.toBe(first.body.referral_id)
    expect(await visitsOf(link.id)).toHaveLength(2)
    expect(await visitorsOf(affiliate.id)).toEqual([2, 2])
  })

  it('identifies a visitor by address, browser, browser id and link', async () => {
    const { link } = await createSeller(program)
    const { link: other } = await createSeller(program)
    const answers = [
      await page.visit(link.token),
      await page.visit(other.token),
      await createPage(app.app, program, '203.0.113.8').visit(link.token),
      await page.visit(link.token, {}, { 'User-Agent': `${browserName} Edg/140` }),
      await page.visit(link.token, { visitor: 'a' }),
      await page.visit(link.token, { visitor: 'b' }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 201])
    expect(new Set(answers.map(({ body }) => body.referral_id)).size).toBe(6)
    const elsewhere = await createPage(app.app, program, '198.51.100.1').visit(link.token, { visitor: 'a' })
    expect(elsewhere.body).toEqual(answers[4]?.body)
  })

  it('is hashed with a salt of the day and program, which is deleted the next day', async () => {
    const other = await app.createProgram()
    const [one, two] = [await createSeller(other), await createSeller(program)]
    await createPage(app.app, other).visit(one.link.token)
    await page.visit(two.link.token)
    const saltsOf = (programId: string) => app.database.db.trackingSalt.findMany({ where: { programId } })
    const [salt] = await saltsOf(other.id)
    app.clock.advanceDays(1)
    await createPage(app.app, other).visit(one.link.token)
    const hashes = [...(await visitsOf(one.link.id)), ...(await visitsOf(two.link.id))].map((row) => row.visitorHash)
    expect(new Set(hashes).size).toBe(3)
    const today = app.clock.now.toISOString().slice(0, 10)
    expect(await saltsOf(other.id)).toMatchObject([{ day: today, salt: expect.not.stringContaining(salt?.salt ?? '') }])
    await app.app.flush()
    expect(await saltsOf(program.id)).toEqual([])
  })

  it("uses the sandbox's clock, also right after the clock moved", async () => {
    const sandbox = await app.createProgram({ isSandbox: true })
    const { link } = await createSeller(sandbox, { days_before_referrals_expire: 1 })
    const own = createPage(app.app, sandbox)
    const first = await own.visit(link.token)
    await sandbox.graphql(
      'mutation ($id: ID!) { advanceClock(input: { programId: $id, days: 2 }) { program { clock } } }',
      { id: sandbox.id },
    )
    expect((await own.lead(first.body.referral_id)).body).toEqual({ error: 'The referral has expired.' })
    const second = await own.visit(link.token)
    expect(second.status).toBe(201)
    expect(Date.parse(second.body.expires_at)).toBe(Date.parse(first.body.expires_at) + 2 * 86_400_000)
  })

  it.each(['disabled', 'suspicious'])('returns 422 as soon as the affiliate is %s', async (state) => {
    const affiliate = await createAffiliate(program)
    const { token } = affiliate.links[0]
    expect((await page.visit(token)).status).toBe(201)
    await program.put(`/affiliates/${affiliate.id}`, { state })
    const { status, body } = await page.visit(token)
    expect([status, body]).toEqual([422, { error: 'The affiliate is not active.' }])
  })

  it('returns 404 for a link that does not exist in this program', async () => {
    const { link } = await createSeller(await app.createProgram())
    const { status, body } = await page.visit(link.token)
    expect([status, body]).toEqual([404, { error: `Affiliate link not found: ${link.token}` }])
  })

  it('returns 422 with all problems', async () => {
    const { status, body } = await page.visit('no token!', { visitor: 'x'.repeat(300) })
    expect(status).toBe(422)
    expect(body).toEqual({
      error: 'Could not record the visit.',
      details: [expect.stringMatching(/^Token /), expect.stringMatching(/^Visitor /)],
    })
    expect((await page.visit('x', { key: '' })).body.details).toEqual(["Key can't be blank"])
  })

  it.each([
    ['a crawler', 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'],
    ['a link preview', 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)'],
    ['a command line', 'curl/8.5.0'],
    ['a client without a User-Agent', ''],
  ])('by %s is not recorded', async (_label, userAgent) => {
    const { affiliate, link } = await createSeller(program)
    const { status, body } = await page.visit(link.token, {}, { 'User-Agent': userAgent })
    expect([status, body]).toEqual([200, { referral_id: null, expires_at: null }])
    expect(await listed(program, `/referrals?affiliate_id=${affiliate.id}`)).toEqual([])
  })

  it.each([
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36',
    'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  ])('by the browser %s is recorded, also when it is headless', async (userAgent) => {
    const { link } = await createSeller(program)
    expect((await page.visit(link.token, {}, { 'User-Agent': userAgent })).status).toBe(201)
  })

  it.each([
    ['application/json', (body: object) => JSON.stringify(body)],
    ['text/plain;charset=UTF-8', (body: object) => JSON.stringify(body)],
    ['application/x-www-form-urlencoded', (body: object) => String(new URLSearchParams({ ...body }))],
  ])('can be sent as %s', async (type, write) => {
    const { link } = await createSeller(program)
    const response = await app.app.fetch(
      new Request('http://localhost:4000/track/visits', {
        method: 'POST',
        headers: { 'User-Agent': browserName, 'Content-Type': type },
        body: write({ key: program.publishableKey, token: link.token }),
      }),
    )
    expect(response.status).toBe(201)
  })
})

describe('a referral from another domain', () => {
  it('is returned unchanged', async () => {
    const { affiliate, link } = await createSeller(program)
    const { body } = await page.visit(link.token)
    const taken = await page.takeOver(body.referral_id)
    expect([taken.status, taken.body]).toEqual([200, body])
    expect(await listed(program, `/referrals?affiliate_id=${affiliate.id}`)).toHaveLength(1)
  })

  it("returns 404 for another program's referral and for an unknown one", async () => {
    const other = await app.createProgram()
    const { link } = await createSeller(other)
    const { id } = await recordVisit(other, link.token)
    for (const unknown of [id, unknownId, 'nonsense']) {
      const { status, body } = await page.takeOver(unknown)
      expect([status, body]).toEqual([404, { error: `Referral not found: ${unknown}` }])
    }
  })
})

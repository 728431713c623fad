import { describe, expect, it } from 'vitest'
import { type Demo, makeDemoProgram } from '../../../../src/modules/demo/service.ts'
import { createTestApp } from '../../../support/app.ts'
import { createWeb, hasChromium, needsChromium } from '../../../support/browser.ts'
import { createPage, roomy } from '../../../support/tracking.ts'

const startsAt = new Date().toISOString()
const empty = await createTestApp({ tracking: roomy, demoShop: true, startsAt })
const app = await createTestApp({ tracking: { ...roomy, trustedProxies: 0 }, demoShop: true, startsAt })
const demo = (await makeDemoProgram(app.database.db, { now: app.clock.now, months: 6 })) as Demo
const { publishableKey, id: programId } = demo.program
const request = (path: string, init?: RequestInit, of = app) =>
  of.app.fetch(new Request(`http://localhost:4000${path}`, init))
const buy = (referralId: unknown) =>
  request('/demo/shop/sale', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ referral_id: referralId }),
  })
const someToken = async () =>
  (
    await app.database.db.affiliateLink.findFirstOrThrow({
      where: { programId, affiliate: { state: 'active', campaign: { isDefault: true } } },
    })
  ).token

describe('the shop of the demo program', () => {
  it('serves a page that loads nothing from other origins and contains no secret key', async () => {
    const response = await request('/demo/shop')
    const html = await response.text()
    expect(response.status).toBe(200)
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(html).toContain(publishableKey)
    expect(html).not.toContain('trib_sk_')
    expect(html).not.toMatch(/(src|href)="(https?:)?\/\//)
    for (const file of ['shop.js', 'shop.css']) expect((await request(`/demo/shop/${file}`)).status).toBe(200)
  })

  it('offers no archived link', async () => {
    const tokens = async () =>
      [...(await (await request('/demo/shop')).text()).matchAll(/href="shop\?via=([^"]+)"/g)].map(([, token]) => token)
    const [first, second] = await tokens()
    const set = (archivedAt: Date | null) =>
      app.database.db.affiliateLink.updateMany({ where: { programId, token: first as string }, data: { archivedAt } })
    await set(app.clock.now)
    const left = await tokens()
    await set(null)
    expect(left).toHaveLength(2)
    expect(left).toContain(second)
    expect(left).not.toContain(first)
  })

  it('records a sale for a referral with the same service function as the API', async () => {
    const visit = await createPage(app.app, { publishableKey }).visit(await someToken())
    const response = await buy(visit.body.referral_id)
    expect(response.status).toBe(201)
    const sale = (await response.json()) as any
    expect(sale).toMatchObject({
      amount_cents: 4900,
      attributed_by: 'referral_id',
      commission: { amount_cents: 980, state: 'pending' },
    })
    const facts = await app.database.db.moneyEvent.findMany({ where: { commissionId: sale.commission.id } })
    expect(facts).toMatchObject([{ kind: 'earned', actorKind: 'system', actorId: null }])
  })

  it('returns 422 without a known referral, and 429 after ten sales a minute', async () => {
    expect((await buy(null)).status).toBe(422)
    const statuses = []
    for (let n = 0; n < 10; n++) statuses.push((await buy('nonsense')).status)
    expect(statuses.at(0)).toBe(422)
    expect(statuses.at(-1)).toBe(429)
  })

  it.each(['/demo/shop', '/demo/shop/shop.js', '/demo/shop/sale', '/demo/shop/nothing'])(
    'returns 404 for %s without the demo program, even if another program has its slug',
    async (path) => {
      const method = path.endsWith('sale') ? 'POST' : 'GET'
      expect((await request(path, { method }, empty)).status).toBe(404)
      await empty
        .operator(
          'mutation { createProgram(input: { name: "N", url: "https://real.test", currency: "usd", slug: "northwind-analytics" }) { program { id } } }',
        )
        .catch(() => {})
      expect((await request(path, { method }, empty)).status).toBe(404)
    },
  )
})

describe.skipIf(!hasChromium)('the shop in a browser', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  const own = await createTestApp({ tracking: { ...roomy, trustedProxies: 0 }, demoShop: true, startsAt })
  await makeDemoProgram(own.database.db, { now: own.clock.now, months: 6 })
  const web = await createWeb(own.app, {})

  it('shows visit, lead and sale, step by step', async () => {
    const visitor = await web.visitor()
    const hosts = new Set<string>()
    visitor.on('request', (request) => hosts.add(new URL(request.url()).host))
    const errors: string[] = []
    visitor.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())))
    const page = await visitor.open(`${web.service}/demo/shop`)
    await page.getByText('none (follow a link first)').waitFor()
    await page.locator('#visit a.button').first().click()
    await page.locator('#visit pre').waitFor()
    const id = await page.evaluate(() => (window as any).tributary.ready())
    expect(await page.locator('#visit pre').textContent()).toContain(id)
    await page.getByText(/^tributary_referral/).waitFor()
    expect(await page.locator('#referral').textContent()).toBe(id)
    await page.getByRole('button', { name: 'Sign up' }).click()
    await page.getByText('This referral is now a lead.').waitFor()
    await page.getByRole('button', { name: 'Buy' }).click()
    await page.getByText('Sold for 49.00 USD. The affiliate earned 9.80 USD (pending).').waitFor()
    const referral = await own.database.db.referral.findFirstOrThrow({ where: { id }, include: { sales: true } })
    expect(referral.becameConversionAt).not.toBe(null)
    expect(referral.sales).toMatchObject([{ amountCents: 4900n }])
    await page.getByRole('button', { name: 'Start over' }).click()
    await page.getByText('none (follow a link first)').waitFor()
    expect([...hosts]).toEqual(['track.service.test'])
    expect(errors).toEqual([])
    await visitor.close()
  })
})

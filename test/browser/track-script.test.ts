import { setTimeout } from 'node:timers/promises'
import type { BrowserContext, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'
import { createWeb, hasChromium, needsChromium } from '../support/browser.ts'
import { createAffiliate, createSeller, listed, made } from '../support/factories.ts'
import { browserName, roomy } from '../support/tracking.ts'

type Tributary = {
  referral: string | null
  ready(done?: (id: string | null) => void): Promise<string | null>
  convert(person: object, done?: (lead: unknown) => void): Promise<{ conversion_state: string } | null>
  source(token: string): Promise<string | null>
}
declare const tributary: Tributary

describe.skipIf(!hasChromium)('the tracking script in a page', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  // The browser expires cookies by the real time, so the service uses the real time too.
  const app = await createTestApp({ tracking: { ...roomy, trustedProxies: 0 }, startsAt: new Date().toISOString() })
  const program = await app.createProgram({ url: 'http://www.acme.test/' })
  const service = 'http://track.service.test'
  const tag = (attributes = '') =>
    `<script async src="${service}/track.js" data-key="${program.publishableKey}" ${attributes}></script>`
  const stub = `<script>(function(t){t.q=t.q||[];['ready','convert','source'].forEach(function(m){t[m]=t[m]||function(){var a=arguments;return new Promise(function(r){t.q.push([m,a,r])})}});t.blocked=function(){function run(c){var f=c[1][c[1].length-1];c[2](null);typeof f=='function'&&f(null)}t.q.forEach(run);t.q={push:run}}})(window.tributary=window.tributary||{})</script>`
  const links =
    '<a id="other" href="http://pay.billing.test/start?plan=pro#x">Pay</a><a id="own" href="http://shop.acme.test/">Shop</a><a id="foreign" href="http://elsewhere.test/">Elsewhere</a>'
  const web = await createWeb(app.app, {
    'www.acme.test': `<!doctype html>${tag('data-domains="billing.test, acme.test"')}${links}`,
    'shop.acme.test': `<!doctype html>${tag()}`,
    'pay.billing.test': `<!doctype html>${tag()}`,
    'shop.acme.co.uk': `<!doctype html>${tag()}`,
    '127.0.0.1': `<!doctype html>${tag()}`,
    'stub.acme.test': `<!doctype html>${stub}<script>
      window.calls = []
      tributary.ready(function (id) { calls.push(['ready', id]) })
      window.lead = tributary.convert({ email: 'early@example.com', name: 'Early' }, function (lead) { calls.push(['lead', lead]) })
    </script>${tag('onerror="tributary.blocked()"')}`,
    'elsewhere.test': '<!doctype html>',
  })
  const ready = (page: Page) =>
    page
      .waitForFunction(() => 'tributary' in window && 'loaded' in tributary)
      .then(() => page.evaluate(() => tributary.ready()))
  const cookiesOf = async (context: BrowserContext) =>
    Object.fromEntries((await context.cookies()).map((cookie) => [cookie.name, cookie]))
  const referralsOf = (affiliateId: string) => listed(program, `/referrals?affiliate_id=${affiliateId}`)
  const requestsOf = (page: Page) => {
    const paths: string[] = []
    page.on('request', (request) => paths.push(new URL(request.url()).pathname))
    return paths
  }

  it('reads parameters of the service before, as far as the program lists them', async () => {
    const { affiliate, link } = await createSeller(program)
    const page = await (await web.visitor()).open(web.at('www.acme.test', `/?ref=${link.token}`))
    expect(await ready(page)).toBeNull()
    expect(await referralsOf(affiliate.id)).toEqual([])
    for (const name of ['fpr', 'via_id']) {
      const old = await (await web.visitor()).open(web.at('www.acme.test', `/?${name}=${link.token}`))
      expect(await ready(old)).toMatch(/^[0-9a-f-]{36}$/)
    }
    expect(await referralsOf(affiliate.id)).toHaveLength(2)
  })

  it('records the visit once and stores its referral on the registrable domain, for the days of the campaign', async () => {
    const { affiliate, link } = await createSeller(program, { days_before_referrals_expire: 7 })
    const visitor = await web.visitor()
    const page = await visitor.open(web.at('www.acme.test', `/?via=${link.token.toUpperCase()}&x=1#here`))
    const id = await ready(page)
    const referrals = await referralsOf(affiliate.id)
    expect(referrals.map((referral) => referral.id)).toEqual([id])
    expect(await page.evaluate(() => tributary.referral)).toBe(id)
    const { tributary_referral: cookie, tributary_probe: probe } = await cookiesOf(visitor)
    expect(cookie).toMatchObject({ value: id, domain: '.acme.test', path: '/', sameSite: 'Lax', httpOnly: false })
    expect(probe).toBeUndefined()
    expect((cookie?.expires ?? 0) * 1000).toBeCloseTo(Date.parse(referrals[0].expires_at), -4)
    expect(page.url()).toBe(web.at('www.acme.test', `/?via=${link.token.toUpperCase()}&x=1#here`))

    for (const address of [page.url(), web.at('shop.acme.test'), web.at('shop.acme.test', `/?via=${link.token}`)]) {
      const next = await visitor.newPage()
      const paths = requestsOf(next)
      await next.goto(address)
      expect(await ready(next)).toBe(id)
      expect(paths.filter((path) => path.startsWith('/track/'))).toEqual([])
    }
    expect(await referralsOf(affiliate.id)).toHaveLength(1)
    await visitor.close()
  })

  it('records what an agent said in the address, removes it, and sells by it, once the program has turned it on', async () => {
    const { affiliate, link } = await createSeller(program)
    const said = encodeURIComponent(JSON.stringify({ provider: 'acme.example', token: link.token }))
    const address = web.at('www.acme.test', `/?affiliate_attribution=${said}&x=1#here`)
    expect(await ready(await (await web.visitor()).open(address))).toBeNull()
    await app.operator('mutation ($input: UpdateProgramInput!) { updateProgram(input: $input) { program { id } } }', {
      input: { id: program.id, agentProvider: 'acme.example' },
    })
    const visitor = await web.visitor()
    const page = await visitor.open(address)
    const id = await ready(page)
    expect((await referralsOf(affiliate.id)).map((referral) => referral.id)).toEqual([id])
    expect(page.url()).toBe(web.at('www.acme.test', '/?x=1#here'))
    expect((await cookiesOf(visitor)).tributary_referral?.value).toBe(id)
    await made(program.post('/conversions', { amount_cents: 10_000, external_id: 'order-of-agent', referral_id: id }))
    const { sales } = await program.graphql(
      '{ sales(where: { referral: { agentProvider: { equals: "acme.example" } } }) { nodes { externalId affiliate { id } } } }',
    )
    expect(sales.nodes).toEqual([{ externalId: 'order-of-agent', affiliate: { id: affiliate.id } }])
    await visitor.close()
  })

  it('lets the last click win, unless its token is unknown', async () => {
    const [first, second] = [await createSeller(program), await createSeller(program)]
    const visitor = await web.visitor()
    const one = await ready(await visitor.open(web.at('www.acme.test', `/?via=${first.link.token}`)))
    const two = await ready(await visitor.open(web.at('www.acme.test', `/?via=${second.link.token}`)))
    expect(two).not.toBe(one)
    expect(await referralsOf(second.affiliate.id)).toMatchObject([{ id: two }])
    expect(await ready(await visitor.open(web.at('www.acme.test', '/?via=nobody')))).toBe(two)
    expect((await cookiesOf(visitor)).tributary_referral?.value).toBe(two)
    await visitor.close()
  })

  it.each([
    ['shop.acme.co.uk', '.acme.co.uk'],
    ['127.0.0.1', '127.0.0.1'],
  ])('on %s stores the cookie for %s', async (host, domain) => {
    const { link } = await createSeller(program)
    const visitor = await web.visitor()
    const id = await ready(await visitor.open(web.at(host, `/?via=${link.token}`)))
    expect((await cookiesOf(visitor)).tributary_referral).toMatchObject({ value: id, domain })
    await visitor.close()
  })

  it('sets a Secure cookie over HTTPS', async () => {
    const { link } = await createSeller(program)
    const visitor = await web.visitor()
    await visitor.route(/^https:/, async (route) => {
      const request = route.request()
      const { pathname } = new URL(request.url())
      const body = tag().replaceAll('http://', 'https://')
      if (!pathname.startsWith('/track')) return route.fulfill({ body, contentType: 'text/html' })
      const response = await app.app.fetch(
        new Request(`http://localhost:4000${pathname}`, {
          method: request.method(),
          headers: { 'User-Agent': browserName },
          body: request.postData(),
        }),
      )
      await route.fulfill({
        status: response.status,
        headers: { ...Object.fromEntries(response.headers), 'content-encoding': 'identity' },
        body: Buffer.from(await response.arrayBuffer()),
      })
    })
    const page = await visitor.open(`https://www.acme.test/?via=${link.token}`)
    const id = await ready(page)
    expect((await cookiesOf(visitor)).tributary_referral).toMatchObject({ value: id, secure: true })
    await visitor.close()
  })

  it('counts two browsers at one IP address as two visitors, and does not count a browser without a link', async () => {
    const { affiliate, link } = await createSeller(program)
    for (let n = 0; n < 2; n++) {
      const visitor = await web.visitor()
      await ready(await visitor.open(web.at('www.acme.test', `/?via=${link.token}`)))
      await visitor.close()
    }
    expect(await referralsOf(affiliate.id)).toHaveLength(2)
    const visitor = await web.visitor()
    expect(await ready(await visitor.open(web.at('www.acme.test')))).toBe(null)
    expect(await visitor.cookies()).toEqual([])
    await visitor.close()
  })

  it('records a lead with convert, and resolves a promise and a callback', async () => {
    const { affiliate, link } = await createSeller(program)
    const visitor = await web.visitor()
    const page = await visitor.open(web.at('www.acme.test', `/?via=${link.token}`))
    const id = await ready(page)
    const results = await page.evaluate(
      () =>
        new Promise((resolve) => {
          const promise = tributary.convert({ email: 'page@example.com', name: 'Page' }, async (lead) =>
            resolve([await promise, lead]),
          )
        }),
    )
    const lead = { referral_id: id, conversion_state: 'lead' }
    expect(results).toEqual([lead, lead])
    expect(await referralsOf(affiliate.id)).toMatchObject([{ id, conversion_state: 'lead' }])
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
    await visitor.close()
  })

  it('resolves calls made before the script has loaded', async () => {
    const { link } = await createSeller(program)
    const visitor = await web.visitor()
    const page = await visitor.open(web.at('stub.acme.test', `/?via=${link.token}`))
    const id = await ready(page)
    await page.waitForFunction(() => (window as any).calls.length === 2)
    const lead = { referral_id: id, conversion_state: 'lead' }
    expect(await page.evaluate(() => (window as any).calls)).toEqual([
      ['ready', id],
      ['lead', lead],
    ])
    expect(await page.evaluate(() => (window as any).lead)).toEqual(lead)
    await visitor.close()
  })

  it('records a visit with source for a token that is not in the address', async () => {
    const { affiliate, link } = await createSeller(program)
    const visitor = await web.visitor()
    const page = await visitor.open(web.at('www.acme.test'))
    await ready(page)
    const id = await page.evaluate((token) => tributary.source(token), link.token)
    expect(await page.evaluate((token) => tributary.source(token), link.token)).toBe(id)
    expect(await referralsOf(affiliate.id)).toMatchObject([{ id }])
    await visitor.close()
  })

  it('carries a referral to other domains without another visit', async () => {
    const { affiliate, link } = await createSeller(program)
    const visitor = await web.visitor()
    const page = await visitor.open(web.at('www.acme.test', `/?via=${link.token}`))
    const id = await ready(page)
    expect(await page.getAttribute('#other', 'href')).toBe('http://pay.billing.test/start?plan=pro#x')
    await page.click('#foreign', { modifiers: ['ControlOrMeta'] })
    await page.click('#own', { modifiers: ['ControlOrMeta'] })
    expect(await page.getAttribute('#foreign', 'href')).toBe('http://elsewhere.test/')
    expect(await page.getAttribute('#own', 'href')).toBe('http://shop.acme.test/')
    const arrived = page.waitForRequest((request) => request.url().includes('pay.billing.test/start'))
    await page.click('#other')
    expect((await arrived).url()).toBe(`http://pay.billing.test/start?plan=pro&referral=${id}`)
    await page.waitForURL('**/start**')
    expect(await ready(page)).toBe(id)
    // The address may be shared with other people.
    expect(page.url()).toBe('http://pay.billing.test/start?plan=pro#x')
    const cookie = (await visitor.cookies()).find(
      ({ name, domain }) => name === 'tributary_referral' && domain === '.billing.test',
    )
    expect(cookie?.value).toBe(id)
    const [referral] = await referralsOf(affiliate.id)
    expect((cookie?.expires ?? 0) * 1000).toBeCloseTo(Date.parse(referral.expires_at), -4)
    expect(await referralsOf(affiliate.id)).toHaveLength(1)
    await visitor.close()
  })

  it('does not adopt an unknown referral', async () => {
    const visitor = await web.visitor()
    const page = await visitor.open(web.at('www.acme.test', '/?referral=01980f3e-8c00-7000-8000-00000000dead'))
    expect(await ready(page)).toBe(null)
    expect(await visitor.cookies()).toEqual([])
    await visitor.close()
  })

  it('records no second visit after a redirect link', async () => {
    const { affiliate, link } = await createSeller(program, { url: 'http://www.acme.test/welcome' })
    const visitor = await web.visitor()
    const page = await visitor.open(`${web.service}/r/${program.slug}/${link.token}?utm_source=blog`)
    const [referral] = await referralsOf(affiliate.id)
    expect(await ready(page)).toBe(referral.id)
    expect(page.url()).toBe(web.at('www.acme.test', `/welcome?utm_source=blog&via=${link.token}`))
    await (await visitor.open(web.at('www.acme.test', `/?via=${link.token}`))).evaluate(() => tributary.ready())
    expect(await referralsOf(affiliate.id)).toHaveLength(1)
    await visitor.close()
  })

  it('calls ready and resolves convert with null when the endpoints are blocked', async () => {
    const { affiliate } = await createSeller(program)
    const visitor = await web.visitor()
    await visitor.route('**/track/**', (route) => route.abort('blockedbyclient'))
    const page = await visitor.newPage()
    const errors: unknown[] = []
    page.on('pageerror', (error) => errors.push(error))
    await page.goto(web.at('www.acme.test', `/?via=${affiliate.links[0].token}`))
    expect(await ready(page)).toBe(null)
    const lead = await page.evaluate(() => tributary.convert({ email: 'blocked@example.com' }))
    expect(lead).toBe(null)
    expect(errors).toEqual([])
    expect(await visitor.cookies()).toEqual([])
    await visitor.close()
  })

  it('resolves convert within seconds when the service does not respond', async () => {
    const visitor = await web.visitor()
    await visitor.route('**/track/**', () => {})
    const page = await visitor.open(web.at('www.acme.test', '/?via=nobody'))
    const lead = page.evaluate(() => tributary.convert({ email: 'slow@example.com' }))
    expect(await Promise.race([lead, setTimeout(8_000, 'none')])).toBe(null)
    await visitor.close()
  })

  it.each([
    ['cannot be read', "Object.defineProperty(document, 'cookie', { get() { throw 1 }, set() { throw 1 } })"],
    ['cannot be decoded', "document.cookie = 'tributary_referral=%E0%A4%A'"],
  ])('records the visit when cookies %s', async (_, prepare) => {
    const { link } = await createSeller(program)
    const visitor = await web.visitor()
    await visitor.addInitScript(prepare)
    const page = await visitor.open(web.at('www.acme.test', `/?via=${link.token}`))
    expect(await ready(page)).toMatch(/^[0-9a-f-]{36}$/)
    await visitor.close()
  })

  it('calls queued callbacks when the script itself is blocked', async () => {
    const visitor = await web.visitor()
    await visitor.route('**/track.js', (route) => route.abort('blockedbyclient'))
    const page = await visitor.open(web.at('stub.acme.test', '/?via=x'))
    await page.waitForFunction(() => (window as any).calls.length === 2)
    expect(await page.evaluate(() => (window as any).calls)).toEqual([
      ['ready', null],
      ['lead', null],
    ])
    expect(await page.evaluate(() => tributary.ready())).toBe(null)
    await visitor.close()
  })

  it('sends a lead from the next page when the service was unreachable', async () => {
    const affiliate = await createAffiliate(program)
    const visitor = await web.visitor()
    const page = await visitor.open(web.at('www.acme.test', `/?via=${affiliate.links[0].token}`))
    const id = await ready(page)
    await visitor.route('**/track/leads', (route) => route.abort('connectionfailed'))
    await page.evaluate(() => void tributary.convert({ email: 'patient@example.com' }))
    await page.waitForFunction(() => sessionStorage.length === 1)
    await visitor.unroute('**/track/leads')
    await page.goto(web.at('www.acme.test', '/next'))
    await page.waitForFunction(() => sessionStorage.length === 0)
    expect(await listed(program, '/referrals?email=patient@example.com')).toMatchObject([{ id }])
    await visitor.close()
  })
})

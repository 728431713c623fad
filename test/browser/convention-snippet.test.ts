import type { BrowserContext, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'
import { createWeb, hasChromium, needsChromium } from '../support/browser.ts'
import { createSeller, listed } from '../support/factories.ts'
import { browserName, roomy } from '../support/tracking.ts'

// Pages as they are written for the convention, with only the script's address and the key exchanged, and other ways to
// load the script.

describe.skipIf(!hasChromium)('the tracking script', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  const app = await createTestApp({ tracking: { ...roomy, trustedProxies: 0 }, startsAt: new Date().toISOString() })
  const program = await app.createProgram({ url: 'http://www.acme.test/' })
  const src = 'http://track.service.test/track.js'
  const key = program.publishableKey
  const queue = `<script>(function(w,r){w._rwq=r;w[r]=w[r]||function(){(w[r].q=w[r].q||[]).push(arguments)}})(window,'rewardful');</script>`
  const links = '<a id="next" href="/second">Next</a>'
  const web = await createWeb(app.app, {
    'www.acme.test': `<!doctype html>${queue}<script>
      window.seen = []
      addEventListener('Rewardful.initialized', () => seen.push(['event', Rewardful.referral]))
      rewardful('ready', function () { seen.push(['ready', Rewardful.referral]) })
      rewardful('nonsense')
      if (location.pathname == '/thanks') rewardful('convert', { email: 'thanks@example.com' })
    </script><script async src="${src}" data-rewardful="${key}" data-rewardful-params="ref, rfsn"></script>
    <form data-rewardful><input name="email"></form>`,
    'proxy.acme.test': `<!doctype html><script async src="/t/js/s.js" data-key="${key}"></script>`,
    'endpoint.acme.test': `<!doctype html><script async src="/s.js" data-key="${key}" data-endpoint="/t/js/track"></script>`,
    'consent.acme.test': `<!doctype html><script async src="${src}" data-key="${key}" data-consent></script>${links}`,
    'session.acme.test': `<!doctype html><script async src="${src}" data-key="${key}" data-consent="session"></script>`,
    'plain.acme.test': `<!doctype html><script async src="${src}" data-key="${key}"></script>`,
    'nokey.acme.test': `<!doctype html><script async src="${src}"></script>`,
  })
  const call = (page: Page, code: string): Promise<any> => page.evaluate(code)
  const loaded = (page: Page) => page.waitForFunction('window.tributary && tributary.loaded')
  const ready = (page: Page): Promise<string | null> => loaded(page).then(() => call(page, 'tributary.ready()'))
  const namesOf = async (visitor: BrowserContext) => (await visitor.cookies()).map(({ name }) => name).sort()

  it("runs a page of the convention: queue, 'ready', 'convert', Rewardful and its event", async () => {
    const { affiliate, link } = await createSeller(program)
    const visitor = await web.visitor()
    const page = await visitor.open(web.at('www.acme.test', `/?ref=${link.token}`))
    await page.waitForFunction('window.seen.length === 2')
    const [{ id }] = await listed(program, `/referrals?affiliate_id=${affiliate.id}`)
    expect((await call(page, 'seen')).sort()).toEqual([
      ['event', id],
      ['ready', id],
    ])
    expect(await call(page, 'JSON.parse(JSON.stringify(Rewardful))')).toEqual({
      referral: id,
      affiliate: { id: affiliate.id, token: link.token },
      campaign: { id: affiliate.campaign.id, name: affiliate.campaign.name },
      coupon: null,
    })
    expect(await call(page, 'document.forms[0].elements.referral.value')).toBe(id)

    await page.goto(web.at('www.acme.test', '/thanks'))
    await expect
      .poll(() => listed(program, '/referrals?email=thanks@example.com'))
      .toMatchObject([{ id, conversion_state: 'lead' }])
    expect(await call(page, 'Rewardful.affiliate.id')).toBe(affiliate.id)
    await visitor.close()
  })

  it('has an empty referral for visitors without a link, and stores nothing', async () => {
    const visitor = await web.visitor()
    const page = await visitor.open(web.at('www.acme.test'))
    await page.waitForFunction('window.seen.length === 2')
    expect(await call(page, '[Rewardful.referral, Rewardful.affiliate, document.forms[0].elements.length]')).toEqual([
      '',
      null,
      1,
    ])
    expect(await visitor.cookies()).toEqual([])
    await visitor.close()
  })

  it('sends nothing without a key', async () => {
    const visitor = await web.visitor()
    const page = await visitor.newPage()
    const sent: string[] = []
    page.on('request', (request) => sent.push(request.url()))
    await page.goto(web.at('nokey.acme.test', '/?via=x'), { waitUntil: 'networkidle' })
    expect(sent.filter((url) => url.includes('/track/'))).toEqual([])
    await visitor.close()
  })

  /** A proxy of the page's own host, under other names. Browsers do not pass on `Set-Cookie` of fulfilled requests. */
  const behindProxy = async (visitor: BrowserContext) => {
    const cookies: string[] = []
    await visitor.route(/\/s\.js$|\/t\/js\/track\//, async (route) => {
      const request = route.request()
      const path = new URL(request.url()).pathname.replace(/^.*\/s\.js$/, '/track.js').replace('/t/js', '')
      const response = await app.app.fetch(
        new Request(`http://localhost:4000${path}`, {
          method: request.method(),
          headers: { ...(await request.allHeaders()), 'User-Agent': browserName, 'accept-encoding': 'identity' },
          body: request.postData(),
        }),
      )
      cookies.push(...response.headers.getSetCookie())
      const body = Buffer.from(await response.arrayBuffer())
      await route.fulfill({ status: response.status, headers: Object.fromEntries(response.headers), body })
    })
    return cookies
  }

  it.each(['proxy.acme.test', 'endpoint.acme.test'])(
    'finds its endpoints behind the proxy of %s, whose responses set the cookies',
    async (host) => {
      const { link } = await createSeller(program)
      const visitor = await web.visitor()
      const cookies = await behindProxy(visitor)
      const id = await ready(await visitor.open(web.at(host, `/?via=${link.token}`)))
      expect(id).toMatch(/^[0-9a-f-]{36}$/)
      expect(cookies[0]).toMatch(
        new RegExp(`^tributary_referral=${id}; Path=/; SameSite=Lax; Expires=.+; Domain=acme.test$`),
      )
      expect(cookies[1]).toMatch(new RegExp(`^tributary_via=${link.token.toLowerCase()}; `))
      await visitor.close()
    },
  )

  it('keeps the token in memory until there is consent, on the next page too, and stores nothing before', async () => {
    const { affiliate, link } = await createSeller(program)
    const visitor = await web.visitor()
    const page = await visitor.open(web.at('consent.acme.test', `/?via=${link.token}`))
    expect(await ready(page)).toBe(null)
    await page.click('#next')
    await page.waitForURL('**/second**')
    expect(await ready(page)).toBe(null)
    expect([await visitor.cookies(), await call(page, 'localStorage.length + sessionStorage.length')]).toEqual([[], 0])
    expect(await listed(program, `/referrals?affiliate_id=${affiliate.id}`)).toEqual([])
    const id = await call(page, 'tributary.consent()')
    expect(await listed(program, `/referrals?affiliate_id=${affiliate.id}`)).toMatchObject([{ id }])
    expect(await namesOf(visitor)).toEqual(['tributary_referral', 'tributary_via'])
    expect(await call(page, 'tributary.consent(false)')).toBe(null)
    expect([await visitor.cookies(), await call(page, 'localStorage.length')]).toEqual([[], 0])
    await visitor.close()
  })

  it('keeps the token in session storage if the page asks for it', async () => {
    const { affiliate, link } = await createSeller(program)
    const visitor = await web.visitor()
    const page = await visitor.open(web.at('session.acme.test', `/?via=${link.token}`))
    await loaded(page)
    await page.goto(web.at('session.acme.test', '/second'))
    await loaded(page)
    const id = await call(page, 'tributary.consent()')
    expect(await listed(program, `/referrals?affiliate_id=${affiliate.id}`)).toMatchObject([{ id }])
    expect(await call(page, 'sessionStorage.length')).toBe(0)
    await visitor.close()
  })

  it.each(['pushState', 'replaceState'])('notices a route that brings a token with %s', async (method) => {
    const { affiliate, link } = await createSeller(program)
    const visitor = await web.visitor()
    const page = await visitor.open(web.at('plain.acme.test'))
    expect(await ready(page)).toBe(null)
    await call(page, `history.${method}({}, '', '/pricing?via=${link.token}')`)
    await page.waitForFunction('tributary.referral')
    await call(page, `history.${method}({}, '', '/other?via=${link.token}')`)
    const id = await ready(page)
    expect(await listed(program, `/referrals?affiliate_id=${affiliate.id}`)).toMatchObject([{ id }])
    await visitor.close()
  })
})

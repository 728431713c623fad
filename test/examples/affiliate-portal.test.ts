import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { createPortal } from '../../examples/affiliate-portal/server.ts'
import { createTestApp } from '../support/app.ts'
import { axeProblems, hasChromium, needsChromium, screens, sharedChromium } from '../support/browser.ts'
import { createSeller, reportSale } from '../support/factories.ts'

describe.skipIf(!hasChromium)('the example portal', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  let answer: RequestListener = (_request, response) => response.end()
  const portal = await listen((request, response) => answer(request, response))
  const test = await createTestApp({ portalOrigins: [portal] })
  const service = await listen(test.app.handle)
  const browser = await sharedChromium()

  const program = await test.createProgram()
  const ada = await createSeller(program, { commission_percent: 20 })
  await program.put(`/affiliates/${ada.affiliate.id}`, { first_name: 'Ada' })
  const bob = await createSeller(program)
  await reportSale(program, { coupon: ada.coupon, email: 'grace@customers.test', amount_cents: 12_345 })
  await reportSale(program, { coupon: bob.coupon, email: 'zoe@bobs-customers.test', amount_cents: 777_700 })

  async function visit(width = 1280, colorScheme: 'light' | 'dark' = 'light') {
    const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme })
    const page = await context.newPage()
    const seen: Promise<string>[] = []
    const tokens: string[] = []
    page.on('response', (response) => void seen.push(response.text().catch(() => '')))
    page.on('request', (request) => request.url() === `${portal}/token` && tokens.push(request.url()))
    await page.goto(portal)
    return { context, page, tokens, seen: async () => (await Promise.all(seen)).join(' ') }
  }

  it.each(screens)(
    'at %i pixels, %s: shows the own data, and never the key or data of others',
    async (width, scheme) => {
      answer = createPortal(service, program.secret, ada.affiliate.id)
      const { context, page, tokens, seen } = await visit(width, scheme)
      await page.getByRole('heading', { name: 'Hello, Ada' }).waitFor()
      await page.getByText(ada.link.url).waitFor()
      await page.getByText('24.69 USD pending, from g•••@customers.test').waitFor()
      expect(tokens).toHaveLength(1)
      const all = `${await page.content()} ${await seen()}`
      for (const foreign of [program.secret, bob.affiliate.id, bob.coupon, 'bobs-customers', '1,555', '1555'])
        expect(all).not.toContain(foreign)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      expect(await axeProblems(page)).toEqual([])
      await context.close()
    },
  )

  it('says so if no token can be made', async () => {
    answer = createPortal(service, 'trib_sk_wrong', ada.affiliate.id)
    const { context, page } = await visit()
    await page.getByText('The service does not answer. Try again later.').waitFor()
    await context.close()
  })
})

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

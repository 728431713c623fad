import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import AxeBuilder from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPortal, type PortalOptions } from '../../examples/affiliate-portal/server.ts'
import { money } from '../../examples/affiliate-portal/src/format.ts'
import { tellStory } from '../affiliate-tokens/story.ts'
import { createTestApp } from '../support/app.ts'
import { hasChromium, launchChromium, needsChromium } from '../support/browser.ts'

const listen = (server: Server) =>
  new Promise<string>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)),
  )

it.each([
  [1234, 'usd', '$12.34'],
  [5, 'usd', '$0.05'],
  [-980, 'eur', '-€9.80'],
  [1234, 'jpy', '¥1,234'],
  [1234, 'huf', 'HUF 12.34'],
  [1234, 'kwd', 'KWD 1.234'],
  [9_007_199_254_740_991, 'usd', '$90,071,992,547,409.91'],
])('an amount of %i minor units of %s reads %s', (amount, currency, text) => {
  expect(money(amount, currency).replace(/\u00a0/g, ' ')).toBe(text)
})

describe.skipIf(!hasChromium)('the portal in a browser', () => {
  if (!hasChromium) return it(needsChromium, () => {})
  let browser: Browser
  let portal: string
  let service: Server
  let options: PortalOptions
  const portalServer = createServer((request, response) => void answer(request, response))
  let answer: Awaited<ReturnType<typeof createPortal>>

  beforeAll(async () => {
    portal = await listen(portalServer)
    const test = await createTestApp({ portalOrigins: [portal] })
    const { program, ada } = await tellStory(test)
    service = createServer(test.app.handle)
    options = { service: await listen(service), key: program.secret, affiliateId: ada.id }
    answer = await createPortal(options)
    browser = await launchChromium('MAP * ~NOTFOUND , EXCLUDE 127.0.0.1')
  })
  afterAll(async () => {
    await browser?.close()
    for (const server of [portalServer, service]) server?.closeAllConnections()
    for (const server of [portalServer, service]) server?.close()
  })

  async function open(settings: { colorScheme?: 'dark' | 'light'; width?: number } = {}) {
    const { colorScheme = 'light', width = 1000 } = settings
    const context = await browser.newContext({
      colorScheme,
      viewport: { width, height: 900 },
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(portal)
    return { page, complaints }
  }
  const shot = (page: Page, name: string) => {
    const folder = process.env.SCREENSHOTS
    return folder ? page.screenshot({ path: `${folder}/portal-${name}.png`, fullPage: true }) : undefined
  }

  it("shows an affiliate's own numbers, and nobody else's", async () => {
    const { page, complaints } = await open()
    await page.getByRole('heading', { name: 'First-ada Last-ada' }).waitFor()
    const text = (await page.locator('main').innerText()).replace(/\u00a0/g, ' ')
    expect(text).toContain('10 percent of each sale')
    expect(text).toContain('c•••@customers.test')
    expect(text).toMatch(/Commission paid\s+19\.90 USD\s+3 commissions/)
    expect(text).toContain('$1.00 given back')
    expect(text).not.toMatch(/eve|joan|customer-ada/i)
    const commissions = page.getByRole('table', { name: 'Last commissions' })
    expect(await commissions.getByRole('columnheader').allInnerTexts()).toEqual([
      'Sale',
      'Commission',
      'State',
      'Customer',
      'Sold for',
    ])
    expect(await commissions.getByRole('row').count()).toBe(5)
    expect(await page.getByRole('table', { name: 'Payouts' }).innerText()).toContain('paid Mar 10, 2026')
    expect(complaints).toEqual([])
    await shot(page, 'light')
  })

  it('copies a link', async () => {
    const { page } = await open()
    await page.getByRole('button', { name: /^Copy https:/ }).click()
    await page.getByText('Copied').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^https:\/\/acme\.test\/?\?via=/)
  })

  it.each([
    ['dark', 1000],
    ['light', 1000],
    ['dark', 360],
  ] as const)('is accessible, in a %s scheme and %i wide', async (colorScheme, width) => {
    const { page } = await open({ colorScheme, width })
    await page.getByRole('heading', { name: 'First-ada Last-ada' }).waitFor()
    await shot(page, `${colorScheme}-${width}`)
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
    // By the debugger's way in: the page's own policy lets no other script in.
    await page.evaluate(AxeBuilder.source)
    const { violations } = await page.evaluate(() => (window as any).axe.run())
    expect(violations.map(({ id, nodes }: any) => [id, nodes.map(({ html }: any) => html)])).toEqual([])
  })

  it('says so where nobody is logged in', async () => {
    answer = await createPortal({ ...options, key: 'trib_sk_nobody' })
    const { page } = await open()
    expect(await page.getByRole('alert').innerText()).toBe('You are not logged in.')
    answer = await createPortal(options)
  })
})

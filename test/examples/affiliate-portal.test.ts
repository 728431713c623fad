import { execFile } from 'node:child_process'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { createBackend } from '../../examples/affiliate-portal/backend.ts'
import { createTestApp } from '../support/app.ts'
import { axeProblems, hasChromium, needsChromium, screens, sharedChromium } from '../support/browser.ts'
import { createSeller, listed, reportSale } from '../support/factories.ts'

/** Formats an amount from REST as the page does: "$12.34". */
const money = (cents: number) => (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })

describe.skipIf(!hasChromium)('the example portal', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  await promisify(execFile)(process.execPath, ['--import', 'tsx', 'examples/affiliate-portal/build.ts'])

  let answer: RequestListener = (_request, response) => response.end()
  const portal = await listen((request, response) => answer(request, response))
  const test = await createTestApp({ portalOrigins: [portal] })
  const service = await listen(test.app.handle)
  // No other host resolves, so the page can reach only its backend and the service.
  const browser = await sharedChromium()

  const program = await test.createProgram()
  const ada = await createSeller(program, { name: 'Launch', commission_percent: 20 })
  await program.put(`/affiliates/${ada.affiliate.id}`, { first_name: 'Ada' })
  const bob = await createSeller(program, { name: 'Bobs terms' })
  const early = { occurred_at: '2026-01-05T12:00:00Z' }
  await reportSale(program, { coupon: ada.coupon, email: 'paid@customers.test', amount_cents: 5_005, ...early })
  const [payout] = await listed(program, '/payouts')
  await program.graphql(
    'mutation ($id: ID!) { payPayout(input: { id: $id, reference: "WIRE-7" }) { payout { state } } }',
    { id: payout.id },
  )
  await reportSale(program, { coupon: ada.coupon, email: 'due@customers.test', amount_cents: 12_345, ...early })
  for (let number = 0; number < 12; number++)
    await reportSale(program, { coupon: ada.coupon, email: `c${number}@customers.test`, amount_cents: 1_000 + number })
  await reportSale(program, { coupon: bob.coupon, email: 'zoe@bobs-customers.test', amount_cents: 777_700 })

  /** Opens the page as an affiliate in a new browser context. Records requests, the service's response bodies, and console errors. */
  async function visit(affiliate: string = ada.affiliate.id, options: BrowserContextOptions = {}) {
    answer = createBackend({ service, key: program.secret, affiliate })
    const context = await browser.newContext({
      permissions: ['clipboard-read', 'clipboard-write'],
      locale: 'en-US',
      timezoneId: 'UTC',
      ...options,
    })
    context.setDefaultTimeout(30_000)
    await context.clock.setFixedTime(test.clock.now)
    const page = await context.newPage()
    const requests: string[] = []
    const errors: string[] = []
    const bodies: Promise<string>[] = []
    page.on('request', (request) => requests.push(`${request.method()} ${request.url()}`))
    page.on('response', (response) => {
      if (response.url().startsWith(service)) bodies.push(response.text().catch(() => ''))
    })
    page.on('pageerror', (error) => errors.push(error.message))
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    await page.goto(portal)
    return { context, page, requests, errors, bodies }
  }
  const tokenRequests = (requests: string[]) => requests.filter((request) => request === `POST ${portal}/token`).length
  const region = (page: Page, name: string) => page.getByRole('region', { name })
  const rows = (page: Page, name = 'Commissions') =>
    region(page, name)
      .locator('tbody tr')
      .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)))
  const loaded = async (page: Page) => {
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.locator('.chart svg').waitFor()
    for (const name of ['Your sales', 'Commissions', 'Payouts'])
      await region(page, name).locator('dl, table, p').first().waitFor()
  }
  const rowCount = (page: Page, count: number) => expect.poll(async () => (await rows(page)).length).toBe(count)
  const commissionsOf = (affiliateId: string) =>
    listed(program, `/commissions?affiliate_id=${affiliateId}&limit=100&expand[]=sale`)

  it('shows the same data as REST, page by page and by state', async () => {
    const { context, page, errors } = await visit()
    await page.getByRole('heading', { name: 'Hello, Ada' }).waitFor()
    await page.getByText('· Launch').waitFor()
    await page.getByText('You earn 20% of each sale to a customer you refer.').waitFor()
    const all = await commissionsOf(ada.affiliate.id)
    expect(all).toHaveLength(14)
    await page.getByText('14 sales').waitFor()
    const sumOf = (state: string) =>
      money(all.filter((one) => one.state === state).reduce((sum, one) => sum + one.amount, 0))
    const sales = [5_005, 12_345, ...Array.from({ length: 12 }, (_, number) => 1_000 + number)]
    const sold = sales.reduce((sum, cents) => sum + cents, 0)
    const earned = ['$24.69', '$24.13', '$10.01']
    expect([sumOf('due'), sumOf('pending'), sumOf('paid')]).toEqual(earned)
    const totals = page.locator('.totals .amount')
    await expect.poll(() => totals.allTextContents()).toEqual([...earned, money(sold)])

    await rowCount(page, 10)
    const first = await rows(page)
    await region(page, 'Commissions').getByRole('button', { name: 'Older' }).click()
    await rowCount(page, 4)
    const amounts = [...first, ...(await rows(page))].map(([, , , state, amount]) => `${state} ${amount}`.toLowerCase())
    expect(amounts).toEqual(all.map(({ state, amount }) => `${state} ${money(amount)}`.toLowerCase()))
    await region(page, 'Commissions').getByRole('button', { name: 'Newer' }).click()
    await rowCount(page, 10)
    expect(await rows(page)).toEqual(first)

    await page.getByLabel('Show').selectOption('Due')
    await rowCount(page, 1)
    expect(await rows(page)).toEqual([['d•••@customers.test', 'Jan 5, 2026', 'Feb 4, 2026', 'Due', '$24.69']])
    const [paid] = (await rows(page, 'Payouts')).filter(([, , , state]) => state === 'Paid')
    expect(paid).toEqual(['Mar 10, 2026', 'Mar 10, 2026', 'WIRE-7', 'Paid', '$10.01'])
    expect(errors).toEqual([])
    await context.close()
  })

  it('shows totals and counts per currency and never adds currencies up', async () => {
    const cy = await createSeller(program)
    for (const [currency, amount_cents] of [
      ['usd', 1_000],
      ['eur', 2_000],
      ['eur', 3_000],
      ['jpy', 4_000],
    ] as const)
      await reportSale(program, { coupon: cy.coupon, email: `${currency}@customers.test`, currency, amount_cents })
    const { context, page } = await visit(cy.affiliate.id)
    const totals = (currency: string) => region(page, `Your commissions in ${currency}`).locator('dd').allTextContents()
    await loaded(page)
    await expect.poll(() => page.getByRole('region', { name: /^Your commissions/ }).count()).toBe(3)
    const noneDue = (zero: string) => [zero, 'In your next payout · 0 commissions']
    const nonePaid = (zero: string) => [zero, 'To date · 0 commissions']
    await expect
      .poll(() => Promise.all(['USD', 'EUR', 'JPY'].map(totals)))
      .toEqual([
        [...noneDue('$0.00'), '$1.00', 'Next due on Apr 9, 2026 · 1 commission', ...nonePaid('$0.00')],
        [...noneDue('€0.00'), '€5.00', 'Next due on Apr 9, 2026 · 2 commissions', ...nonePaid('€0.00')],
        [...noneDue('¥0'), '¥400', 'Next due on Apr 9, 2026 · 1 commission', ...nonePaid('¥0')],
      ])
    const sales = await region(page, 'Your sales').locator('dd').allTextContents()
    expect(sales).toEqual(['¥4,000', '1 sale', '€50.00', '2 sales', '$10.00', '1 sale'])
    expect((await rows(page)).map((cells) => cells[4])).toEqual(['¥400', '€3.00', '€2.00', '$1.00'])
    await context.close()
  })

  it('receives masked customers, no data of other affiliates, and never the API key', async () => {
    const { context, page, requests, bodies } = await visit()
    await loaded(page)
    await rowCount(page, 10)
    const seen = `${await page.content()} ${(await Promise.all(bodies)).join(' ')} ${requests.join(' ')}`
    expect(seen).toContain('c•••@customers.test')
    expect(seen).not.toMatch(/c\d+@customers\.test|paid@customers|due@customers/)
    for (const foreign of [
      bob.affiliate.id,
      bob.affiliate.email,
      bob.coupon,
      'bobs-customers',
      '777.70',
      '7,777.00',
      '777700',
      'Bobs terms',
    ])
      expect(seen).not.toContain(foreign)
    expect(seen).not.toContain(program.secret)
    expect(
      requests.filter((request) => !request.includes(` ${portal}`) && !request.includes(` ${service}/graphql`)),
    ).toEqual([])
    expect(await page.evaluate(() => localStorage.length + sessionStorage.length + document.cookie.length)).toBe(0)
    await context.close()

    const other = await visit(bob.affiliate.email)
    await other.page.getByRole('main').getByText(bob.affiliate.email, { exact: false }).waitFor()
    await rowCount(other.page, 1)
    expect(await rows(other.page)).toEqual([
      ['z•••@bobs-customers.test', 'Mar 10, 2026', 'Apr 9, 2026', 'Pending', '$777.70'],
    ])
    await other.context.close()
  })

  it('requests a new token when the current one has expired, once', async () => {
    const { context, page, requests } = await visit()
    await loaded(page)
    await rowCount(page, 10)
    expect(tokenRequests(requests)).toBe(1)
    test.clock.advanceMinutes(15)
    await region(page, 'Commissions').getByRole('button', { name: 'Older' }).click()
    await rowCount(page, 4)
    expect(tokenRequests(requests)).toBe(2)
    await context.close()
  })

  it('copies a link and confirms it', async () => {
    const { context, page } = await visit()
    await page.getByRole('button', { name: `Copy link ${ada.link.token}` }).click()
    await page.getByRole('status').getByText(`Copied: ${ada.link.url}`).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(ada.link.url)
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
    await page.getByRole('button', { name: `Copy coupon ${ada.coupon}` }).click()
    await page.getByRole('status').getByText('The text is selected', { exact: false }).waitFor()
    expect(await page.evaluate(() => getSelection()?.toString())).toBe(ada.coupon)
    await context.close()
  })

  it('says when the service is not responding, the affiliate is disabled or the user is signed out, and can retry', async () => {
    const { context, page } = await visit()
    await loaded(page)
    await page.route(`${service}/graphql`, (route) => route.abort())
    await page.getByLabel('Show').selectOption('Paid')
    const alert = page.getByRole('alert')
    await alert.getByText('The service is not responding').waitFor()
    await page.unroute(`${service}/graphql`)
    await alert.getByRole('button', { name: 'Try again' }).click()
    await rowCount(page, 1)

    await program.put(`/affiliates/${ada.affiliate.id}`, { state: 'disabled' })
    await page.getByLabel('Show').selectOption('Due')
    await alert.getByText('Your account is disabled').waitFor()
    await page.reload()
    await alert.getByText('Your account is disabled').waitFor()
    await program.put(`/affiliates/${ada.affiliate.id}`, { state: 'active' })

    await page.route(`${portal}/token`, (route) => route.fulfill({ status: 401, body: '{}' }))
    await page.reload()
    await alert.getByText('You are signed out').waitFor()
    await page.unroute(`${portal}/token`)
    await alert.getByRole('button', { name: 'Try again' }).click()
    await loaded(page)
    await context.close()
  })

  it.each(screens)(
    'at %i pixels, %s: no horizontal scrolling and no accessibility problems',
    async (width, colorScheme) => {
      const { context, page } = await visit(ada.affiliate.id, { viewport: { width, height: 800 }, colorScheme })
      await loaded(page)
      await rowCount(page, 10)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      expect(await axeProblems(page)).toEqual([])
      if (process.env.SCREENSHOTS)
        await page.screenshot({ path: `${process.env.SCREENSHOTS}/${width}-${colorScheme}.png`, fullPage: true })
      await context.close()
    },
  )
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

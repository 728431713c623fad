import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'
import { axeProblems, hasChromium, launchChromium, needsChromium, screens } from '../support/browser.ts'
import { createAffiliate, createLead, createSeller, listed, recordVisit, reportSale } from '../support/factories.ts'

describe.skipIf(!hasChromium)('the page at /portal', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  const test = await createTestApp()
  const server = createServer(test.app.handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  // No other machine is to be found: the page has to do with what the service has.
  const browser = await launchChromium('MAP * ~NOTFOUND, EXCLUDE localhost')
  afterAll(async () => {
    await browser.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  const program = await test.createProgram()
  const ada = await createSeller(program, {
    name: 'Launch',
    commission_percent: 20,
    max_commission_period_in_months: 12,
    minimum_payout_cents: 500,
  })
  await program.put(`/affiliates/${ada.affiliate.id}`, { first_name: 'Ada', last_name: 'Lovelace' })
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
  await recordVisit(program, ada.link.token)
  await createLead(program, ada.link.token)
  await reportSale(program, { coupon: bob.coupon, email: 'zoe@bobs-customers.test', amount_cents: 777_700 })

  /** An address to sign in with, at this server. */
  async function linkOf(affiliateId: string = ada.affiliate.id) {
    const { sso } = (await program.get(`/affiliates/${affiliateId}/sso`)).body
    return sso.url.replace('http://localhost:4000', origin) as string
  }

  /** Somebody new, with what their page asked for, was answered and complained of. */
  async function visit(address: string, options: BrowserContextOptions = {}) {
    const context = await browser.newContext({
      permissions: ['clipboard-read', 'clipboard-write'],
      locale: 'en-US',
      timezoneId: 'Europe/Berlin',
      ...options,
    })
    context.setDefaultTimeout(30_000)
    const page = await context.newPage()
    const asked: string[] = []
    const complaints: string[] = []
    const bodies: Promise<string>[] = []
    page.on('request', (request) => asked.push(`${request.method()} ${request.url()}`))
    page.on('response', (response) => {
      if (response.request().method() === 'POST') bodies.push(response.text().catch(() => ''))
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    await page.goto(address)
    return { context, page, asked, complaints, bodies }
  }
  const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
  const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
  const rows = (page: Page, name = 'Commissions') =>
    region(page, name)
      .locator('tbody tr')
      .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)))
  const pageOf = (page: Page, count: number) => expect.poll(async () => (await rows(page)).length).toBe(count)
  const shown = async (page: Page) => {
    await title(page, 'Hello')
    await page.locator('.chart svg').waitFor()
    await region(page, 'Payouts').locator('table, p').first().waitFor()
    await region(page, 'Commissions').locator('table, p').first().waitFor()
  }
  const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent)
  const kept = (page: Page) => page.evaluate(() => [sessionStorage.length, localStorage.length, document.cookie.length])

  it('from the link to the numbers: terms, sums, links, commissions, payouts', async () => {
    const { context, page, complaints } = await visit(await linkOf())
    await shown(page)
    await title(page, 'Hello, Ada')
    expect(await page.title()).toBe('Acme: affiliate portal')
    await page.getByRole('banner').getByText('Ada Lovelace').waitFor()
    expect(await page.locator('.terms li').allTextContents()).toEqual([
      '20% of each sale of a customer you bring, for 12 months from their first one.',
      'A commission is due 30 days after the sale.',
      'Who comes through your link counts as yours for 60 days.',
      'You are paid once 5.00 USD are due, or as much in another currency.',
    ])
    const sums = region(page, 'Your commissions').locator('.amount')
    await expect.poll(() => sums.allTextContents()).toEqual(['24.69 USD', '24.13 USD', '10.01 USD'])
    await region(page, 'Share').getByText('2 visitors · 1 lead · 0 conversions').waitFor()
    expect((await rows(page))[0]).toEqual(['c•••@customers.test', 'Mar 10, 2026', 'Apr 9, 2026', 'Pending', '2.02 USD'])
    expect(await rows(page, 'Payouts')).toEqual([
      [expect.any(String), 'not yet', '–', 'Pending', '24.69 USD'],
      [expect.any(String), 'Mar 10, 2026', 'WIRE-7', 'Paid', '10.01 USD'],
    ])
    expect(complaints).toEqual([])
    await context.close()
  })

  it('numbers over time are drawn, told in words, and stand in a table; ranges and what is drawn are chosen', async () => {
    const { context, page } = await visit(await linkOf())
    await shown(page)
    const part = region(page, 'Over time')
    const chart = part.getByRole('img')
    // Sales by coupon bring visitors too: each customer's first.
    await expect
      .poll(() => chart.getAttribute('aria-label'))
      .toBe('Visitors from Feb 9 to Mar 10: the most were 16, Mar 10.')
    expect(await part.locator('.bar').count()).toBe(1)
    await part.getByRole('button', { name: 'Earnings 24.13 USD' }).click()
    expect(await part.getByRole('button', { pressed: true }).allTextContents()).toEqual(['Earnings24.13 USD'])
    expect(await chart.getAttribute('aria-label')).toContain('the most were 24.13 USD, Mar 10.')
    await part.getByLabel('Range').selectOption('12 months')
    await part.getByRole('button', { name: 'Earnings 58.83 USD' }).waitFor()
    await part.getByText('The same as a table').click()
    const table = await part
      .locator('tbody tr')
      .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)))
    expect(table).toHaveLength(12)
    expect(table.slice(-3)).toEqual([
      ['Jan 2026', '0', '2', '2', '34.70'],
      ['Feb 2026', '0', '0', '0', '0.00'],
      ['Mar 2026', '16', '13', '12', '24.13'],
    ])
    await part.getByLabel('Range').selectOption('90 days')
    await expect.poll(() => part.locator('tbody tr').count()).toBe(14)
    await context.close()
  })

  it('commissions are read page by page, and by state', async () => {
    const { context, page } = await visit(await linkOf())
    await shown(page)
    const part = region(page, 'Commissions')
    await pageOf(page, 10)
    const first = await rows(page)
    // There is nothing newer, which the button says, and does nothing.
    await part.getByRole('button', { name: 'Newer', disabled: true }).click({ force: true })
    expect(await rows(page)).toEqual(first)
    await part.getByRole('button', { name: 'Older' }).click()
    await pageOf(page, 4)
    await part.getByText('Page 2 of 2').waitFor()
    await part.getByRole('button', { name: 'Newer' }).click()
    await pageOf(page, 10)
    expect(await rows(page)).toEqual(first)
    await page.getByLabel('Show').selectOption('due')
    await pageOf(page, 1)
    expect(await rows(page)).toEqual([['d•••@customers.test', 'Jan 5, 2026', 'Feb 4, 2026', 'Due', '24.69 USD']])
    await page.getByLabel('Show').selectOption('void')
    await part.getByText('None is void.').waitFor()
    await context.close()
  })

  it('a link works once: the second time the page says so, and what to do', async () => {
    const link = await linkOf()
    const first = await visit(link)
    await shown(first.page)
    const second = await visit(link)
    await title(second.page, 'This link does not work any more')
    await second.page
      .getByText('This link has already been used: it works only once. Go back to where your link was')
      .waitFor()
    expect(await focused(second.page)).toBe('This link does not work any more')
    expect(await kept(second.page)).toEqual([0, 0, 0])
    // Whoever came first is not troubled by it.
    await first.page.reload()
    await shown(first.page)
    await first.context.close()
    await second.context.close()
  })

  it('a link works for a minute', async () => {
    const link = await linkOf()
    test.clock.advanceMinutes(1)
    const { context, page } = await visit(link)
    await page.getByText('This link has expired: it works for one minute.').waitFor()
    await context.close()
  })

  it('a page that is only fetched does not use the link up', async () => {
    const link = await linkOf()
    for (const method of ['GET', 'HEAD']) expect((await fetch(link, { method })).status).toBe(200)
    const { context, page } = await visit(link)
    await shown(page)
    await context.close()
  })

  it('the ticket is in no address, no history, and no request but its own; no other origin is asked', async () => {
    const link = await linkOf()
    const ticket = new URL(link).hash.slice('#ticket='.length)
    const { context, page, asked, complaints } = await visit(link)
    await shown(page)
    expect(page.url()).toBe(`${origin}/portal`)
    await page.goto('about:blank')
    await page.goBack()
    expect(page.url()).toBe(`${origin}/portal`)
    await shown(page)
    expect(asked.filter((one) => one.includes(ticket) && !one.endsWith(`#ticket=${ticket}`))).toEqual([])
    expect(asked.filter((one) => !one.includes(` ${origin}/`) && !one.includes('about:blank'))).toEqual([])
    expect(asked.filter((one) => one === `POST ${origin}/portal/session`)).toHaveLength(1)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('a reload keeps the session; another tab, and the page without a link, have none', async () => {
    const { context, page } = await visit(await linkOf())
    await shown(page)
    expect(await kept(page)).toEqual([1, 0, 0])
    await page.reload()
    await shown(page)
    const other = await context.newPage()
    await other.goto(`${origin}/portal`)
    await title(other, 'Sign in with a link')
    await context.close()
  })

  it('signing out forgets everything, also for who goes back or reloads', async () => {
    const { context, page } = await visit(await linkOf())
    await shown(page)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await title(page, 'You are signed out')
    expect(await focused(page)).toBe('You are signed out')
    expect(await kept(page)).toEqual([0, 0, 0])
    expect(await page.content()).not.toContain(ada.affiliate.email)
    await page.reload()
    await title(page, 'Sign in with a link')
    await context.close()
  })

  it('says when the session is over, and when the affiliate is disabled meanwhile', async () => {
    const { context, page } = await visit(await linkOf())
    await shown(page)
    test.clock.advanceMinutes(60)
    await page.getByLabel('Show').selectOption('paid')
    await title(page, 'Your session is over')
    expect(await kept(page)).toEqual([0, 0, 0])
    // A new link in the same tab changes nothing of the address but its fragment.
    await page.goto(await linkOf())
    await shown(page)
    await program.put(`/affiliates/${ada.affiliate.id}`, { state: 'disabled' })
    await page.getByLabel('Show').selectOption('paid')
    await title(page, 'Your session is over')
    await program.put(`/affiliates/${ada.affiliate.id}`, { state: 'active' })
    await context.close()
  })

  it("another affiliate's link in the same tab shows their numbers, and a wrong one nobody's", async () => {
    const { context, page } = await visit(await linkOf())
    await shown(page)
    await page.goto(await linkOf(bob.affiliate.id))
    await page.getByRole('main').getByText(bob.affiliate.email).waitFor()
    await pageOf(page, 1)
    expect(await page.content()).not.toContain(ada.affiliate.email)
    await page.goto(`${origin}/portal#ticket=nonsense`)
    await title(page, 'This link does not work any more')
    expect(await kept(page)).toEqual([0, 0, 0])
    await context.close()
  })

  it('where the service does not answer, the page says so, and goes on when it does', async () => {
    const { context, page } = await visit(`${origin}/portal`)
    await page.route('**/portal/session', (route) => route.abort())
    await page.goto(await linkOf())
    await title(page, 'The service does not answer')
    await page.unroute('**/portal/session')
    await page.getByRole('button', { name: 'Try again' }).click()
    await shown(page)
    await page.route('**/graphql', (route) => route.abort())
    await page.getByLabel('Show').selectOption('paid')
    await region(page, 'Commissions').getByRole('alert').getByText('does not answer').waitFor()
    await page.unroute('**/graphql')
    await page.getByRole('button', { name: 'Try again' }).click()
    await pageOf(page, 1)
    await context.close()
  })

  it('shows nothing of others, whatever was answered, and customers masked', async () => {
    const { context, page, bodies } = await visit(await linkOf())
    await shown(page)
    const seen = `${await page.content()} ${(await Promise.all(bodies)).join(' ')}`
    expect(seen).toContain('c•••@customers.test')
    expect(seen).not.toMatch(/c\d+@customers\.test|paid@customers|due@customers/)
    const foreign = [bob.affiliate.id, bob.affiliate.email, bob.coupon, 'bobs-customers', '777', 'Bobs terms']
    expect([...foreign, program.secret].filter((one) => seen.includes(one))).toEqual([])
    await context.close()
  })

  it('a currency has sums of its own, and earnings of one are drawn at a time', async () => {
    const cy = await createSeller(program)
    for (const [currency, amount_cents] of [
      ['usd', 1_000],
      ['eur', 200_050],
      ['jpy', 4_000_000],
    ] as const)
      await reportSale(program, { coupon: cy.coupon, email: `${currency}@customers.test`, currency, amount_cents })
    const { context, page } = await visit(await linkOf(cy.affiliate.id))
    await shown(page)
    const pending = (currency: string) =>
      region(page, `Your commissions in ${currency}`).locator('.amount').nth(1).textContent()
    await expect
      .poll(() => Promise.all(['USD', 'EUR', 'JPY'].map(pending)))
      .toEqual(['1.00 USD', '200.05 EUR', '400,000 JPY'])
    await page.getByLabel('Earnings in').selectOption('EUR')
    await page.getByRole('button', { name: 'Earnings 200.05 EUR' }).waitFor()
    await context.close()
  })

  it('to somebody new it says what comes, and how', async () => {
    const { id } = await createAffiliate(program)
    const { context, page, complaints } = await visit(await linkOf(id))
    await shown(page)
    await page.getByText('You earn your first one when somebody buys', { exact: false }).waitFor()
    await page.getByText('Commissions that are due are gathered in a payout', { exact: false }).waitFor()
    await page.getByText('Nothing in this time. Share your link', { exact: false }).waitFor()
    expect(await axeProblems(page)).toEqual([])
    expect(complaints).toEqual([])
    await context.close()
  })

  it('copies a link, and says so', async () => {
    const { context, page } = await visit(await linkOf())
    await page.getByRole('button', { name: `Copy link ${ada.link.token}` }).click()
    await page.getByRole('status').getByText(`Copied: ${ada.link.url}`).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(ada.link.url)
    await context.close()
  })

  it('all of it works with the keyboard alone, and where the focus is can be seen', async () => {
    const { context, page } = await visit(await linkOf())
    await shown(page)
    await pageOf(page, 10)
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Skip to your numbers')
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('numbers')
    const stops: string[] = []
    for (let presses = 0; presses < 30; presses++) {
      await page.keyboard.press('Tab')
      const stop = await page.evaluate(() => {
        const { activeElement: element } = document
        if (!element || element === document.body) return null
        const { outlineStyle, outlineWidth } = getComputedStyle(element)
        const name = (element as HTMLSelectElement).labels?.[0]?.firstChild?.textContent ?? element.textContent ?? ''
        return { name: name.trim(), isSeen: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2 }
      })
      if (!stop) break
      expect(stop).toMatchObject({ isSeen: true })
      stops.push(stop.name)
      if (stop.name.startsWith('Leads')) await page.keyboard.press('Space')
      if (stop.name === 'The same as a table') await page.keyboard.press('Enter')
      if (stop.name === 'Older') {
        await page.keyboard.press('Enter')
        await pageOf(page, 4)
        // Whoever turned the page is still where they were.
        expect(await focused(page)).toBe('Older')
      }
    }
    expect(stops).toEqual(expect.arrayContaining(['Range', 'Show', 'Newer', 'Older', `Copy link ${ada.link.token}`]))
    expect(await region(page, 'Over time').getByRole('button', { pressed: true }).textContent()).toContain('Leads')
    await region(page, 'Numbers over time').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).focus()
    await page.keyboard.press('Enter')
    await title(page, 'You are signed out')
    await context.close()
  })

  /** Nothing moves, so that what is measured is what stays. */
  const still = (width: number, colorScheme: 'light' | 'dark') => ({
    viewport: { width, height: 800 },
    colorScheme,
    reducedMotion: 'reduce' as const,
  })
  async function look(page: Page, context: BrowserContext, width: number, name: string) {
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    expect(await axeProblems(page)).toEqual([])
    if (process.env.SCREENSHOTS)
      await page.screenshot({ path: `${process.env.SCREENSHOTS}/${width}-${name}.png`, fullPage: true })
    await context.close()
  }

  it.each(screens)('at %i pixels, %s, it does not scroll sideways, and axe finds nothing', async (width, scheme) => {
    const { context, page } = await visit(await linkOf(), still(width, scheme))
    await shown(page)
    await pageOf(page, 10)
    await page.getByText('The same as a table').click()
    await look(page, context, width, scheme)
  })

  it.each(screens)('nor at %i pixels, %s, where a link is not taken', async (width, scheme) => {
    const { context, page } = await visit(`${origin}/portal#ticket=nonsense`, still(width, scheme))
    await title(page, 'This link does not work any more')
    await look(page, context, width, `${scheme}-refused`)
  })
})

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'
import { axeProblems, hasChromium, needsChromium, screens, sharedChromium } from '../support/browser.ts'
import { createAffiliate, createLead, createSeller, listed, recordVisit, reportSale } from '../support/factories.ts'
import { runsOf } from '../support/payout-runs.ts'

describe.skipIf(!hasChromium)('the page at /portal', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  const test = await createTestApp()
  const server = createServer(test.app.handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  const browser = await sharedChromium()
  afterAll(async () => {
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

  /** Returns a sign-in link to this server. */
  async function createSignInLink(affiliateId: string = ada.affiliate.id) {
    const { sso } = (await program.get(`/affiliates/${affiliateId}/sso`)).body
    return sso.url.replace('http://localhost:4000', origin) as string
  }

  /** Opens the address in a new browser context. Records requests, response bodies of POSTs, and console errors. */
  async function visit(address: string, options: BrowserContextOptions = {}) {
    const context = await browser.newContext({
      permissions: ['clipboard-read', 'clipboard-write'],
      locale: 'en-US',
      timezoneId: 'Europe/Berlin',
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
      if (response.request().method() === 'POST') bodies.push(response.text().catch(() => ''))
    })
    page.on('pageerror', (error) => errors.push(error.message))
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    await page.goto(address)
    return { context, page, requests, errors, bodies }
  }
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
  const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
  const rows = (page: Page, name = 'Commissions') =>
    region(page, name)
      .locator('tbody tr')
      .evaluateAll((elements) => elements.map((row) => [...row.children].map((cell) => cell.textContent)))
  const rowCount = (page: Page, count: number) => expect.poll(async () => (await rows(page)).length).toBe(count)
  const loaded = async (page: Page) => {
    await heading(page, 'Hello')
    await page.locator('.chart svg').waitFor()
    await region(page, 'Payouts').locator('table, p').first().waitFor()
    await region(page, 'Commissions').locator('table, p').first().waitFor()
  }
  const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent)
  const storageSizes = (page: Page) =>
    page.evaluate(() => [sessionStorage.length, localStorage.length, document.cookie.length])

  it('signs in with a link and shows terms, totals, links, commissions and payouts', async () => {
    const { context, page, errors } = await visit(await createSignInLink())
    await loaded(page)
    await heading(page, 'Hello, Ada')
    expect(await page.title()).toBe('Acme: affiliate portal')
    await page.getByRole('banner').getByText('Ada Lovelace').waitFor()
    expect(await page.locator('.terms li').allTextContents()).toEqual([
      'You earn 20% of each sale to a customer you refer, for 12 months from their first sale.',
      'Commissions are due 30 days after the sale.',
      'A visitor who follows your link counts as your referral for 60 days.',
      'You are paid when at least $5.00 is due, or the same number in another currency.',
    ])
    const totals = region(page, 'Your commissions').locator('.amount')
    await expect.poll(() => totals.allTextContents()).toEqual(['$24.69', '$24.13', '$10.01'])
    await region(page, 'Your commissions').getByText('Next due on Apr 9, 2026').waitFor()
    await region(page, 'Share').getByText('2 visitors · 1 lead · 0 conversions').waitFor()
    expect((await rows(page))[0]).toEqual([
      'c•••@customers.testSale of $10.11Why this amount',
      'Mar 10, 2026',
      'Apr 9, 2026',
      'Pending',
      '$2.02',
    ])
    expect(await rows(page, 'Payouts')).toEqual([
      [expect.any(String), 'not yet', '–', 'Pending', '$24.69'],
      [expect.any(String), 'Mar 10, 2026', 'WIRE-7', 'Paid', '$10.01'],
    ])
    expect(errors).toEqual([])
    await context.close()
  })

  it('says why a commission has its amount, in the language of the page', async () => {
    const { context, page, errors } = await visit(await createSignInLink(), { viewport: { width: 360, height: 780 } })
    await loaded(page)
    const row = region(page, 'Commissions').locator('tbody tr').first()
    await row.getByText('Why this amount').click()
    await row.getByText('20% of $10.11 is $2.02, rounded half up.').waitFor()
    // It stays open, and follows the language.
    await page.getByLabel('Language').selectOption('de')
    await page.getByText('kaufmännisch gerundet').waitFor()
    expect(await page.locator('details.why[open]').count()).toBe(1)
    await page.locator('.terms').getByText('jedes Verkaufs an Kunden, die Sie empfehlen').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    expect(await axeProblems(page)).toEqual([])
    await page.getByLabel('Sprache').selectOption('en')
    await page.locator('.terms').getByText('of each sale').waitFor()
    expect(errors).toEqual([])
    await context.close()
  })

  it('has links to its sections, at the top of every screen', async () => {
    const { context, page, errors } = await visit(await createSignInLink())
    await loaded(page)
    const sections = page.getByRole('navigation', { name: 'On this page' })
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 })
      for (const title of ['Your data', 'Payouts', 'Share']) {
        await sections.getByRole('link', { name: title, exact: true }).focus()
        await page.keyboard.press('Enter')
        const place = async () => {
          const [bar, target] = [
            await sections.boundingBox(),
            await page.getByRole('heading', { name: title, exact: true }).boundingBox(),
          ]
          return bar && target && bar.y === 0 && target.y >= bar.height && target.y < 800
        }
        await expect.poll(place).toBe(true)
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await axeProblems(page)).toEqual([])
      }
    }
    expect(errors).toEqual([])
    await context.close()
  })

  it('shows an IBAN as it is stored, as soon as it is saved', async () => {
    const { id } = await createAffiliate(program)
    const { context, page } = await visit(await createSignInLink(id))
    await loaded(page)
    const paid = region(page, 'How you are paid')
    await paid.getByLabel('IBAN').fill('de89 3704 0044 0532 0130 00')
    await paid.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => paid.getByLabel('IBAN').inputValue()).toBe('DE89370400440532013000')
    await context.close()
  })

  it('tells an affiliate who was disabled meanwhile, and whom to ask', async () => {
    const { id } = await createAffiliate(program)
    const { context, page } = await visit(await createSignInLink(id))
    await loaded(page)
    await program.put(`/affiliates/${id}`, { state: 'disabled' })
    await page.reload()
    await heading(page, 'Your account is disabled')
    await page.getByText('Contact the program if you think that this is a mistake.').waitFor()
    expect(await page.getByRole('button', { name: 'Send me a link' }).count()).toBe(0)
    expect(await axeProblems(page)).toEqual([])
    await context.close()
  })

  it('says how much is missing until the minimum', async () => {
    const eve = await createSeller(program, { name: 'Late', commission_percent: 20, minimum_payout_cents: 5_000 })
    await reportSale(program, { coupon: eve.coupon, email: 'eve@customers.test', amount_cents: 4_900, ...early })
    const { context, page } = await visit(await createSignInLink(eve.affiliate.id))
    await loaded(page)
    const totals = region(page, 'Your commissions')
    await totals.getByText('$40.20 to go until the minimum of $50.00').waitFor()
    expect(await totals.getByText('In your next payout').count()).toBe(0)
    await context.close()
  })

  it('says that a payout was sent, and that a payment failed', async () => {
    const gus = await createSeller(program, { name: 'Runs', commission_percent: 20, minimum_payout_cents: 0 })
    await reportSale(program, { coupon: gus.coupon, email: 'gus@customers.test', amount_cents: 5_000, ...early })
    const [open] = await listed(program, `/payouts?affiliate_id=${gus.affiliate.id}`)
    const runs = runsOf(program)
    const run = await runs.create({ method: 'MANUAL', payoutIds: [open.id] })
    await runs.markSent(run.id)
    const { context, page } = await visit(await createSignInLink(gus.affiliate.id))
    await loaded(page)
    await region(page, 'Your commissions').getByText('Sent on Mar 10, 2026').waitFor()
    expect((await rows(page, 'Payouts')).map((cells) => cells.slice(1))).toEqual([['not yet', '–', 'Sent', '$10.00']])
    await runs.record(run.id, [{ payoutId: open.id, state: 'RETURNED' }])
    await page.reload()
    await loaded(page)
    await region(page, 'Your commissions').getByText('In your next payout').waitFor()
    await region(page, 'Payouts').getByText('Its commissions are due again').waitFor()
    expect((await rows(page, 'Payouts')).map((cells) => cells[3]).sort()).toEqual(['Failed', 'Pending'])
    await context.close()
  })

  it('shows performance as a chart, as text and as a table, for a selected range and metric', async () => {
    const { context, page } = await visit(await createSignInLink())
    await loaded(page)
    const part = region(page, 'Performance')
    const chart = part.getByRole('img')
    // The first sale by coupon to each customer counts as a visitor.
    await expect
      .poll(() => chart.getAttribute('aria-label'))
      .toBe('Visitors from Feb 9 to Mar 10. Highest: 16 (Mar 10).')
    expect(await part.locator('.bar').count()).toBe(1)
    await part.getByRole('button', { name: 'Earnings $24.13' }).click()
    expect(await part.getByRole('button', { pressed: true }).allTextContents()).toEqual(['Earnings$24.13'])
    expect(await chart.getAttribute('aria-label')).toContain('Highest: $24.13 (Mar 10).')
    await part.getByLabel('Range').selectOption('12 months')
    await part.getByRole('button', { name: 'Earnings $58.83' }).waitFor()
    // March is not over.
    await part.locator('.chart').getByText('Mar 2026 so far').waitFor()
    expect(await part.locator('.bar.unfinished').count()).toBe(1)
    await part.locator('.chart').getByText('$20', { exact: true }).waitFor()
    await part.getByText('Show as a table').click()
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

  it('pages through commissions and filters them by state', async () => {
    const { context, page } = await visit(await createSignInLink())
    await loaded(page)
    const part = region(page, 'Commissions')
    await rowCount(page, 10)
    const first = await rows(page)
    // There is no newer page: the button is marked as disabled and does nothing.
    await part.getByRole('button', { name: 'Newer', disabled: true }).click({ force: true })
    expect(await rows(page)).toEqual(first)
    await part.getByRole('button', { name: 'Older' }).click()
    await rowCount(page, 4)
    await part.getByText('Page 2 of 2').waitFor()
    await part.getByRole('button', { name: 'Newer' }).click()
    await rowCount(page, 10)
    expect(await rows(page)).toEqual(first)
    await page.getByLabel('Show').selectOption('Due')
    await rowCount(page, 1)
    expect(await rows(page)).toEqual([
      ['d•••@customers.testSale of $123.45Why this amount', 'Jan 5, 2026', 'Feb 4, 2026', 'Due', '$24.69'],
    ])
    await page.getByLabel('Show').selectOption('Cancelled')
    await part.getByText('No cancelled commissions.').waitFor()
    await context.close()
  })

  it('rejects a used sign-in link and says what to do', async () => {
    const link = await createSignInLink()
    const first = await visit(link)
    await loaded(first.page)
    const second = await visit(link)
    await heading(second.page, 'This link no longer works')
    await second.page
      .getByText(
        'This link has already been used: it works only once. Return to the site where you manage your account',
      )
      .waitFor()
    expect(await focused(second.page)).toBe('This link no longer works')
    expect(await storageSizes(second.page)).toEqual([0, 0, 0])
    // The first session stays valid.
    await first.page.reload()
    await loaded(first.page)
    await first.context.close()
    await second.context.close()
  })

  it('rejects a sign-in link after one minute', async () => {
    const link = await createSignInLink()
    test.clock.advanceMinutes(1)
    const { context, page } = await visit(link)
    await page.getByText('This link has expired. Ask for a new one.').waitFor()
    await context.close()
  })

  it('does not use up a sign-in link when the page is only fetched', async () => {
    const link = await createSignInLink()
    for (const method of ['GET', 'HEAD']) expect((await fetch(link, { method })).status).toBe(200)
    const { context, page } = await visit(link)
    await loaded(page)
    await context.close()
  })

  it('keeps the ticket out of the address, the history and other requests, and requests no other origin', async () => {
    const link = await createSignInLink()
    const ticket = new URL(link).hash.slice('#ticket='.length)
    const { context, page, requests, errors } = await visit(link)
    await loaded(page)
    expect(page.url()).toBe(link.replace(/#.*/, ''))
    await page.goto('about:blank')
    await page.goBack()
    expect(page.url()).toBe(link.replace(/#.*/, ''))
    await loaded(page)
    expect(requests.filter((request) => request.includes(ticket) && !request.endsWith(`#ticket=${ticket}`))).toEqual([])
    expect(requests.filter((request) => !request.includes(` ${origin}/`) && !request.includes('about:blank'))).toEqual(
      [],
    )
    expect(requests.filter((request) => request === `POST ${origin}/portal/session`)).toHaveLength(1)
    expect(errors).toEqual([])
    await context.close()
  })

  it('keeps the session on reload and in other tabs, out of reach of scripts, and a sign-out ends it in all', async () => {
    const { context, page } = await visit(await createSignInLink())
    await loaded(page)
    expect(await storageSizes(page)).toEqual([0, 0, 0])
    await page.reload()
    await loaded(page)
    const other = await context.newPage()
    await other.goto(`${origin}/portal?program=${program.slug}#payouts`)
    await loaded(other)
    await other.getByRole('button', { name: 'Sign out', exact: true }).click()
    await heading(other, 'You are signed out')
    await heading(page, 'You are signed out')
    await expect.poll(() => context.cookies()).toEqual([])
    for (const tab of [page, other]) {
      await tab.reload()
      await tab
        .getByText('Affiliate portal')
        .or(tab.getByRole('heading', { level: 1 }))
        .first()
        .waitFor()
      expect(await tab.content()).not.toContain(ada.affiliate.email)
    }
    await context.close()
  })

  it("opens at the part that a mail's button names, and mails a sign-in link to it", async () => {
    const address = `${origin}/portal?program=${program.slug}#payouts`
    const { context, page, errors } = await visit(address, { viewport: { width: 390, height: 844 } })
    await heading(page, 'Sign in')
    await page.getByLabel('E-mail address').fill(ada.affiliate.email)
    await page.getByRole('button', { name: 'Send me a link' }).click()
    await page.getByText('is on its way').waitFor()
    const { text } = await test.database.db.mail.findFirstOrThrow({
      where: { toKey: ada.affiliate.email, kind: 'sign_in' },
    })
    const link = /http\S+#ticket=\S+/.exec(text)?.[0] ?? ''
    expect(link).toMatch(/&to=payouts$/)
    await page.goto(link.replace('http://localhost:4000', origin))
    await loaded(page)
    const top = async (tab: Page) => (await region(tab, 'Payouts').boundingBox())?.y ?? -1
    const isShown = async (tab: Page) => (await top(tab)) >= 0 && (await top(tab)) < 844
    await expect.poll(() => isShown(page)).toBe(true)
    expect(page.url()).toBe(address)
    const next = await context.newPage()
    await next.goto(address)
    await loaded(next)
    await expect.poll(() => isShown(next)).toBe(true)
    expect(errors).toEqual([])
    await context.close()
  })

  it('asks for the program on an installation with several, and says that a name is of none', async () => {
    await test.createProgram()
    const { context, page, errors } = await visit(`${origin}/portal`, { viewport: { width: 320, height: 700 } })
    await heading(page, 'Choose the program')
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await axeProblems(page)).toEqual([])
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    const enter = async (name: string) => {
      await page.getByLabel('Program').fill(name)
      await page.getByRole('button', { name: 'Continue' }).click()
    }
    await enter('nobody')
    await heading(page, 'No such program')
    await enter(program.slug.toUpperCase())
    await heading(page, 'Sign in')
    expect(errors).toEqual([])
    await context.close()
  })

  it('deletes everything on sign-out, also after a reload', async () => {
    const { context, page } = await visit(await createSignInLink())
    await loaded(page)
    // A slow service: the page says that it is signed out when the cookie is gone.
    await page.route('**/portal/session/end', async (route) => {
      await page.waitForTimeout(300)
      await route.continue()
    })
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await heading(page, 'You are signed out')
    expect(await focused(page)).toBe('You are signed out')
    expect(await storageSizes(page)).toEqual([0, 0, 0])
    expect(await page.content()).not.toContain(ada.affiliate.email)
    await page.reload()
    await heading(page, 'Sign in with a link')
    await context.close()
  })

  it('says when the session has expired, and when the affiliate is disabled', async () => {
    const { context, page } = await visit(await createSignInLink())
    await loaded(page)
    test.clock.advanceMinutes(24 * 60)
    await page.getByLabel('Show').selectOption('Paid')
    await heading(page, 'Your session has ended')
    expect(await storageSizes(page)).toEqual([0, 0, 0])
    // In the same tab a new link changes only the fragment of the address.
    await page.goto(await createSignInLink())
    await loaded(page)
    await program.put(`/affiliates/${ada.affiliate.id}`, { state: 'disabled' })
    await page.getByLabel('Show').selectOption('Paid')
    await heading(page, 'Your account is disabled')
    await program.put(`/affiliates/${ada.affiliate.id}`, { state: 'active' })
    await context.close()
  })

  it('switches to another affiliate with their link in the same tab, and signs out with an invalid one', async () => {
    const { context, page } = await visit(await createSignInLink())
    await loaded(page)
    await page.goto(await createSignInLink(bob.affiliate.id))
    await page.getByRole('main').getByText(bob.affiliate.email).waitFor()
    await rowCount(page, 1)
    expect(await page.content()).not.toContain(ada.affiliate.email)
    await page.goto(`${origin}/portal#ticket=nonsense`)
    await heading(page, 'This link no longer works')
    expect(await storageSizes(page)).toEqual([0, 0, 0])
    await context.close()
  })

  it('says when the service is not responding, and can retry', async () => {
    const { context, page } = await visit(`${origin}/portal`)
    await page.route('**/portal/session', (route) => route.abort())
    await page.goto(await createSignInLink())
    await heading(page, 'The service is not responding')
    await page.unroute('**/portal/session')
    await page.getByRole('button', { name: 'Try again' }).click()
    await loaded(page)
    await page.route('**/graphql', (route) => route.abort())
    await page.getByLabel('Show').selectOption('Paid')
    await region(page, 'Commissions').getByRole('alert').getByText('is not responding').waitFor()
    await page.unroute('**/graphql')
    await page.getByRole('button', { name: 'Try again' }).click()
    await rowCount(page, 1)
    await context.close()
  })

  it('receives no data of other affiliates, and shows customers masked', async () => {
    const { context, page, bodies } = await visit(await createSignInLink())
    await loaded(page)
    const received = `${await page.content()} ${(await Promise.all(bodies)).join(' ')}`
    expect(received).toContain('c•••@customers.test')
    expect(received).not.toMatch(/c\d+@customers\.test|paid@customers|due@customers/)
    // Digits that are too many to be part of an id by chance.
    const amounts = ['77770', '777.70']
    const foreign = [bob.affiliate.id, bob.affiliate.email, bob.coupon, 'bobs-customers', ...amounts, 'Bobs terms']
    expect([...foreign, program.secret].filter((text) => received.includes(text))).toEqual([])
    await context.close()
  })

  it('shows totals per currency, and draws the earnings of one currency at a time', async () => {
    const cy = await createSeller(program)
    for (const [currency, amount_cents] of [
      ['usd', 1_000],
      ['eur', 200_050],
      ['jpy', 4_000_000],
    ] as const)
      await reportSale(program, { coupon: cy.coupon, email: `${currency}@customers.test`, currency, amount_cents })
    const { context, page } = await visit(await createSignInLink(cy.affiliate.id))
    await loaded(page)
    const pending = (currency: string) =>
      region(page, `Your commissions in ${currency}`).locator('.amount').nth(1).textContent()
    await expect.poll(() => Promise.all(['USD', 'EUR', 'JPY'].map(pending))).toEqual(['$1.00', '€200.05', '¥400,000'])
    await page.getByLabel('Earnings in').selectOption('EUR')
    await page.getByRole('button', { name: 'Earnings €200.05' }).waitFor()
    await context.close()
  })

  it('explains empty lists to a new affiliate', async () => {
    const { id } = await createAffiliate(program)
    const { context, page, errors } = await visit(await createSignInLink(id))
    await loaded(page)
    await page.getByText('You earn one when someone buys', { exact: false }).waitFor()
    await page.getByText('Due commissions are collected in a payout', { exact: false }).waitFor()
    await page.getByText('No activity in this period. Share your link', { exact: false }).waitFor()
    expect(await axeProblems(page)).toEqual([])
    expect(errors).toEqual([])
    await context.close()
  })

  it('copies a link and confirms it', async () => {
    const { context, page } = await visit(await createSignInLink())
    await page.getByRole('button', { name: `Copy link ${ada.link.token}` }).click()
    await page.getByRole('status').getByText(`Copied: ${ada.link.url}`).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(ada.link.url)
    await context.close()
  })

  it('works with the keyboard only, with a visible focus', async () => {
    const { context, page } = await visit(await createSignInLink())
    await loaded(page)
    await rowCount(page, 10)
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Skip to your dashboard')
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('dashboard')
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
      if (stop.name === 'Show as a table') await page.keyboard.press('Enter')
      if (stop.name === 'Older') {
        await page.keyboard.press('Enter')
        await rowCount(page, 4)
        // Turning the page does not move the focus.
        expect(await focused(page)).toBe('Older')
      }
    }
    expect(stops).toEqual(expect.arrayContaining(['Range', 'Show', 'Newer', 'Older', `Copy link ${ada.link.token}`]))
    expect(await region(page, 'Performance').getByRole('button', { pressed: true }).textContent()).toContain('Leads')
    await region(page, 'Performance table').waitFor()
    await page.getByRole('button', { name: 'Sign out', exact: true }).focus()
    await page.keyboard.press('Enter')
    await heading(page, 'You are signed out')
    await context.close()
  })

  /** Without animations, so that checks see the final state. */
  const withoutMotion = (width: number, colorScheme: 'light' | 'dark') => ({
    viewport: { width, height: 800 },
    colorScheme,
    reducedMotion: 'reduce' as const,
  })
  async function checkLayout(page: Page, context: BrowserContext, width: number, name: string) {
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    expect(await axeProblems(page)).toEqual([])
    if (process.env.SCREENSHOTS)
      await page.screenshot({ path: `${process.env.SCREENSHOTS}/${width}-${name}.png`, fullPage: true })
    await context.close()
  }

  it.each(screens)('at %i pixels, %s: no horizontal scrolling and no accessibility problems', async (width, scheme) => {
    const { context, page } = await visit(await createSignInLink(), withoutMotion(width, scheme))
    await loaded(page)
    await rowCount(page, 10)
    await page.getByText('Show as a table').click()
    await checkLayout(page, context, width, scheme)
  })

  it.each(screens)(
    'at %i pixels, %s, with a rejected link: no horizontal scrolling and no accessibility problems',
    async (width, scheme) => {
      const { context, page } = await visit(`${origin}/portal#ticket=nonsense`, withoutMotion(width, scheme))
      await heading(page, 'This link no longer works')
      await checkLayout(page, context, width, `${scheme}-rejected`)
    },
  )
})

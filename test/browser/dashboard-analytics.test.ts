import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'
import { axeProblems, hasChromium, launchChromium, needsChromium, screens } from '../support/browser.ts'
import { createSeller, reportSale } from '../support/factories.ts'
import { addMember, setUpOperator } from '../support/people.ts'

describe.skipIf(!hasChromium)('the analytics of the dashboard', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  const test = await createTestApp()
  const server = createServer(test.app.handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  const browser = await launchChromium('MAP * ~NOTFOUND, EXCLUDE localhost')
  afterAll(async () => {
    await browser.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const olga = await setUpOperator(test)
  const acme = await test.createProgram()
  const seller = await createSeller(acme, { name: 'Launch', commission_percent: 20 })
  await reportSale(acme, { coupon: seller.coupon, email: 'c@customers.test', amount_cents: 12_300 })
  await reportSale(acme, { coupon: seller.coupon, email: 'd@customers.test', amount_cents: 700 })
  const analyst = await addMember(test, olga, acme.id, { email: 'analyst@acme.test', role: 'ANALYST' })

  async function visit(search: string, options = {}) {
    const context = await browser.newContext({
      locale: 'en-US',
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
      ...options,
    })
    context.setDefaultTimeout(30_000)
    await context.addCookies([...analyst.cookies].map(([name, value]) => ({ name, value, url: origin })))
    const page = await context.newPage()
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    await page.goto(`${origin}/dashboard/${acme.slug}/analytics${search}`)
    return { context, page, errors }
  }
  const report = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

  it('keeps what an analyst chooses in the address, and saves a report as the file that GraphiQL would save', async () => {
    const { context, page, errors } = await visit('?range=last-30-days')
    await page.getByRole('button', { name: 'Revenue 130.00 USD' }).waitFor()
    await page.getByRole('button', { name: 'Sales 2', exact: true }).click()
    await report(page, 'Sales over time').locator('.chart svg').waitFor()
    await page.getByLabel('Compared with').selectOption('The year before')
    await page.getByLabel('Rank').selectOption('Campaigns')
    await report(page, 'Top campaigns').getByText('Launch').waitFor()
    expect(new URL(page.url()).search).toBe('?range=last-30-days&metric=sales&compare=previous-year&top=campaign')
    await page.reload()
    await report(page, 'Top campaigns').getByText('Launch').waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'CSV Top campaigns' }).click()
    expect(readFileSync(await (await download).path(), 'utf8')).toMatch(
      /^rank,id,label,value\r\n1,[\w-]+,Launch,2\r\n$/,
    )
    expect(errors).toEqual([])
    await context.close()
  })

  it('opens GraphiQL with the query behind a report, signed in as the person', async () => {
    const { context, page } = await visit('?range=last-30-days')
    const opened = context.waitForEvent('page')
    await page.getByRole('link', { name: 'Open in GraphiQL Funnel' }).click()
    const graphiql = await opened
    await graphiql.locator('.graphiql-tab', { hasText: 'Funnels' }).waitFor()
    await graphiql.getByText(/^Signed in as /).waitFor()
    await context.close()
  })

  it.each(screens)(
    'at %i pixels, %s: no horizontal scrolling and no accessibility problems',
    async (width, colorScheme) => {
      const { context, page, errors } = await visit('?funnel=campaign', {
        viewport: { width, height: 800 },
        colorScheme,
      })
      await report(page, 'Owed to affiliates').locator('.chart svg').waitFor()
      await page.locator('.skeleton').first().waitFor({ state: 'detached' })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      expect(await axeProblems(page)).toEqual([])
      expect(errors).toEqual([])
      await context.close()
    },
  )
})

import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { axeProblems, hasChromium, needsChromium, screens } from '../support/browser.ts'
import { startDashboard } from '../support/dashboard.ts'
import { createSeller, reportSale } from '../support/factories.ts'
import { addMember } from '../support/people.ts'

describe.skipIf(!hasChromium)('the analytics of the dashboard', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  const { test, visit, olga } = await startDashboard()
  const acme = await test.createProgram()
  const seller = await createSeller(acme, { name: 'Launch', commission_percent: 20 })
  await reportSale(acme, { coupon: seller.coupon, email: 'c@customers.test', amount_cents: 12_300 })
  await reportSale(acme, { coupon: seller.coupon, email: 'd@customers.test', amount_cents: 700 })
  await acme.post('/conversions', { coupon: 'NOBODY', amount_cents: 4_200 })
  const analyst = await addMember(test, olga, acme.id, { email: 'analyst@acme.test', role: 'ANALYST' })

  const open = (search: string, options = {}) =>
    visit(`/${acme.slug}/analytics${search}`, { as: analyst, timezoneId: 'UTC', ...options })
  const report = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

  it('keeps what an analyst chooses in the address, and saves a report as the file that GraphiQL would save', async () => {
    const { page } = await open('?range=last-30-days')
    await page.getByRole('button', { name: 'Revenue $130.00' }).waitFor()
    // Totals say how they have changed, unless they are compared with nothing.
    await page.getByRole('button', { name: 'Revenue $130.00 Nothing before' }).waitFor()
    // The funnel counts people, so it does not grow again where they buy twice.
    const funnel = report(page, 'Funnel')
    await funnel.getByText('2 sales in the same time').waitFor()
    expect(await funnel.getByRole('listitem').count()).toBe(3)
    await page.getByRole('button', { name: /^Sales 2/ }).click()
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
      /^rank,subjectId,label,value\r\n1,[\w-]+,Launch,2\r\n$/,
    )
  })

  it('says what changed, how long sales took, what customers are worth, and why sales have no affiliate', async () => {
    const { page } = await open('?range=last-30-days&top=campaign')
    await report(page, 'What changed most: campaigns')
      .getByRole('row', { name: /Launch \$130\.00 \$0\.00 \$130\.00/ })
      .waitFor()
    // Both customers came by a coupon, without a visit.
    await report(page, 'Time from visit to sale').getByText('No first sales after a visit in this range').waitFor()
    const values = report(page, 'Value of customers')
    await values.getByLabel('By').selectOption('All together')
    await values.getByRole('row', { name: /All together 2 2 \$130\.00 \$65\.00/ }).waitFor()
    await report(page, 'Why sales have no affiliate')
      .getByRole('row', { name: /No affiliate has the coupon 1 1 \$42\.00/ })
      .waitFor()
    await report(page, 'Owed to affiliates by age')
      .getByRole('row', { name: /All together \$26\.00/ })
      .waitFor()
    const cohorts = report(page, 'Cohorts')
    await cohorts.getByLabel('Customers of').selectOption('All currencies')
    await cohorts.getByRole('row', { name: /2026 2 100\.0%/ }).waitFor()
    expect(await cohorts.getByLabel('Show').locator('option').allTextContents()).not.toContain('Revenue')
    expect(new URL(page.url()).search).toContain('lifetime=all&customers=of-all')
    const { page: narrow } = await open('?funnel=campaign&customers=of-all', { viewport: { width: 320, height: 800 } })
    await report(narrow, 'Owed to affiliates by age').getByText('All together').waitFor()
    await narrow.locator('.skeleton').first().waitFor({ state: 'detached' })
    expect(await narrow.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    expect(await axeProblems(narrow)).toEqual([])
  })

  it('opens GraphiQL with the query behind a report, signed in as the person', async () => {
    const { context, page } = await open('?range=last-30-days')
    const opened = context.waitForEvent('page')
    await page.getByRole('link', { name: 'Open in GraphiQL Funnel' }).click()
    const graphiql = await opened
    await graphiql.locator('.graphiql-tab', { hasText: 'Funnels' }).waitFor()
    await graphiql.getByText(/^Signed in .*as /).waitFor()
  })

  it.each(screens)(
    'at %i pixels, %s: no horizontal scrolling and no accessibility problems',
    async (width, colorScheme) => {
      const { context, page } = await open('?funnel=campaign', {
        viewport: { width, height: 800 },
        colorScheme,
      })
      // The page shows the weeks around now one by one.
      await context.clock.setFixedTime(test.clock.now)
      await page.reload()
      await report(page, 'Owed to affiliates').locator('.chart svg').waitFor()
      await page.locator('.skeleton').first().waitFor({ state: 'detached' })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      expect(await axeProblems(page)).toEqual([])
    },
  )
})

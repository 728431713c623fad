import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { foldDeltas } from '../../src/modules/analytics/fold.ts'
import { hasChromium, needsChromium } from '../support/browser.ts'
import { click, startDashboard } from '../support/dashboard.ts'
import { createSeller, listed, made, reportSale } from '../support/factories.ts'

describe.skipIf(!hasChromium)('lists in the dashboard', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  const { test, visit, olga } = await startDashboard()
  const program = await test.createProgram()
  const { slug } = program
  const seller = async (first_name: string, amounts: Record<string, number>) => {
    const made = await createSeller(program, { days_before_commissions_are_due: 0 })
    await program.put(`/affiliates/${made.affiliate.id}`, { first_name, last_name: 'Lee' })
    for (const [external_id, amount_cents] of Object.entries(amounts))
      await reportSale(program, {
        coupon: made.coupon,
        amount_cents,
        email: `buyer-of-${first_name}@shop.test`.toLowerCase(),
        ...(external_id.startsWith('inv') && { external_id }),
      })
    return made
  }
  const ada = await seller('Ada', { 'inv-1': 10_000, none: 3_000 })
  await seller('Bob', { 'inv-2': 90_000 })
  await reportSale(program, { coupon: ada.coupon, amount_cents: 700, currency: 'aud' })
  for (const { id, currency } of await listed(program, '/payouts'))
    if (currency === 'aud') await made(program.put(`/payouts/${id}/pay`, {}))
  await foldDeltas(test.database.db)

  const names = (page: Page) => page.locator('tbody th a').allTextContents()
  const pathOf = (page: Page) => new URL(page.url()).pathname.replace(`/dashboard/${slug}`, '')
  const saved = async (page: Page) => {
    const download = page.waitForEvent('download')
    await click(page, 'Export CSV')
    return (await readFile(await (await download).path(), 'utf8')).replace('\uFEFF', '').trimEnd().split('\r\n')
  }

  it('affiliates are sorted by money, and show how many other currencies they have', async () => {
    const { page } = await visit(`/${slug}/affiliates?order=-revenue`, { as: olga })
    await page.getByRole('row', { name: 'Ada Lee' }).waitFor()
    await expect.poll(() => names(page)).toEqual(['Bob Lee', 'Ada Lee'])
    await page.getByRole('row', { name: 'Ada Lee' }).getByText('$130.00 +1').waitFor()
    await page.getByRole('button', { name: 'Revenue' }).click()
    await expect.poll(() => names(page)).toEqual(['Ada Lee', 'Bob Lee'])
  })

  it('one affiliate has a balance, and sales among the tabs', async () => {
    const { page } = await visit(`/${slug}/affiliates/${ada.affiliate.id}`, { as: olga })
    const balance = page.getByRole('region', { name: 'Balance' })
    await balance.getByText('Due now').first().waitFor()
    expect(await balance.locator('dl').allTextContents()).toEqual([
      'Due now$13.00Pending$0.00Paid$0.00Total earned$13.00',
      'Due nowA$0.00PendingA$0.00PaidA$0.70Total earnedA$0.70',
    ])
    await page.getByRole('tab', { name: 'Sales' }).click()
    await page.getByRole('link', { name: 'inv-1' }).click()
    await expect.poll(() => pathOf(page)).toMatch(/^\/sales\/[\w-]+$/)
  })

  it('an id stands in the column of ids, names lead to people, and a row opens what it is about', async () => {
    const { page, go } = await visit(`/${slug}/sales`, { as: olga })
    const row = page.getByRole('row', { name: '$30.00' })
    expect((await row.getByRole('rowheader').textContent()) ?? '').toBe('No id')
    await row.getByText('buyer-of-ada@shop.test').click()
    await expect.poll(() => pathOf(page)).toMatch(/^\/customers\//)
    for (const [list, thing] of [
      ['sales', 'sales'],
      ['commissions', 'commissions'],
      ['payouts', 'payouts'],
    ]) {
      await go(`/${slug}/${list}`)
      await page.getByRole('row', { name: 'Bob Lee' }).getByRole('link', { name: 'Bob Lee' }).click()
      await expect.poll(() => pathOf(page)).toMatch(/^\/affiliates\//)
      await go(`/${slug}/${list}`)
      await page.getByRole('row', { name: 'Bob Lee' }).locator('a.opens').click()
      await expect.poll(() => pathOf(page)).toMatch(new RegExp(`^/${thing}/`))
    }
  })

  it('columns are chosen, kept in the address, and a file has them with the filters and the order', async () => {
    const { page, go } = await visit(`/${slug}/affiliates?order=-revenue&search=lee`, { as: olga })
    await click(page, 'Columns')
    for (const name of ['Campaign', 'State', 'Commissions', 'Due', 'Paid'])
      await page.getByRole('menuitemcheckbox', { name, exact: true }).click()
    await page.keyboard.press('Escape')
    expect(new URL(page.url()).searchParams.get('columns')).toBe('revenue')
    await expect.poll(() => page.getByRole('columnheader').allTextContents()).toEqual(['Affiliate', 'Revenue'])
    const [head, ...rows] = await saved(page)
    expect(head).toMatch(/^email,first_name,.*,"?Revenue"?,"Revenue, currency"$/)
    expect(rows.map((row) => row.split(',').slice(-2))).toEqual([
      ['900.00', 'USD'],
      ['130.00', 'USD'],
    ])
    await go(`/${slug}/sales?search=ada&order=-amount`)
    const sales = await saved(page)
    expect(sales.length).toBe(4)
    expect(sales[1]).toContain('buyer-of-ada@shop.test')
  })

  it.each([
    'sales',
    'sales?show=unattributed',
    'commissions',
    'payouts',
    'payouts?state=paid',
    'payouts/preview',
    'campaigns',
  ])('the list of %s can be saved', async (list) => {
    const { page } = await visit(`/${slug}/${list}`, { as: olga })
    await page.locator('.list, .empty').first().waitFor()
    await page.locator('.skeleton').waitFor({ state: 'detached' })
    if ((await page.locator('.list .empty').count()) > 0) return
    expect((await saved(page)).length).toBeGreaterThan(1)
  })

  it('paid payouts have a range of days and a total', async () => {
    const { page } = await visit(`/${slug}/payouts?state=paid&from=2000-01-01&to=2000-01-02`, { as: olga })
    await page.getByText('No match').waitFor()
    await page.getByLabel('Paid from').fill('')
    await page.getByLabel('To', { exact: true }).fill('')
    await page.getByRole('list', { name: 'Paid payouts, by currency' }).getByText('A$0.70').waitFor()
  })

  it('a phone folds the filters into a button, orders, and selects all', async () => {
    const { page } = await visit(`/${slug}/commissions`, { as: olga, viewport: { width: 390, height: 844 } })
    await page.getByRole('row', { name: 'inv-2' }).waitFor()
    expect(await page.getByLabel('State').isVisible()).toBe(false)
    await click(page, 'Filters')
    await page.getByLabel('State').selectOption('Due')
    await click(page, 'Filters (1)')
    await page.getByLabel('Order').selectOption('Amount ↓')
    await expect.poll(() => new URL(page.url()).search).toBe('?state=due&order=-amount')
    await page.getByLabel('Select all of this page').check()
    await page.locator('.bulk').getByText('3 selected').waitFor()
  })

  it('long names of programs and affiliates leave everything in its place', async () => {
    const long = await test.createProgram()
    const rename =
      'mutation ($id: ID!, $name: String!) { updateProgram(input: { id: $id, name: $name }) { program { id } } }'
    await test.operator(rename, { id: long.id, name: 'Northwind Analytics' })
    const { affiliate } = await createSeller(long)
    await long.put(`/affiliates/${affiliate.id}`, {
      first_name: 'Überlangernamensträgerinnen'.repeat(3),
      last_name: 'Lee',
    })
    const { page, go } = await visit(`/${long.slug}/sales`, { as: olga, viewport: { width: 360, height: 740 } })
    const name = page.locator('.topbar .program-name')
    expect(await name.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBe(0)
    await test.operator(rename, { id: long.id, name: 'Donaudampfschifffahrtsgesellschaft '.repeat(5).trim() })
    await go(`/${long.slug}/sales`)
    await click(page, 'Record a sale')
    expect(await page.locator('.topbar').evaluate(({ clientHeight }) => clientHeight)).toBeLessThan(64)
    const dialog = page.locator('.dialog')
    await dialog.getByLabel('Find the affiliate').fill('Lee')
    await dialog.getByRole('radio').check()
    await dialog.getByLabel('Amount').fill('10')
    const width = (selector: string) =>
      page.locator(selector).evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
    for (const part of ['.dialog', '.dialog-foot', '.checks']) expect([part, await width(part)]).toEqual([part, 0])
    await dialog.getByRole('button', { name: /^Record for/ }).click()
    await page.locator('.toast').waitFor()
    expect(await width('.toast')).toBe(0)
    await page.setViewportSize({ width: 1280, height: 800 })
    for (const view of ['sales', 'commissions', 'payouts', 'payouts/preview', 'affiliates', 'applications', 'mails']) {
      await go(`/${long.slug}/${view}`)
      await page.locator('main .list').first().waitFor()
      await page.locator('main .skeleton').first().waitFor({ state: 'detached' })
      for (const table of await page.locator('.scrolls').all())
        expect([view, await table.evaluate((box) => box.scrollWidth - box.clientWidth)]).toEqual([view, 0])
    }
  })

  it.each(['after=nonsense', 'before=nonsense', 'after=WyJpZCBhc2MiLCIxIl0'])(
    'an address with a page that is not there, %s, leads to the first page',
    async (page) => {
      const { page: tab } = await visit(`/${slug}/sales?${page}`, { as: olga })
      await tab.getByText('This page of the list is not there').waitFor()
      expect(await tab.getByRole('button', { name: 'Try again' }).count()).toBe(0)
      await click(tab, 'First page')
      await tab.getByRole('link', { name: 'inv-2' }).waitFor()
      expect(new URL(tab.url()).search).toBe('')
      expect(await tab.getByRole('alert').count()).toBe(0)
    },
  )

  it("totals are in one order: the program's currency first, whatever is larger", async () => {
    const euros = await test.createProgram({ currency: 'eur' })
    const { coupon } = await createSeller(euros, { days_before_commissions_are_due: 0, minimum_payout_cents: 0 })
    for (const [currency, count] of Object.entries({ usd: 9_000, chf: 8_000, eur: 1_000 }))
      await reportSale(euros, { coupon, amount_cents: count, currency })
    const { page, go } = await visit(`/${euros.slug}/payouts`, { as: olga })
    await page.locator('.sums li').first().waitFor()
    expect((await page.locator('.sums strong').allTextContents()).map((text) => text.replace(/[\d.,\s]/g, ''))).toEqual(
      ['€', 'CHF', '$'],
    )
    await go(`/${euros.slug}/payouts/preview`)
    const totals = page.getByRole('table').filter({ hasText: 'Can be paid' }).first()
    await totals.waitFor()
    expect(await page.locator('main table').first().locator('tbody th').allTextContents()).toEqual([
      'EUR',
      'CHF',
      'USD',
    ])
  })
})

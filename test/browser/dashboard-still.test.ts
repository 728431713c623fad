import { describe, expect, it } from 'vitest'
import { hasChromium, needsChromium } from '../support/browser.ts'
import { startDashboard } from '../support/dashboard.ts'
import { createAffiliate, createSeller, listed, reportSale } from '../support/factories.ts'

describe.skipIf(!hasChromium)('nothing jumps', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  const { test, visit, olga } = await startDashboard()
  const acme = await test.createProgram()
  const seller = await createSeller(acme, { name: 'Launch', days_before_commissions_are_due: 0 })
  for (let n = 0; n < 24; n += 1) await createAffiliate(acme, { first_name: 'Ada', last_name: `Number ${n}` })
  await reportSale(acme, { coupon: seller.coupon, amount_cents: 10_000, external_id: 'inv-1' })
  const [{ id }] = await listed(acme, '/payouts')
  await acme.post(`/payouts/${id}/pay`)
  await reportSale(acme, { coupon: seller.coupon, amount_cents: 10_000, external_id: 'inv-2' })
  await acme.post('/conversions', { coupon: 'unknown', amount_cents: 500 })

  const lists = ['affiliates', 'sales', 'sales?show=unattributed', 'commissions', 'payouts', 'payouts?state=paid']
  const phone = { width: 390, height: 844 }
  it.each(lists)('%s: a filter moves no field and not the list', async (path) => {
    for (const viewport of [{ width: 1280, height: 800 }, phone]) {
      const { page } = await visit(`/${acme.slug}/${path}`, { as: olga, viewport })
      const search = page.getByRole('main').getByRole('searchbox').first()
      await search.waitFor()
      await page.locator('table.rows, .empty').first().waitFor()
      const places = () =>
        page.evaluate(() =>
          ['main [type=search]', '.list > .scrolls, .list > .empty'].map((name) => {
            const { left, top } = document.querySelector(name)?.getBoundingClientRect() ?? { left: 0, top: 0 }
            return [left, top]
          }),
        )
      const before = await places()
      await search.fill('a')
      await page.getByRole('button', { name: 'Clear filters' }).waitFor()
      expect(await places()).toEqual(before)
    }
  })

  it.each([{ width: 1280, height: 800 }, phone])(
    'a tick moves no row, and its bar is in sight: %o',
    async (viewport) => {
      const { page } = await visit(`/${acme.slug}/affiliates`, { as: olga, viewport })
      const boxes = page.getByLabel(/^Select Ada/)
      await boxes.nth(20).waitFor()
      const topOf = (n: number) => boxes.nth(n).evaluate((box) => box.getBoundingClientRect().top)
      const before = await topOf(0)
      await boxes.nth(0).check()
      const bar = page.locator('.bulk')
      await bar.waitFor()
      expect(await topOf(0)).toBe(before)
      for (const n of [0, 20]) {
        await boxes.nth(n).scrollIntoViewIfNeeded()
        const { top, bottom } = await bar.evaluate((element) => element.getBoundingClientRect())
        expect([top > 0, bottom <= viewport.height]).toEqual([true, true])
      }
    },
  )
})

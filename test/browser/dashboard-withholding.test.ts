import { describe, expect, it } from 'vitest'
import { hasChromium, needsChromium } from '../support/browser.ts'
import { click, closed, problemsOf, startDashboard } from '../support/dashboard.ts'
import { earner } from '../support/payout-runs.ts'

describe.skipIf(!hasChromium)('tax that is withheld, in the dashboard and the portal', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  const { test, visit, olga } = await startDashboard()

  it('is set for all, changed for one, and shown in the run, the payouts and the portal', async () => {
    const program = await test.createProgram()
    const ada = await earner(program, { first_name: 'Ada' })
    const bob = await earner(program, { first_name: 'Bob' })

    const { page } = await visit(`/${program.slug}/settings/payouts`, { as: olga })
    const rate = page.getByLabel('Percent of each payout that is withheld as tax')
    await rate.fill('101')
    await click(page, 'Save tax settings')
    await page.getByText('must be a number from 0 to 100').waitFor()
    await rate.fill('12.5')
    await click(page, 'Save tax settings')
    await page.getByText('Saved.').waitFor()
    expect(await problemsOf(page)).toEqual([])
    await page.reload()
    await rate.waitFor()
    expect(await rate.inputValue()).toBe('12.5')

    await page.goto(new URL(`../affiliates/${bob.affiliate.id}`, page.url()).href)
    await page.getByText('12.5%, as of all affiliates').waitFor()
    await click(page, 'Change what is withheld')
    await rate.fill('0')
    expect(await problemsOf(page)).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Save the rate' }).click()
    await closed(page)
    await page.getByText('0%, a rate of their own').waitFor()

    const { createPayoutRun } = await program.graphql(
      'mutation { createPayoutRun(input: { method: GENERIC }) { payoutRun { id } } }',
    )
    await page.goto(new URL(`../payouts/runs/${createPayoutRun.payoutRun.id}`, page.url()).href)
    await page.getByText('$1.25 is withheld of these payouts as tax, and does not leave.').waitFor()
    await page.getByRole('cell', { name: '$8.75' }).waitFor()
    expect(await page.getByRole('cell', { name: '$10.00' }).count()).toBe(3)
    expect(await problemsOf(page)).toEqual([])
    await page.setViewportSize({ width: 320, height: 700 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)).toBe(false)

    const { sso } = (await program.get(`/affiliates/${ada.affiliate.id}/sso`)).body
    const own = await visit(sso.url, { viewport: { width: 360, height: 740 } })
    await own.page.getByText('Withheld as tax').first().waitFor()
    await own.page.getByText('$1.25').waitFor()
    expect(await own.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  })
})

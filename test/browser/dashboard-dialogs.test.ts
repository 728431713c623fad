import { describe, expect, it } from 'vitest'
import { hasChromium, needsChromium } from '../support/browser.ts'
import { startDashboard } from '../support/dashboard.ts'
import { createSeller, reportSale } from '../support/factories.ts'

/** For a slow machine. */
const timeout = 10_000

describe.skipIf(!hasChromium)('a dialog takes the focus, keeps it, ends with Escape, and gives it back', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  const { test, visit, olga } = await startDashboard()
  const program = await test.createProgram()
  const seller = await createSeller(program, { days_before_commissions_are_due: 0 })
  await reportSale(program, { coupon: seller.coupon, amount_cents: 10_000, external_id: 'inv-1' })

  const openers: Record<string, string[]> = {
    '/programs': ['Create program', 'Reset a password'],
    [`/${program.slug}/affiliates`]: ['Create affiliate', 'Import CSV'],
    [`/${program.slug}/affiliates/${seller.affiliate.id}`]: ['Add link', 'Edit affiliate'],
    [`/${program.slug}/developers`]: ['Create key', 'Replace key', 'Add endpoint'],
    [`/${program.slug}/settings`]: ['Invite a person'],
  }

  it.each(Object.entries(openers))('%s', async (path, names) => {
    const { page } = await visit(path, { as: olga })
    const dialog = page.locator('[role=dialog]:not(.toast), [role=alertdialog]')
    const isInside = () => dialog.evaluate((element) => element.contains(document.activeElement))
    for (const name of names) {
      const opener = page.getByRole('button', { name, exact: true }).first()
      await opener.focus()
      await page.keyboard.press('Enter')
      await dialog.waitFor()
      await expect.poll(isInside, { message: `${name} takes the focus`, timeout }).toBe(true)
      for (const key of ['Tab', 'Shift+Tab']) {
        // More than there are fields, so that the focus goes round.
        for (let n = 0; n < 15; n += 1) await page.keyboard.press(key)
        await expect.poll(isInside, { message: `${name} keeps the focus with ${key}`, timeout }).toBe(true)
      }
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      const hasFocus = () => opener.evaluate((element) => element === document.activeElement)
      await expect.poll(hasFocus, { message: `${name} gets the focus back`, timeout }).toBe(true)
    }
  })
})

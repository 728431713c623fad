import { describe, expect, it } from 'vitest'
import { hasChromium, needsChromium } from '../support/browser.ts'
import { click, heading, startDashboard } from '../support/dashboard.ts'
import { createSeller, reportSale } from '../support/factories.ts'

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
    [`/${program.slug}/settings/people`]: ['Invite a person'],
  }

  it.each(Object.entries(openers))('%s', async (path, names) => {
    const { page } = await visit(path, { as: olga })
    const dialog = page.locator('[role=dialog]:not(.toast), [role=alertdialog]')
    const isInside = () => dialog.evaluate((element) => element.contains(document.activeElement))
    const isAtFirstField = () =>
      dialog.evaluate((element) => {
        const field = element.querySelector('form :is(input, select, textarea):enabled')
        return field ? field === document.activeElement : element.contains(document.activeElement)
      })
    for (const name of names) {
      const opener = page.getByRole('button', { name, exact: true }).first()
      await opener.focus()
      await page.keyboard.press('Enter')
      await dialog.waitFor()
      await expect.poll(isAtFirstField, { message: `${name} takes the focus` }).toBe(true)
      for (const key of ['Tab', 'Shift+Tab']) {
        // More than there are fields, so that the focus goes round.
        for (let n = 0; n < 15; n += 1) await page.keyboard.press(key)
        await expect.poll(isInside, { message: `${name} keeps the focus with ${key}` }).toBe(true)
      }
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      const hasFocus = () => opener.evaluate((element) => element === document.activeElement)
      await expect.poll(hasFocus, { message: `${name} gets the focus back` }).toBe(true)
    }
  })

  const viewport = { width: 800, height: 600 }

  it.each(Object.entries(openers))('%s: they fit a small window, and keep what was entered', async (path, names) => {
    const { page } = await visit(path, { as: olga, viewport })
    const dialog = page.locator('.dialog')
    for (const name of names) {
      await page.getByRole('button', { name, exact: true }).first().click()
      await dialog.waitFor()
      const isInside = await dialog.evaluate((element) => {
        const parts = [element, ...element.querySelectorAll('.dialog-foot')].map((part) => part.getBoundingClientRect())
        return parts.every(({ top, bottom }) => top >= 0 && bottom <= innerHeight)
      })
      expect([name, isInside]).toEqual([name, true])
      const field = dialog.getByRole('textbox').first()
      if ((await field.count()) > 0) {
        const isAddress = (await field.getAttribute('type')) === 'url'
        await field.fill('something')
        await page.keyboard.press('Escape')
        await dialog.getByText('What you entered is not saved.').waitFor()
        await page.keyboard.press('Escape')
        expect(await field.inputValue()).toBe(isAddress ? 'https://something' : 'something')
        await dialog.getByRole('button', { name: 'Close' }).click()
        await dialog.getByRole('button', { name: 'Discard' }).click()
      } else await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    }
  })

  it('what is wrong is in sight in a small window, and has the focus', async () => {
    const { page, go } = await visit(`/${program.slug}/affiliates`, { as: olga, viewport })
    const dialog = page.locator('.dialog')
    const isInSight = (text: string) =>
      dialog.getByText(text).evaluate((element) => {
        const { left, top, right, bottom } = element.getBoundingClientRect()
        const shown = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
        return shown === element
      })
    const focused = () => page.evaluate(() => (document.activeElement as HTMLInputElement).name)
    await click(page, 'Create affiliate')
    await dialog.getByLabel('E-mail', { exact: true }).fill(seller.affiliate.email)
    await dialog.getByLabel('Billing customer id').fill('cus_1')
    await dialog.getByRole('button', { name: 'Create affiliate' }).click()
    await dialog.getByText('E-mail has already been taken').waitFor()
    expect(await isInSight('E-mail has already been taken')).toBe(true)
    expect(await focused()).toBe('email')

    await go(`/${program.slug}/sales`)
    await click(page, 'Record a sale')
    const finder = dialog.getByLabel('Find the affiliate')
    expect(await finder.getAttribute('aria-required')).toBe('true')
    await dialog.getByLabel('Amount').fill('10')
    await dialog.getByRole('button', { name: 'Record', exact: true }).click()
    await dialog.getByText('Choose an affiliate.').waitFor()
    expect(await isInSight('Choose an affiliate.')).toBe(true)
  })

  it('a form gets the focus in its first field', async () => {
    const { page, go } = await visit(`/${program.slug}/affiliates`, { as: olga })
    const label = () => page.evaluate(() => (document.activeElement as HTMLInputElement).labels?.[0]?.textContent)
    await click(page, 'Create affiliate')
    await expect.poll(label).toBe('E-mail')
    await go(`/${program.slug}/sales`)
    await click(page, 'Record a sale')
    await expect.poll(label).toBe('Find the affiliate')
  })

  it('the first wrong field of the page gets the focus, also if it appeared later than others', async () => {
    const { page } = await visit(`/${program.slug}/campaigns/new`, { as: olga })
    await page.getByLabel('Name', { exact: true }).fill('Launch')
    await page.getByLabel('Smallest payout').fill('a')
    await page.getByLabel('Kind of reward').selectOption('A fixed amount for each sale')
    await click(page, 'Create campaign')
    await page.locator('[name=commissionAmountCents][aria-invalid=true]').waitFor()
    expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).name)).toBe('commissionAmountCents')
  })

  it('marks the fields that are required where others are not', async () => {
    const { page } = await visit(`/${program.slug}/affiliates`, { as: olga })
    await page.getByRole('button', { name: 'Create affiliate' }).first().click()
    expect(await page.locator('.dialog .required').allTextContents()).toEqual(['E-mail'])
    expect(await page.getByLabel('E-mail', { exact: true }).getAttribute('aria-required')).toBe('true')
  })

  it('Escape does not close a dialog with a secret that is shown once', async () => {
    const { page } = await visit(`/${program.slug}/developers`, { as: olga })
    await page.getByRole('button', { name: 'Create key' }).first().click()
    const dialog = page.locator('.dialog')
    await dialog.getByLabel('Name').fill('Once')
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await dialog
      .getByText(/^trib_sk_/)
      .first()
      .waitFor()
    await page.keyboard.press('Escape')
    await dialog.getByText('It is not shown again.').waitFor()
    await dialog.getByRole('button', { name: 'Go back' }).click()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await dialog.waitFor({ state: 'detached' })
  })

  it('a view whose form was changed asks before it is left', async () => {
    const { page } = await visit(`/${program.slug}/campaigns/${seller.campaign.id}`, { as: olga })
    await page.getByLabel('Name').fill('Renamed')
    await page.getByRole('link', { name: 'Affiliates' }).first().click()
    const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    expect(await page.getByLabel('Name').inputValue()).toBe('Renamed')
    await page.getByRole('link', { name: 'Affiliates' }).first().click()
    await question.getByRole('button', { name: 'Leave' }).click()
    await heading(page, 'Affiliates')
  })

  it('a new slug says what it breaks, and needs the present one', async () => {
    const other = await test.createProgram()
    const { page } = await visit(`/${other.slug}/settings`, { as: olga })
    await page.getByLabel('Slug').fill(`${other.slug}-new`)
    await click(page, 'Save')
    const dialog = page.getByRole('dialog', { name: 'Change the slug?' })
    await dialog.getByText(`/r/${other.slug}/…`).waitFor()
    await dialog.getByRole('button', { name: 'Change the slug' }).click()
    await dialog.getByText(`Type ${other.slug} to change it.`).waitFor()
    await dialog.getByRole('textbox').fill(other.slug)
    await dialog.getByRole('button', { name: 'Change the slug' }).click()
    await page.waitForURL(`**/dashboard/${other.slug}-new/settings`)
    await page.getByRole('link', { name: 'Home' }).click()
    await heading(page, 'Home')
  })
})

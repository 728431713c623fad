import { describe, expect, it } from 'vitest'
import { axeProblems, hasChromium, needsChromium } from '../support/browser.ts'
import { click, heading, startDashboard } from '../support/dashboard.ts'
import { createAffiliate, createLead, createSeller, reportSale } from '../support/factories.ts'
import { addMember } from '../support/people.ts'

describe.skipIf(!hasChromium)('the dashboard by its keys', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  const { test, origin, visit, olga } = await startDashboard()
  const acme = await test.createProgram()
  const seller = await createSeller(acme, { name: 'Launch' })
  const grace = await createLead(acme, seller.link.token, 'grace@hopper.test', { name: 'Grace Hopper' })
  const sale = await reportSale(acme, { email: grace.email, amount_cents: 12_300, external_id: 'ORD-77' })
  const names = ['Nadia', 'Noor', 'Nuria', 'Nina']
  for (const name of names) await createAffiliate(acme, { first_name: name, last_name: 'Nord' })
  const owner = await addMember(test, olga, acme.id, { email: 'owner@acme.test', role: 'OWNER' })

  it('Ctrl-K finds records, pages and actions from anywhere', async () => {
    const { page } = await visit(`/${acme.slug}/analytics`, { as: owner })
    await heading(page, 'Analytics')
    await page.keyboard.press('Control+k')
    const box = page.getByRole('combobox', { name: 'Search everything' })
    await box.fill('nina no')
    await page.getByRole('option', { name: /Nina Nord/ }).waitFor()
    expect(await axeProblems(page, { include: ['.find'] })).toEqual([])
    await page.keyboard.press('Enter')
    await heading(page, 'Nina Nord')

    await page.keyboard.press('/')
    await box.fill('ord-7')
    await page.getByRole('option', { name: /ORD-77/ }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url()).toBe(`${origin}/dashboard/${acme.slug}/sales/${sale.sale_id}`)

    await page.keyboard.press('/')
    await box.fill('hopper')
    await page.getByRole('option', { name: /Grace Hopper/ }).click()
    await heading(page, 'Grace Hopper')
    await page.getByRole('link', { name: 'ORD-77' }).waitFor()

    await page.keyboard.press('/')
    await box.fill('create aff')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Create affiliate' }).waitFor()
    await page.reload()
    await heading(page, 'Affiliates')
    expect(await page.locator('.dialog').count()).toBe(0)

    await page.keyboard.press('/')
    await box.fill('nothing like this')
    await page.getByText('Nothing found for “nothing like this”.').waitFor()
    await page.keyboard.press('Escape')
    await box.waitFor({ state: 'detached' })
  })

  it('Ctrl-K works while a menu is open; other keys are those of the menu', async () => {
    const { page } = await visit(`/${acme.slug}/affiliates`, { as: owner })
    await page.locator('.account-button').click()
    await page.getByRole('menuitem', { name: 'GraphiQL' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('/')
    expect(await page.locator('.find').count()).toBe(0)
    await page.keyboard.press('Control+k')
    const box = page.getByRole('combobox', { name: 'Search everything' })
    await box.fill('nina no')
    await page.getByRole('option', { name: /Nina Nord/ }).waitFor()
    await page.getByRole('menu').waitFor({ state: 'detached' })
  })

  it('keys walk through a list, and keep out of fields', async () => {
    const { page } = await visit(`/${acme.slug}/affiliates?search=nord`, { as: owner })
    await page.getByRole('link', { name: 'Nina Nord' }).waitFor()
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Skip to the list')
    await page.keyboard.press('Enter')
    expect(await focused()).toBe('Nina Nord')
    await page.keyboard.press('j')
    expect(await focused()).toBe('Nuria Nord')
    await page.keyboard.press('x')
    await page.getByText('1 selected').waitFor()
    await page.keyboard.press('k')
    await page.keyboard.press('Enter')
    await heading(page, 'Nina Nord')

    await page.goBack()
    const search = page.getByRole('searchbox').first()
    await search.fill('')
    await search.press('j')
    await search.press('/')
    expect(await search.inputValue()).toBe('j/')
    await search.blur()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    expect(await axeProblems(page, { include: ['.dialog'] })).toEqual([])
  })

  it('Shift selects and deselects all rows between two', async () => {
    const { page } = await visit(`/${acme.slug}/affiliates?search=nord`, { as: owner })
    await page.getByLabel('Select Nina Nord').check()
    await page.getByLabel('Select Noor Nord').click({ modifiers: ['Shift'] })
    await page.getByText('3 selected').waitFor()
    await page.getByLabel('Select Nuria Nord').click({ modifiers: ['Shift'] })
    await page.getByText('1 selected').waitFor()
    expect(await page.getByLabel('Select Nina Nord').isChecked()).toBe(true)
  })

  it('a phone has a button for it', async () => {
    const { page } = await visit(`/${acme.slug}/home`, { as: owner, viewport: { width: 390, height: 844 } })
    await heading(page, 'Home')
    await click(page, 'Search')
    await page.getByRole('combobox', { name: 'Search everything' }).fill('ORD')
    await page.getByRole('option', { name: /ORD-77/ }).waitFor()
    const { left, right } = await page.locator('.find').evaluate((box) => box.getBoundingClientRect())
    expect([left >= 0, right <= 390]).toEqual([true, true])
  })

  it('offline, a view that was not loaded shows our own page, and loads once the service is back', async () => {
    const { context, page } = await visit(`/${acme.slug}/home`, { as: owner })
    await heading(page, 'Home')
    // Requests that fail are errors of the console.
    context.removeAllListeners('console')
    await context.setOffline(true)
    await page.getByRole('link', { name: 'Campaigns' }).first().click()
    await page.getByText('This view could not be loaded.').waitFor()
    await click(page, 'Try again')
    await page.getByText('The service is not responding.').first().waitFor()
    await page.keyboard.press('Control+k')
    await page.getByText('This view could not be loaded.').nth(1).waitFor()
    await context.setOffline(false)
    await click(page, 'Try again')
    await heading(page, 'Campaigns')
  })

  it('outside of a program, it finds pages and programs', async () => {
    const { page } = await visit('/account', { as: olga })
    await heading(page, 'Your account')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search everything' }).fill(acme.slug)
    await page.keyboard.press('Enter')
    await heading(page, 'Home')
  })
})

import { describe, expect, it } from 'vitest'
import { hasChromium, needsChromium } from '../support/browser.ts'
import { click, heading, problemsOf, startDashboard } from '../support/dashboard.ts'
import { recordVisit } from '../support/factories.ts'
import { addMember } from '../support/people.ts'

describe.skipIf(!hasChromium)('the first steps of a program', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  const { test, visit, olga } = await startDashboard()

  it('tick what is there, see a visit and a sale at once, and are left and found again', async () => {
    const program = await test.createProgram()
    const owner = await addMember(test, olga, program.id, { email: 'owner@start.test', role: 'OWNER' })
    const { page } = await visit(`/${program.slug}/start`, { as: owner })
    await heading(page, 'First steps')
    const step = (name: string) => page.getByRole('region', { name, exact: true })
    await page.getByText('1 of 3 steps are done.').waitFor()
    await step('Your program').getByText('done', { exact: true }).waitFor()
    await step('Your site').getByText('not yet').waitFor()
    await step('Your program').getByText('USD').waitFor()
    await step('Your site').locator('code').filter({ hasText: 'track.js' }).waitFor()
    expect(await problemsOf(page)).toEqual([])

    await click(page, 'Add me as an affiliate')
    const link = page.getByRole('link', { name: /^Open the link of/ })
    await link.waitFor()
    await page.getByText('Waiting for a visit.').waitFor()
    await page.getByLabel('Links alone').check()
    const shown = await step('Your site').locator('.copyable code').textContent()
    const token = shown?.split('/').at(-1) as string
    expect(await link.getAttribute('href')).toContain(token)
    const { id: referral } = await recordVisit(program, token)
    await page.getByText('We saw a visit:').waitFor()
    await page.getByText('2 of 3 steps are done.').waitFor()

    await page.getByLabel('By a call from your server').check()
    await step('Your sales')
      .locator('code')
      .filter({ hasText: `referral_id=${referral}` })
      .waitFor()
    expect(await problemsOf(page)).toEqual([])
    await program.post('/conversions', { referral_id: referral, email: 'test@example.com', amount_cents: 4_900 })
    await page.getByText('We got a sale of $49.00:').waitFor()
    await page.getByText('All three steps are done.').waitFor()

    await page.getByRole('link', { name: 'Go to the program' }).click()
    await heading(page, 'Home')
    expect(await page.getByRole('heading', { name: 'First steps' }).count()).toBe(0)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search everything' }).fill('first steps')
    await page.getByRole('option', { name: 'First steps' }).click()
    await heading(page, 'First steps')
  })

  it('say that a sale came which no affiliate matches, and home leads back to them until there is a sale', async () => {
    const program = await test.createProgram()
    const owner = await addMember(test, olga, program.id, { email: 'other@start.test', role: 'OWNER' })
    await program.post('/conversions', { email: 'nobody@example.com', amount_cents: 4_900 })
    const { page } = await visit(`/${program.slug}/home`, { as: owner })
    await page.getByRole('region', { name: 'First steps' }).getByRole('link', { name: 'Continue' }).click()
    await heading(page, 'First steps')
    await page.getByText('We got a sale of $49.00, and no affiliate matches it:').waitFor()
    await page.getByRole('link', { name: 'See what was tried' }).click()
    await page.getByText('No affiliate has referred somebody with this e-mail.').waitFor()
  })
})

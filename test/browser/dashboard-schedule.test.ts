import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { hasChromium, needsChromium } from '../support/browser.ts'
import { click, problemsOf, startDashboard } from '../support/dashboard.ts'
import { createPayPal, makeDueRuns, payingProgram } from '../support/payout-services.ts'
import { addMember } from '../support/people.ts'

const phone = { viewport: { width: 320, height: 800 } }
const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth)

describe.skipIf(!hasChromium)('scheduled runs in the dashboard', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  const paypal = await createPayPal()
  const urls = { paypal: paypal.url }
  const { test, visit, olga } = await startDashboard({ payoutServiceUrls: urls })
  const { program: acme } = await payingProgram(test, ['ada@form.test', 'bob@form.test'])
  const owner = await addMember(test, olga, acme.id, { email: 'owner@acme.test', role: 'OWNER' })
  const manager = await addMember(test, olga, acme.id, { email: 'manager@acme.test', role: 'MANAGER' })
  const tomorrow = new Date(test.clock.now.getTime() + 86_400_000)
  const day = String(tomorrow.getUTCDate())
  const open = async (as: typeof owner, options = {}) => {
    const { page } = await visit(`/${acme.slug}/settings/payouts`, { as, ...options })
    const form = page.getByRole('form', { name: 'Scheduled runs' })
    await form.getByLabel('Days of the month').waitFor()
    return { page, form }
  }

  it('an owner sets the days, which are shown again', async () => {
    const { page, form } = await open(owner, phone)
    await form.getByLabel('Days of the month').fill('32')
    await form.getByLabel('PayPal').check()
    await click(page, 'Save the schedule')
    await form
      .getByText(/Days of (the )?month/i)
      .nth(1)
      .waitFor()
    await form.getByLabel('Days of the month').fill(day)
    await form.getByLabel('The least sum of a run (USD)').fill('5')
    await click(page, 'Save the schedule')
    await page.getByText('Saved.').waitFor()
    expect(await problemsOf(page)).toEqual([])
    expect(await widthOf(page)).toBe(320)

    const again = await open(owner)
    expect(await again.form.getByLabel('Days of the month').inputValue()).toBe(day)
    expect(await again.form.getByLabel('PayPal').isChecked()).toBe(true)
    expect(await again.form.getByLabel('Wise').isChecked()).toBe(false)
    expect(await again.form.getByLabel('Currencies').inputValue()).toBe('USD')
    expect(await again.form.getByLabel('The least sum of a run (USD)').inputValue()).toBe('5.00')
    expect(await again.form.getByLabel('Send runs without a person up to (USD)').inputValue()).toBe('')
  })

  it('a manager reads it, and cannot change it', async () => {
    const { page, form } = await open(manager)
    await page.getByText('Only owners change the schedule.').waitFor()
    expect(await form.getByLabel('Days of the month').isDisabled()).toBe(true)
    expect(await page.getByRole('button', { name: 'Save the schedule' }).count()).toBe(0)
  })

  it('the run of the day waits for a person, who gets a mail', async () => {
    const due = Date.UTC(tomorrow.getUTCFullYear(), tomorrow.getUTCMonth(), tomorrow.getUTCDate(), 7)
    test.clock.advanceMinutes((due - test.clock.now.getTime()) / 60_000)
    await makeDueRuns(test, urls)
    const { page } = await open(owner, phone)
    const run = page.getByRole('link', { name: 'Waits for a person, $20.00' })
    await run.waitFor()
    expect(await problemsOf(page)).toEqual([])
    expect(await widthOf(page)).toBe(320)
    await run.click()
    await page.getByRole('button', { name: 'Send by PayPal …' }).waitFor()
    const mails = await test.database.db.mail.findMany({ where: { programId: acme.id, kind: 'payout_runs_made' } })
    expect(mails.map(({ to }) => to).sort()).toEqual(['manager@acme.test', 'owner@acme.test'])
    expect(paypal.moved().size).toBe(0)
  })
})

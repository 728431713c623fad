import { describe, expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'
import { hasChromium, needsChromium } from '../support/browser.ts'
import { click, closed, heading, problemsOf, startDashboard } from '../support/dashboard.ts'
import { addMember } from '../support/people.ts'
import { couponInvoice, createOldProgram, importFrom } from '../support/shadow.ts'
import { createStripeFeed, sendStripe } from '../support/stripe.ts'

describe.skipIf(!hasChromium)('the shadow in the dashboard', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  const there = await createTestApp()
  const { test, visit, olga } = await startDashboard()

  it('a live program becomes a shadow, is compared, its differences are accepted, and it ends', async () => {
    const program = await test.createProgram()
    const owner = await addMember(test, olga, program.id, { email: 'owner@shadow.test', role: 'OWNER' })
    const { page } = await visit(`/${program.slug}/settings/shadow`, { as: owner })
    await heading(page, 'Shadow')
    await click(page, 'Make it a shadow')
    expect(await problemsOf(page)).toEqual([])
    await page.getByRole('alertdialog').getByRole('button', { name: 'Make it a shadow' }).click()
    await page.getByText('0 sales agree to the cent, 0 differ, 0 accepted.').waitFor()

    const { old, ada, sale } = await createOldProgram(there)
    await sale('in_same', 10_000)
    for (const id of ['in_tax', 'in_more']) await sale(id, 24_000)
    await sale('in_theirs', 5_000)
    const feed = await createStripeFeed(program)
    const at = Math.floor(test.clock.now.getTime() / 1000)
    test.clock.advanceMinutes(5)
    await importFrom(there, old, test, program)
    const invoices = [
      couponInvoice(ada.coupon, at, 'in_same', 10_000),
      couponInvoice(ada.coupon, at, 'in_tax', 20_000, 4_000),
      couponInvoice(ada.coupon, at, 'in_more', 20_000, 4_000),
    ]
    for (const invoice of invoices) expect((await sendStripe(test, feed.url, invoice)).status).toBe(200)
    await test.app.deriveFeeds()
    await page.reload()
    await page.getByText('1 sale agrees to the cent, 3 differ, 0 accepted.').waitFor()
    await page.getByRole('navigation').getByRole('link', { name: 'Shadow' }).waitFor()
    await page.getByText('3 open').waitFor()
    expect(await problemsOf(page)).toEqual([])

    await click(page, 'Accept in_tax')
    await page
      .getByText(/They count tax/)
      .last()
      .waitFor()
    await page.getByLabel('Who is right').selectOption('OURS')
    await page.getByLabel('Note').fill('We agreed on net amounts')
    await page.getByLabel('Which ones').selectOption({ label: 'All 2: another amount of the sale' })
    expect(await problemsOf(page)).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Accept', exact: true }).click()
    await closed(page)
    await page.getByText('1 sale agrees to the cent, 1 differs, 2 accepted.').waitFor()
    expect(await page.getByText('We agreed on net amounts').count()).toBe(2)
    await click(page, 'Open again in_more')
    await page.getByText('1 sale agrees to the cent, 2 differ, 1 accepted.').waitFor()

    await click(page, 'End the shadow')
    await page.getByText('Open balances that are taken over: $63.00, of 1 affiliate.').waitFor()
    await page.getByText('Paid by the other service, and not paid again: nothing.').waitFor()
    expect(await problemsOf(page)).toEqual([])
    await page.getByLabel('Sales count here since').fill('2100-01-01')
    await page.getByText("The time can't be in the future.").waitFor()
    const end = page.getByRole('dialog').getByRole('button', { name: 'End the shadow' })
    expect(await end.isDisabled()).toBe(true)
    await page.getByLabel('Sales count here since').fill('')
    await expect.poll(() => end.isDisabled()).toBe(false)
    await end.click()
    await page.getByText('4 commissions were taken over').waitFor()
    expect(await problemsOf(page)).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await page.getByText('The shadow has ended').waitFor()
    expect(await page.getByRole('navigation').getByRole('link', { name: 'Shadow' }).count()).toBe(0)
  })

  it('an analyst reads the comparison, and can neither accept a difference nor end the shadow', async () => {
    const program = await test.createProgram()
    const become = 'mutation ($input: UpdateProgramInput!) { updateProgram(input: $input) { program { id } } }'
    await test.operator(become, { input: { id: program.id, isShadow: true } })
    const analyst = await addMember(test, olga, program.id, { email: 'analyst@shadow.test', role: 'ANALYST' })
    const { old, ada, sale } = await createOldProgram(there)
    for (const id of ['in_more', 'in_less']) await sale(id, 24_000)
    const feed = await createStripeFeed(program)
    const at = Math.floor(test.clock.now.getTime() / 1000)
    test.clock.advanceMinutes(5)
    await importFrom(there, old, test, program)
    for (const id of ['in_more', 'in_less'])
      await sendStripe(test, feed.url, couponInvoice(ada.coupon, at, id, 20_000, 4_000))
    await test.app.deriveFeeds()
    const [first] = (await program.graphql('{ shadowReport { differences { key } } }')).shadowReport.differences
    const input = { keys: [first.key], as: 'OURS', note: 'We agreed on net amounts' }
    const accept = `mutation ($input: AcceptShadowDifferencesInput!) { acceptShadowDifferences(input: $input) { keys } }`
    await program.graphql(accept, { input })

    const { page } = await visit(`/${program.slug}`, { as: analyst })
    await page.getByRole('navigation').getByRole('link', { name: 'Shadow' }).click()
    await page.getByText('0 sales agree to the cent, 1 differs, 1 accepted.').waitFor()
    await page.getByText('We agreed on net amounts').waitFor()
    expect(await page.getByRole('main').getByRole('button').allTextContents()).toEqual([])
    expect(await problemsOf(page)).toEqual([])
  })

  it('the parameters of links are changed in the settings, and a wrong one says why', async () => {
    const program = await test.createProgram()
    const manager = await addMember(test, olga, program.id, { email: 'manager@shadow.test', role: 'MANAGER' })
    const { page } = await visit(`/${program.slug}/settings`, { as: manager })
    await heading(page, 'Settings')
    const field = page.getByLabel('Parameters of links')
    expect(await field.inputValue()).toBe('fpr, via_id')
    await field.fill('ref, a b?')
    await click(page, 'Save')
    await page.getByText(/may hold letters, digits/).waitFor()
    await field.fill('ref, fpr')
    await click(page, 'Save')
    await page.getByText('Saved').waitFor()
    const { program: changed } = await program.graphql('{ program { linkParameters } }')
    expect(changed.linkParameters).toEqual(['ref', 'fpr'])
  })
})

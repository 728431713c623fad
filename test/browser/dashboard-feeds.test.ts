import { describe, expect, it } from 'vitest'
import { hasChromium, needsChromium } from '../support/browser.ts'
import { click, closed, heading, problemsOf, startDashboard } from '../support/dashboard.ts'
import { createSeller, recordVisit } from '../support/factories.ts'
import { sendEvents } from '../support/feeds.ts'
import { addMember } from '../support/people.ts'
import { createStripeFeed, outcomesOf, sendStripe, stripeEvent, stripeSecret } from '../support/stripe.ts'

describe.skipIf(!hasChromium)('the feeds of the dashboard', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  const { test, visit, olga } = await startDashboard()
  const acme = await test.createProgram()
  const { link } = await createSeller(acme)
  const { id: referral } = await recordVisit(acme, link.token)
  const owner = await addMember(test, olga, acme.id, { email: 'owner@acme.test', role: 'OWNER' })

  async function addFeed(kind: string, name: string) {
    const { page } = await visit(`/${acme.slug}/developers`, { as: owner })
    await heading(page, 'Developers')
    await click(page, 'Add feed')
    await page.getByLabel('Billing system').selectOption(kind)
    await page.getByLabel('Name').fill(name)
    expect(await problemsOf(page)).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Add feed' }).click()
    await page.getByText('The feed was added.').waitFor()
    return page
  }
  const boxOf = (page: Awaited<ReturnType<typeof addFeed>>, name: string) => {
    const copy = page.getByRole('button', { name: `Copy ${name}`, exact: true })
    return page.locator('.copyable').filter({ has: copy }).locator('code').textContent() as Promise<string>
  }

  it('a feed of Stripe is created before Stripe has made its secret, which is entered then', async () => {
    const page = await addFeed('STRIPE', 'Billing')
    const url = await boxOf(page, 'Address')
    await click(page, 'Done')
    await closed(page)
    await page.getByText('Needs a secret').waitFor()
    await page.getByRole('link', { name: 'Billing' }).click()
    await heading(page, 'Billing')
    await click(page, 'Enter secret')
    await page.getByRole('textbox', { name: 'Secret' }).fill(stripeSecret)
    await click(page, 'Save')
    await closed(page)
    await page.getByText('Active').waitFor()

    const invoice = { id: 'in_1', customer: 'cus_1', currency: 'usd', total: 9_000, amount_paid: 9_000 }
    const paid = stripeEvent('invoice.paid', { ...invoice, object: 'invoice', metadata: { referral } })
    expect((await sendStripe(test, url, paid)).status).toBe(200)
    await test.app.deriveFeeds()
    await page.getByRole('table').getByText('invoice.paid', { exact: true }).first().waitFor()
    expect(await problemsOf(page)).toEqual([])
    await page.getByLabel('Invoice, charge, customer id or e-mail').fill('cus_1')
    await page.getByText('1 event', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'invoice.paid' }).click()
    await heading(page, 'invoice.paid')
    await page.getByText('As it was sent').click()
    await page.getByText('"amount_paid": 9000').waitFor()
    expect(await problemsOf(page)).toEqual([])
    await page.getByRole('link', { name: 'in_1' }).click()
    await expect.poll(() => page.url()).toContain('/sales/')
  })

  it('a manager finds why an invoice was not counted, and gives it to an affiliate', async () => {
    const program = await test.createProgram()
    const { affiliate } = await createSeller(program)
    const mia = await addMember(test, olga, program.id, { email: 'mia@acme.test', role: 'MANAGER' })
    const feed = await createStripeFeed(program)
    const of = (n: string, email: string) => ({ id: `in_${n}`, customer: `cus_${n}`, customer_email: email })
    const paid = { currency: 'usd', status: 'paid', total: 9_000, amount_paid: 9_000 }
    for (const [n, email] of [
      ['7001', 'grace@shop.test'],
      ['7002', 'else@shop.test'],
    ] as const)
      await sendStripe(test, feed.url, stripeEvent('invoice.paid', { ...of(n, email), ...paid }))
    await test.app.deriveFeeds()

    const { page } = await visit(`/${program.slug}/home`, { as: mia })
    await page.getByText('All records agree').or(page.getByText('The data has not been checked')).first().waitFor()
    expect(await page.getByText(/(has|have) no affiliate/).count()).toBe(0)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search everything' }).fill('in_7001')
    await page.getByRole('group', { name: 'Billing events' }).getByText('in_7001 · $90.00 · grace@shop.test').waitFor()
    await page.getByRole('group', { name: 'Sales without an affiliate' }).getByRole('option').waitFor()
    await page.getByRole('group', { name: 'Billing events' }).getByRole('option').click()
    await heading(page, 'invoice.paid')
    await page.getByText('Not counted').waitFor()
    await page.getByText('No referral. No coupon. No affiliate has referred somebody with this e-mail.').waitFor()
    expect(await problemsOf(page)).toEqual([])
    await click(page, 'Attribute …')
    await page.getByLabel('Find the affiliate').fill(affiliate.email)
    await page.getByRole('radio').check()
    await page.getByRole('dialog').getByRole('button', { name: 'Attribute to' }).click()
    await page.getByText('The sale belongs to').waitFor()
    await test.app.deriveFeeds()
    await page.getByRole('link', { name: 'Billing events' }).click()
    await heading(page, 'Billing events')
    await page
      .getByRole('row', { name: /in_7001/ })
      .getByText('Sale', { exact: true })
      .waitFor()
    expect(await problemsOf(page)).toEqual([])

    await page.getByRole('link', { name: 'Without an affiliate' }).click()
    await page.getByRole('row', { name: /in_7002/ }).waitFor()
    await page.getByLabel('Customer, e-mail or invoice').fill('ELSE@')
    await expect.poll(() => page.url()).toContain('search=ELSE')
    await page.getByRole('row', { name: /in_7002/ }).waitFor()
    await page.getByLabel('Show').selectOption('Those that need attention')
    await page.getByText('No match').waitFor()
    expect(await problemsOf(page)).toEqual([])
  })

  it('a feed is renamed, includes taxes, and gets another secret beside the old one', async () => {
    const page = await addFeed('GENERIC', 'Till')
    const first = await boxOf(page, 'Secret')
    const url = await boxOf(page, 'Address')
    await click(page, 'Done')
    await closed(page)
    await page.getByRole('link', { name: 'Till' }).click()
    await heading(page, 'Till')
    await click(page, 'More')
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await page.getByLabel('Name').fill('Tills')
    await page.getByLabel('Mode').selectOption('Live')
    await page.getByLabel('Taxes').check()
    expect(await problemsOf(page)).toEqual([])
    await click(page, 'Save')
    await closed(page)
    await heading(page, 'Tills')
    const factOf = (name: string) => page.locator('.facts > div').filter({ has: page.getByText(name, { exact: true }) })
    expect(await factOf('Included in amounts').getByRole('definition').textContent()).toBe('Taxes')
    expect(await factOf('Mode').getByRole('definition').textContent()).toBe('Live')

    await click(page, 'More')
    await page.getByRole('menuitem', { name: 'Replace secret' }).click()
    await click(page, 'Save')
    const second = await boxOf(page, 'Secret')
    expect(second).not.toBe(first)
    const event = (id: string) => [{ event_id: id, type: 'customer', id, occurredAt: '2026-03-10T12:00:00Z' }]
    expect(await sendEvents(test, url, 'GENERIC', event('by_first'), first)).toEqual([200])
    expect(await sendEvents(test, url, 'GENERIC', event('by_second'), second)).toEqual([200])
    await click(page, 'Done')
    await closed(page)
    await factOf('Old secret accepted until').waitFor()
    await page.getByText('2 events').waitFor()
    await page.getByLabel('Became').selectOption('Sale')
    await page.getByText('No match').waitFor()
  })

  it('the name of a new feed follows the billing system until somebody types one', async () => {
    const { page } = await visit(`/${acme.slug}/developers`, { as: owner })
    await heading(page, 'Developers')
    await click(page, 'Add feed')
    const name = page.getByLabel('Name')
    await page.getByLabel('Billing system').selectOption('Paddle Billing')
    await expect.poll(() => name.inputValue()).toBe('Paddle Billing')
    await name.fill('Shop')
    await page.getByLabel('Billing system').selectOption('Polar')
    await page.getByText('Polar shows it').waitFor()
    expect(await name.inputValue()).toBe('Shop')
  })

  it('a mapping is tested against the last event, saved, and applied by deriving again', async () => {
    const page = await addFeed('GENERIC', 'Shop')
    const url = await boxOf(page, 'Address')
    const secret = await boxOf(page, 'Secret')
    await click(page, 'Done')
    await closed(page)
    const order = { event_id: 'order_1', number: 'A-1', total: '49.50', ref: referral, at: '2026-03-10T12:00:00Z' }
    expect(await sendEvents(test, url, 'GENERIC', [order], secret)).toEqual([200])

    await page.getByRole('link', { name: 'Shop' }).click()
    await heading(page, 'Shop')
    const save = page.getByRole('button', { name: 'Save' })
    expect(await save.isDisabled()).toBe(true)
    const mapping = page.getByRole('textbox', { name: 'Expression of JSONata' })
    await mapping.fill('{ "type": "sale", "id": number, "amount": total')
    await click(page, 'Test mapping')
    await page.getByRole('listitem').filter({ hasText: 'order_1' }).waitFor()
    await save.click()
    await page.getByText('cannot be used').waitFor()
    expect(await page.getByText('Can be used.').count()).toBe(0)
    await mapping.fill(
      '{ "type": "sale", "id": number, "amount": total, "currency": "usd", "referralId": ref, "occurredAt": at }',
    )
    await click(page, 'Test mapping')
    await page.getByText('Can be used.').waitFor()
    expect(await problemsOf(page)).toEqual([])
    await save.click()
    await page.getByText('Saved').waitFor()

    await click(page, 'Calculate again')
    await page.getByText('would report a sale of $49.50').waitFor()
    expect(await problemsOf(page)).toEqual([])
    await page.getByRole('alertdialog').getByRole('button', { name: 'Calculate again' }).click()
    await closed(page)
    const feedId = url.split('/').at(-1) as string
    expect(await outcomesOf(acme, feedId)).toMatchObject({ order_1: { outcome: 'SALE', sale: { externalId: 'A-1' } } })
    await page.getByRole('table').getByText('Sale', { exact: true }).waitFor()
  })
})

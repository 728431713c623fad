import { afterAll, describe, expect, it } from 'vitest'
import { createSetUpToken } from '../../src/modules/people/set-up.ts'
import { axeProblems, hasChromium, needsChromium, screens } from '../support/browser.ts'
import { click, clipboard, closed, heading, problemsOf, startDashboard } from '../support/dashboard.ts'
import { createSeller, reportSale } from '../support/factories.ts'
import { addMember } from '../support/people.ts'
import { createReceiver } from '../support/receiver.ts'

describe.skipIf(!hasChromium)('the page at /dashboard', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  const { test, origin, visit, olga } = await startDashboard()
  const receiver = await createReceiver(() => ({ status: 202, body: 'noted' }))
  afterAll(() => receiver.close())
  const setUpLink = async () =>
    `${origin}/dashboard/setup#token=${await createSetUpToken(test.database.db, test.clock.now)}`
  const acme = await test.createProgram()
  const seller = await createSeller(acme, { name: 'Launch', commission_percent: 20 })
  await reportSale(acme, { coupon: seller.coupon, email: 'c@customers.test', amount_cents: 12_300 })
  await acme.post('/conversions', { coupon: 'unknown', email: 'd@customers.test', amount_cents: 500 })
  const owner = await addMember(test, olga, acme.id, { email: 'owner@acme.test', role: 'OWNER' })
  const analyst = await addMember(test, olga, acme.id, { email: 'analyst@acme.test', role: 'ANALYST' })

  const { createWebhookEndpoint } = await acme.graphql(
    `mutation { createWebhookEndpoint(input: { url: "http://127.0.0.1:9/checked", description: "Checked" }) { webhookEndpoint { id } } }`,
  )
  const endpointId = createWebhookEndpoint.webhookEndpoint.id

  const statusOf = async (secret: string) => {
    const response = await fetch(`${origin}/v1/affiliates`, { headers: { Authorization: `Bearer ${secret}` } })
    return response.status
  }

  it('leads from the set-up link to a program, to a key that works over REST, and revokes it', async () => {
    const { page } = await visit(await setUpLink())
    await page.getByLabel('Name').fill('Grace Hopper')
    await page.getByLabel('E-mail').fill('grace@acme.test')
    await page.getByLabel('Password').fill('short')
    await click(page, 'Create account')
    await page.getByText('must have at least 12 characters').waitFor()
    await page.getByLabel('Password').fill('four random words more')
    await click(page, 'Create account')
    await heading(page, 'First steps')
    expect(page.url()).not.toContain('token')
    await click(page, 'Account of Grace Hopper')
    await page.getByRole('menuitem', { name: 'Programs' }).click()
    await click(page, 'Create program')
    await page.getByLabel('Name').fill('Rocket')
    await page.getByLabel('Website').fill('ftp://rocket.test')
    await page.getByRole('dialog').getByRole('button', { name: 'Create program' }).click()
    await page.getByText('must be an absolute address').waitFor()
    await page.getByLabel('Website').fill('rocket.test')
    await page.getByRole('dialog').getByRole('button', { name: 'Create program' }).click()
    await page.getByText('1 of 3 steps are done.').waitFor()
    expect(page.url()).toBe(`${origin}/dashboard/rocket/start`)

    await page.getByRole('link', { name: 'Developers' }).click()
    await heading(page, 'Developers')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Developers')
    await click(page, 'Create key')
    const dialog = page.locator('[role=dialog]:not(.toast)')
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await dialog.getByText("Name can't be blank").waitFor()
    await dialog.getByLabel('Name').fill('Billing')
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await dialog.getByRole('button', { name: 'Copy the secret of the key' }).click()
    await dialog.getByText('Copied.').waitFor()
    const secret = await clipboard(page)
    expect(secret).toMatch(/^trib_sk_/)
    expect(await statusOf(secret)).toBe(200)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await page.content()).not.toContain(secret)

    await page
      .getByRole('row', { name: /Billing/ })
      .getByRole('button', { name: 'Revoke Billing' })
      .click()
    await page.getByRole('alertdialog', { name: 'Revoke Billing?' }).getByText(secret.slice(-4)).waitFor()
    expect(await statusOf(secret)).toBe(200)
    await click(page, 'Revoke key')
    await page.locator('summary', { hasText: '1 revoked key' }).waitFor()
    expect(await statusOf(secret)).toBe(401)
  })

  it('an analyst reads, and is offered no change', async () => {
    const { page } = await visit(`/${acme.slug}/home`, { as: analyst })
    await page.getByRole('link', { name: '1 sale has no affiliate' }).waitFor()
    await page.getByRole('img', { name: /^Revenue from/ }).waitFor()
    await page.getByRole('link', { name: 'Developers' }).click()
    await page.getByRole('link', { name: 'http://127.0.0.1:9/checked' }).waitFor()
    const names = await page.getByRole('main').getByRole('button').allTextContents()
    // What is listed can be saved, and seen in full.
    expect(names.filter((name) => !/^(Copy|Columns$|Export CSV$|Details )/.test(name))).toEqual([])
  })

  it('home shows what needs attention and the figures of a range, and follows sales', async () => {
    const { page } = await visit(`/${acme.slug}/home`, { as: owner })
    const revenue = page.getByRole('button', { name: /^Revenue/ })
    await expect.poll(() => revenue.textContent()).toContain('$123.00')
    await page.getByRole('link', { name: '1 sale has no affiliate' }).waitFor()
    await page.getByText('The data has not been checked yet.').waitFor()
    const addToAmounts = (cents: number) =>
      test.database.db
        .$executeRaw`update commissions set amount_cents = amount_cents + ${cents} where program_id = ${acme.id}::uuid`
    await addToAmounts(1)
    await click(page, 'Check now')
    await page.getByRole('button', { name: /problems? in the data/ }).click()
    const findings = page.getByRole('dialog', { name: 'Problems in the data' })
    await findings.getByText("A commission's amount is the sum of the deltas of its facts.").first().waitFor()
    expect(await problemsOf(page)).toEqual([])
    await page.keyboard.press('Escape')
    await closed(page)
    await addToAmounts(-1)
    await reportSale(acme, { coupon: seller.coupon, email: 'live@customers.test', amount_cents: 10_000 })
    await expect.poll(() => revenue.textContent()).toContain('$223.00')
    await page.getByRole('button', { name: /^Conversions/ }).click()
    await page.getByRole('img', { name: /^Conversions from/ }).waitFor()
    await page.getByLabel('Range').selectOption('Last 12 months')
    await page.getByRole('img', { name: /^Conversions from Apr 2025 to Mar 2026/ }).waitFor()

    // Money, dates and counts are in the locale of the program.
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByLabel('Locale').selectOption('German (Germany) – de-DE')
    await page.getByText(/1\.234,50\s\$/).waitFor()
    await click(page, 'Save')
    await page.getByText('Saved.').waitFor()
    await page.getByRole('link', { name: 'Sales', exact: true }).click()
    await page.getByRole('cell', { name: '123,00 $' }).waitFor()
    await page.getByText('10.03.2026').first().waitFor()
    const change =
      'mutation ($id: ID!, $locale: String!) { updateProgram(input: { id: $id, locale: $locale }) { program { id } } }'
    await owner.graphql(acme.id)(change, { id: acme.id, locale: 'he' })
    await page.reload()
    // A Hebrew date begins on the right, also in an English table.
    const date = page.getByRole('cell').getByRole('time').filter({ hasText: 'במרץ' }).first()
    await date.waitFor()
    expect(await date.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl')
    await owner.graphql(acme.id)(change, { id: acme.id, locale: 'en-US' })
  })

  it('adds a webhook endpoint, sends a test event, shows the response, and sends it again', async () => {
    // What happened before is not for this endpoint.
    await test.app.sendWebhooks()
    const { page } = await visit(`/${acme.slug}/developers`, { as: owner })
    await click(page, 'Add endpoint')
    const dialog = page.locator('[role=dialog]:not(.toast)')
    await dialog.getByLabel('URL').fill(receiver.url)
    await dialog.getByLabel('All of commissions').check()
    await dialog.locator('details', { hasText: 'sale.created' }).locator('summary').click()
    await dialog.getByLabel('sale.created').check()
    expect(await problemsOf(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Add endpoint' }).click()
    await dialog.getByText('Copy it now.').waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('link', { name: receiver.url }).click()
    await click(page, 'Send test event')
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('The test event is on its way.').waitFor()
    await page.getByRole('cell', { name: 'Waiting' }).waitFor()
    await test.app.sendWebhooks()
    expect(receiver.received).toHaveLength(1)
    // The list follows by itself.
    await page.getByRole('cell', { name: 'Accepted' }).waitFor()
    await page.getByLabel('State').selectOption('Accepted')
    expect(page.url()).toContain('?state=succeeded')
    await page
      .getByRole('row', { name: /sale\.created/ })
      .getByRole('button', { name: /Details/ })
      .click()
    await dialog.getByText('noted').waitFor()
    await dialog.getByText('Body', { exact: true }).click()
    await dialog.getByText('"type": "sale.created"').waitFor()
    await dialog.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('The event is sent again.').waitFor()
    await test.app.sendWebhooks()
    expect(receiver.received).toHaveLength(2)
    await page.getByText('2 deliveries').waitFor()

    await click(page, 'More')
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await dialog.getByLabel('Campaign', { exact: true }).selectOption('Launch')
    await dialog.getByLabel('Affiliate', { exact: true }).fill('example')
    await dialog.getByRole('radio').first().check()
    await dialog.getByLabel('Amount of at least').fill('1,00')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Enter an amount in USD').waitFor()
    await dialog.getByLabel('Amount of at least').fill('1,000')
    expect(await problemsOf(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const facts = page.getByRole('definition')
    await facts.getByText('sale.created, All of commissions').waitFor()
    await facts.getByText('Campaign: Launch').waitFor()
    await facts.getByText('Amount of at least: $1,000.00').waitFor()
    const { webhookEndpoints } = await acme.graphql('{ webhookEndpoints { nodes { url where } } }')
    const { where } = webhookEndpoints.nodes.find(({ url }: { url: string }) => url === receiver.url)
    expect(JSON.parse(where)).toEqual({
      campaignId: { equals: seller.campaign.id },
      affiliateId: { equals: seller.affiliate.id },
      amountCents: { gte: 100_000 },
      currency: { equals: 'usd' },
    })
    await click(page, 'More')
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    expect(await dialog.getByLabel('Amount of at least').inputValue()).toBe('1000.00')
    await dialog.getByLabel('Campaign', { exact: true }).selectOption('All campaigns')
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await dialog.getByLabel('Amount of at least').fill('')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await facts.getByText('Campaign: Launch').waitFor({ state: 'detached' })
    await dialog.waitFor({ state: 'detached' })

    await click(page, 'More')
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByText(receiver.url).waitFor()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('link', { name: receiver.url }).first().waitFor({ state: 'detached' })
  })

  it('lists failed requests; filter and order are in the address', async () => {
    for (const body of [{ coupon: seller.coupon, amount_cents: -1 }, {}]) await acme.post('/conversions', body)
    await acme.get('/affiliates/unknown')
    await test.app.flush()
    const { page } = await visit(`/${acme.slug}/developers`, { as: analyst })
    await page
      .getByRole('row', { name: /POST \/v1\/conversions/ })
      .first()
      .waitFor()
    await page.getByRole('link', { name: 'Show all' }).click()
    await heading(page, 'Failed requests')
    await page.getByLabel('Kind').selectOption('Not found')
    await page.getByText('1 failed request', { exact: true }).waitFor()
    expect(new URL(page.url()).search).toBe('?kind=NOT_FOUND')
    await page.getByRole('button', { name: 'When' }).click()
    await page.getByRole('columnheader', { name: 'When' }).and(page.locator('[aria-sort=descending]')).waitFor()
    await page.reload()
    await page.getByText('1 failed request', { exact: true }).waitFor()
    expect(await page.getByLabel('Kind').inputValue()).toBe('NOT_FOUND')
    await click(page, 'Clear filters')
    await page
      .getByRole('row', { name: /POST \/v1\/conversions/ })
      .first()
      .waitFor()
  })

  it('works with the keyboard only: skip link, navigation, dialog and back', async () => {
    const { page } = await visit(`/${acme.slug}/home`, { as: owner })
    await heading(page, 'Home')
    const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim() ?? '')
    const tabTo = async (name: string) => {
      for (let presses = 0; presses < 40 && (await focused()) !== name; presses++) await page.keyboard.press('Tab')
      expect(await focused()).toBe(name)
    }
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Skip to the content')
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content')
    await page.reload()
    await heading(page, 'Home')
    await tabTo('Developers')
    await page.keyboard.press('Enter')
    await heading(page, 'Developers')
    await page.getByRole('button', { name: 'Create key' }).waitFor()
    await tabTo('Create key')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(focused).toBe('Create key')
    await page.goBack()
    await heading(page, 'Home')
  })

  it.each(screens)(
    'at %i pixels, %s: no horizontal scrolling and no accessibility problems',
    async (width, colorScheme) => {
      const { page, go } = await visit(`/${acme.slug}/home`, {
        as: owner,
        viewport: { width, height: 800 },
        colorScheme,
      })
      const problems: string[] = []
      const check = async (name: string) => {
        await page.locator('.skeleton').first().waitFor({ state: 'detached' })
        expect([name, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([name, width])
        problems.push(...(await axeProblems(page)).map((problem) => `${name}: ${problem}`))
      }
      await page.locator('.chart svg').waitFor()
      await check('home')
      if (width < 800) {
        await click(page, 'Menu')
        await page.getByRole('dialog', { name: 'Menu' }).waitFor()
        await check('menu')
        await page.getByRole('dialog').getByRole('link', { name: 'Developers' }).click()
      } else await page.getByRole('link', { name: 'Developers' }).click()
      await page.getByText('Tests').first().waitFor()
      await check('developers')
      await click(page, 'Create key')
      await page.getByRole('dialog').waitFor()
      await check('create a key')
      const views = [
        ...[
          'settings',
          'settings/payouts',
          'settings/people',
          'settings/history',
          'developers/requests',
          'sales/events',
          'start',
          'campaigns/new',
          `developers/webhooks/${endpointId}`,
        ],
        ...['sales', 'payouts'],
      ].map((path) => `${acme.slug}/${path}`)
      for (const path of [...views, 'account', 'programs', 'sign-in', 'setup#token=x', 'no-such-program/home']) {
        await go(`/${path}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await check(path)
      }
      expect(problems).toEqual([])
    },
  )
})

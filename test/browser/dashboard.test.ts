import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { createSetUpToken } from '../../src/modules/people/set-up.ts'
import { createTestApp } from '../support/app.ts'
import { axeProblems, hasChromium, launchChromium, needsChromium, screens } from '../support/browser.ts'
import { createSeller, reportSale } from '../support/factories.ts'
import { codeOf } from '../support/one-time-code.ts'
import { addMember, password, setUpOperator, type TestBrowser } from '../support/people.ts'
import { createReceiver } from '../support/receiver.ts'

describe.skipIf(!hasChromium)('the page at /dashboard', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  const test = await createTestApp()
  const server = createServer(test.app.handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  // No other host resolves, so the page can load nothing from elsewhere.
  const browser = await launchChromium('MAP * ~NOTFOUND, EXCLUDE localhost')
  const receiver = await createReceiver(() => ({ status: 202, body: 'noted' }))
  afterAll(async () => {
    await browser.close()
    await receiver.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const setUpLink = async () =>
    `${origin}/dashboard/setup#token=${await createSetUpToken(test.database.db, test.clock.now)}`
  const olga = await setUpOperator(test)
  const acme = await test.createProgram()
  const other = await test.createProgram()
  const seller = await createSeller(acme, { name: 'Launch', commission_percent: 20 })
  await reportSale(acme, { coupon: seller.coupon, email: 'c@customers.test', amount_cents: 12_300 })
  await acme.post('/conversions', { coupon: 'unknown', email: 'd@customers.test', amount_cents: 500 })
  const owner = await addMember(test, olga, acme.id, { email: 'owner@acme.test', role: 'OWNER' })
  const analyst = await addMember(test, olga, acme.id, { email: 'analyst@acme.test', role: 'ANALYST' })

  type Visit = BrowserContextOptions & { as?: TestBrowser }

  /** Opens an address in a new browser, which may be signed in. Records what the console says is wrong. */
  async function visit(address: string, { as, ...options }: Visit = {}) {
    const context = await browser.newContext({
      permissions: ['clipboard-read', 'clipboard-write'],
      locale: 'en-US',
      timezoneId: 'Europe/Berlin',
      reducedMotion: 'reduce',
      ...options,
    })
    context.setDefaultTimeout(30_000)
    const cookies = [...(as?.cookies ?? [])].map(([name, value]) => ({ name, value, url: origin }))
    await context.addCookies(cookies)
    const page = await context.newPage()
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    // A rejected sign-in is no error of the page.
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        errors.push(message.text())
    })
    await page.goto(address.startsWith('http') ? address : origin + address)
    return { context, page, errors }
  }
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  const click = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
  const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
  const statusOf = async (secret: string) => {
    const response = await fetch(`${origin}/v1/affiliates`, { headers: { Authorization: `Bearer ${secret}` } })
    return response.status
  }
  const signIn = async (page: Page, email: string, secret = password) => {
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill(secret)
    await click(page, 'Sign in')
  }

  it('leads from the set-up link to a program, to a key that works over REST, and revokes it', async () => {
    const { context, page, errors } = await visit(await setUpLink())
    await page.getByLabel('Name').fill('Grace Hopper')
    await page.getByLabel('E-mail').fill('grace@acme.test')
    await page.getByLabel('Password').fill('short')
    await click(page, 'Create account')
    await page.getByText('must have at least 12 characters').waitFor()
    await page.getByLabel('Password').fill('four random words more')
    await click(page, 'Create account')
    await heading(page, 'Home')
    expect(page.url()).not.toContain('token')
    await click(page, 'Account of Grace Hopper')
    await page.getByRole('menuitem', { name: 'Programs' }).click()
    await click(page, 'Create program')
    await page.getByLabel('Name').fill('Rocket')
    await page.getByLabel('Website').fill('rocket.test')
    await page.getByRole('dialog').getByRole('button', { name: 'Create program' }).click()
    await page.getByText('must be an absolute address').waitFor()
    await page.getByLabel('Website').fill('https://rocket.test')
    await page.getByRole('dialog').getByRole('button', { name: 'Create program' }).click()
    await page.getByRole('heading', { name: 'Get to your first sale' }).waitFor()
    expect(page.url()).toBe(`${origin}/dashboard/rocket/home`)

    await page.getByRole('link', { name: 'Developers' }).click()
    await heading(page, 'Developers')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Developers')
    await click(page, 'Create key')
    const dialog = page.getByRole('dialog')
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
    expect(errors).toEqual([])
    await context.close()
  })

  it('signs in with e-mail and password, and returns to the view that was asked for', async () => {
    const { context, page, errors } = await visit(`/dashboard/${acme.slug}/developers`)
    await heading(page, 'Sign in')
    await click(page, 'Sign in')
    await page.getByText('Enter your e-mail address.').waitFor()
    await signIn(page, 'owner@acme.test', 'wrong password for me')
    await page.getByRole('alert').waitFor()
    await signIn(page, 'owner@acme.test')
    await heading(page, 'Developers')
    await click(page, 'Account of Mia Member')
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await heading(page, 'Sign in')
    await page.goto(`${origin}/dashboard`)
    await heading(page, 'Sign in')
    expect(errors).toEqual([])
    await context.close()
  })

  it('a foreign address in the link to the sign-in is not followed', async () => {
    const { context, page } = await visit('/dashboard/sign-in?next=//evil.test/')
    await signIn(page, 'analyst@acme.test')
    await heading(page, 'Home')
    expect(page.url()).toBe(`${origin}/dashboard/${acme.slug}/home`)
    await context.close()
  })

  it('an ended session leads to the sign-in', async () => {
    const { context, page } = await visit(`/dashboard/${acme.slug}/home`, { as: owner })
    await heading(page, 'Home')
    await context.clearCookies()
    await page.getByRole('link', { name: 'Developers' }).click()
    await heading(page, 'Sign in')
    expect(page.url()).toContain(`next=%2F${acme.slug}%2Fdevelopers`)
    await context.close()
  })

  it('accepts an invitation; the person sees their program and no other', async () => {
    const { inviteMember } = await olga.graphql(acme.id)(
      'mutation { inviteMember(input: { email: "new@acme.test", role: MANAGER }) { url } }',
    )
    const { context, page } = await visit(inviteMember.url.replace('http://localhost:4000', origin))
    await heading(page, 'Join Acme')
    await page.getByText('You are invited as a manager.').waitFor()
    await page.getByLabel('Name').fill('Nils New')
    await page.getByLabel('Password').fill(password)
    await click(page, 'Accept invitation')
    await heading(page, 'Home')
    await page.goto(`${origin}/dashboard/${other.slug}/home`)
    await heading(page, 'Nothing is here')
    await page.goto(`${origin}/dashboard/${acme.slug}/developers`)
    await page.getByText('Only owners of the program can see and change its keys.').waitFor()
    await page.getByRole('button', { name: 'Add endpoint' }).waitFor()
    await context.close()
    const again = await visit(inviteMember.url.replace('http://localhost:4000', origin))
    await heading(again.page, 'This invitation cannot be used')
    await again.context.close()
  })

  it('somebody with an account signs in before they accept', async () => {
    const { inviteMember } = await olga.graphql(other.id)(
      'mutation { inviteMember(input: { email: "owner@acme.test", role: ANALYST }) { url } }',
    )
    const { context, page } = await visit(inviteMember.url.replace('http://localhost:4000', origin))
    await page.getByText('You have an account already.').waitFor()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await signIn(page, 'owner@acme.test')
    await click(page, 'Accept invitation')
    await heading(page, 'Home')
    expect(page.url()).toBe(`${origin}/dashboard/${other.slug}/home`)
    await context.close()
  })

  it('an operator makes a link with which somebody who forgot their password chooses another', async () => {
    await addMember(test, olga, acme.id, { email: 'forgetful@acme.test', role: 'ANALYST', name: 'Fay Forgetful' })
    const operator = await visit('/dashboard/programs', { as: olga })
    await click(operator.page, 'Reset a password')
    const dialog = operator.page.getByRole('dialog')
    await dialog.getByLabel('E-mail').fill('nobody@acme.test')
    await dialog.getByRole('button', { name: 'Create link' }).click()
    await dialog.getByText('Nobody has an account').waitFor()
    await dialog.getByLabel('E-mail').fill('forgetful@acme.test')
    await dialog.getByRole('button', { name: 'Create link' }).click()
    await dialog.getByText('Send this link to Fay Forgetful.').waitFor()
    await dialog.getByRole('button', { name: 'Copy The link' }).click()
    await dialog.getByText('Copied.').waitFor()
    const link = (await clipboard(operator.page)).replace(/^https?:\/\/[^/]+/, origin)
    expect(await axeProblems(operator.page, { include: ['.dialog'] })).toEqual([])
    await operator.context.close()

    const { context, page, errors } = await visit(link)
    await page.getByText('For the account forgetful@acme.test.').waitFor()
    expect(page.url()).not.toContain('token')
    expect(await axeProblems(page)).toEqual([])
    await page.getByLabel('New password').fill('short')
    await click(page, 'Change password')
    await page.getByText('must have at least 12 characters').waitFor()
    await page.getByLabel('New password').fill('four random words again')
    await click(page, 'Change password')
    await heading(page, 'Your password was changed')
    await page.getByRole('link', { name: 'Sign in' }).click()
    await signIn(page, 'forgetful@acme.test', 'four random words again')
    await heading(page, 'Home')
    await page.goto(link)
    await page.reload()
    await heading(page, 'This link cannot be used')
    expect(errors).toEqual([])
    await context.close()
  })

  it('an analyst reads, and is offered no change', async () => {
    const { context, page, errors } = await visit(`/dashboard/${acme.slug}/home`, { as: analyst })
    await page.getByRole('link', { name: '1 sale has no affiliate' }).waitFor()
    await page.getByRole('img', { name: /^Revenue from/ }).waitFor()
    await page.getByRole('link', { name: 'Developers' }).click()
    await page.getByText('No endpoints yet').waitFor()
    const names = await page.getByRole('main').getByRole('button').allTextContents()
    expect(names.every((name) => name.startsWith('Copy'))).toBe(true)
    expect(errors).toEqual([])
    await context.close()
  })

  it('home shows what needs attention and the figures of a range, and follows sales', async () => {
    const { context, page } = await visit(`/dashboard/${acme.slug}/home`, { as: owner })
    const revenue = page.getByRole('button', { name: /^Revenue/ })
    await expect.poll(() => revenue.textContent()).toContain('123.00 USD')
    await page.getByRole('link', { name: '1 sale has no affiliate' }).waitFor()
    await reportSale(acme, { coupon: seller.coupon, email: 'live@customers.test', amount_cents: 10_000 })
    await expect.poll(() => revenue.textContent(), { timeout: 20_000 }).toContain('223.00 USD')
    await page.getByRole('button', { name: /^Conversions/ }).click()
    await page.getByRole('img', { name: /^Conversions from/ }).waitFor()
    await page.getByLabel('Range').selectOption('Last 12 months')
    await page.getByRole('img', { name: /^Conversions from Apr 2025 to Mar 2026/ }).waitFor()

    // Money, dates and counts are in the locale of the program.
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByLabel('Locale').fill('german')
    await click(page, 'Save')
    await page.getByText('is not a language tag').waitFor()
    await page.getByLabel('Locale').fill('de-de')
    await click(page, 'Save')
    await page.getByText('Saved.').waitFor()
    await page.getByRole('link', { name: 'Sales', exact: true }).click()
    await page.getByRole('cell', { name: '123,00 USD' }).waitFor()
    await page.getByText('10.03.2026').first().waitFor()
    const english = 'mutation ($id: ID!) { updateProgram(input: { id: $id, locale: "en-US" }) { program { id } } }'
    await owner.graphql(acme.id)(english, { id: acme.id })
    await context.close()
  })

  it('adds a webhook endpoint, sends a test event, shows the response, and sends it again', async () => {
    const { context, page, errors } = await visit(`/dashboard/${acme.slug}/developers`, { as: owner })
    await click(page, 'Add endpoint')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('URL').fill(receiver.url)
    await dialog.getByLabel('sale.created').check()
    await dialog.getByRole('button', { name: 'Add endpoint' }).click()
    await dialog.getByText('Copy it now.').waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('link', { name: receiver.url }).click()
    await click(page, 'Send test event')
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('The test event is on its way.').waitFor()
    await test.app.sendWebhooks()
    expect(receiver.received).toHaveLength(1)
    await page.getByLabel('State').selectOption('Accepted')
    expect(page.url()).toContain('?state=succeeded')
    await page
      .getByRole('row', { name: /sale\.created/ })
      .getByRole('button', { name: /Details/ })
      .click()
    await dialog.getByText('noted').waitFor()
    await dialog.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('The event is sent again.').waitFor()
    await test.app.sendWebhooks()
    expect(receiver.received).toHaveLength(2)
    await page.reload()
    await page.getByText('2 deliveries').waitFor()

    await click(page, 'More')
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await dialog.getByLabel('Condition').fill('campaignId')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Enter JSON').waitFor()
    const condition = `{"campaignId":{"equals":"${seller.campaign.id}"}}`
    await dialog.getByLabel('Condition').fill(condition)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('definition').getByText(condition).waitFor()
    await dialog.waitFor({ state: 'detached' })
    await click(page, 'More')
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    expect(await dialog.getByLabel('Condition').inputValue()).toBe(condition)
    await dialog.getByLabel('Condition').fill('')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText(condition).waitFor({ state: 'detached' })
    await dialog.waitFor({ state: 'detached' })

    await click(page, 'More')
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByText(receiver.url).waitFor()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No endpoints yet').waitFor()
    expect(errors).toEqual([])
    await context.close()
  })

  it('lists failed requests; filter and order are in the address', async () => {
    for (const body of [{ coupon: seller.coupon, amount_cents: -1 }, {}]) await acme.post('/conversions', body)
    await acme.get('/affiliates/unknown')
    await test.app.flush()
    const { context, page, errors } = await visit(`/dashboard/${acme.slug}/developers`, { as: analyst })
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
    expect(errors).toEqual([])
    await context.close()
  })

  it('turns on a second factor, which the next sign-in asks for, and ends another session', async () => {
    const person = await addMember(test, olga, acme.id, { email: 'factor@acme.test', role: 'ANALYST' })
    const { context, page, errors } = await visit('/dashboard/account', { as: person })
    await click(page, 'Turn on')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Password').fill(password)
    await click(page, 'Continue')
    await dialog.getByRole('img', { name: 'Image to scan with an authenticator app' }).waitFor()
    await dialog.getByRole('button', { name: 'Copy the secret for the app' }).click()
    const uri = `otpauth://totp/x?secret=${await clipboard(page)}`
    await dialog.getByLabel('Code').fill(codeOf(uri))
    await dialog.getByRole('button', { name: 'Turn on' }).click()
    await page.getByText('The second factor is on.').waitFor()

    const second = await visit('/dashboard/sign-in')
    await signIn(second.page, 'factor@acme.test')
    await second.page.getByLabel('Code').fill(codeOf(uri))
    await click(second.page, 'Sign in')
    await heading(second.page, 'Home')
    await page.reload()
    await click(page, 'End all others')
    await page.getByText('All other sessions were ended.').waitFor()
    await second.page.reload()
    await heading(second.page, 'Sign in')
    expect(errors).toEqual([])
    await second.context.close()
    await context.close()
  })

  it('works with the keyboard only: skip link, navigation, dialog and back', async () => {
    const { context, page } = await visit(`/dashboard/${acme.slug}/home`, { as: owner })
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
    await context.close()
  })

  it.each(screens)(
    'at %i pixels, %s: no horizontal scrolling and no accessibility problems',
    async (width, colorScheme) => {
      const { context, page, errors } = await visit(`/dashboard/${acme.slug}/home`, {
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
      for (const path of ['account', 'programs', 'sign-in', 'setup#token=x', 'no-such-program/home']) {
        await page.goto(`${origin}/dashboard/${path}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await check(path)
      }
      expect(problems).toEqual([])
      expect(errors).toEqual([])
      await context.close()
    },
  )
})

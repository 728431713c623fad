import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { axeProblems, hasChromium, needsChromium, screens } from '../support/browser.ts'
import { startDashboard } from '../support/dashboard.ts'
import { earner } from '../support/payout-runs.ts'

describe.skipIf(!hasChromium)('what an affiliate changes at /portal', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  const { test, origin, visit } = await startDashboard()
  const program = await test.createProgram()
  await program.graphql('mutation { publishTerms(input: { text: "Be fair.\\n\\nNo spam." }) { terms { version } } }')

  const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
  const mailsTo = async (to: string) =>
    (
      await program.graphql('query ($to: String!) { mails(where: { to: { equals: $to } }) { nodes { kind text } } }', {
        to,
      })
    ).mails.nodes as { kind: string; text: string }[]

  /** Asks for a link at the page, and opens the one in the outbox. */
  async function signIn(page: Page, email: string): Promise<string> {
    await page.getByLabel('E-mail address').fill(email)
    await page.getByRole('button', { name: 'Send me a link' }).click()
    await page.getByText('If the address is known, a mail with a link is on its way.', { exact: false }).waitFor()
    const [mail] = await mailsTo(email)
    const link = /http\S+#ticket=\S+/.exec(mail?.text ?? '')?.[0] ?? ''
    await page.goto(link)
    await page.getByRole('heading', { level: 1, name: 'Hello' }).waitFor()
    return link
  }
  const portal = `${origin}/portal?program=${program.slug}`

  it('signs in by the mailed link, changes the name, links and payout address, and accepts terms', async () => {
    const { affiliate } = await earner(program)
    const { context, page } = await visit(portal)
    await page.getByRole('button', { name: 'Send me a link' }).click()
    await page.getByRole('alert').getByText('Enter the e-mail address of your account.').waitFor()
    const link = await signIn(page, affiliate.email)

    const terms = region(page, 'New terms (version 1)')
    await terms.getByText('No spam.').waitFor()
    await terms.getByRole('button', { name: 'I accept the terms' }).click()
    await terms.waitFor({ state: 'detached' })

    const account = region(page, 'Your data')
    await account.getByLabel('First name').fill('Augusta')
    await account.getByLabel('Postal address').fill('12 St James Square\nLondon')
    await account.getByRole('button', { name: 'Save' }).click()
    await account.getByText('Saved.').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Hello, Augusta' }).waitFor()

    const share = region(page, 'Share')
    await share.getByText('New link or page').click()
    await share.getByLabel('Name of the new link').fill('augusta-video')
    await share.getByLabel('Page of the site').fill('https://evil.test/')
    await share.getByRole('button', { name: 'Create' }).click()
    await share.getByText('The page must be on acme.test', { exact: false }).waitFor()
    await share.getByLabel('Page of the site').fill('https://acme.test/pricing')
    await share.getByLabel('Where you use it').fill('video-12')
    await share.getByRole('button', { name: 'Create' }).click()
    const address = 'https://acme.test/pricing?via=augusta-video&sub=video-12'
    await share.getByText(address, { exact: true }).waitFor()
    await share.getByRole('button', { name: 'QR code address' }).click()
    await share.getByRole('img', { name: `QR code of ${address}` }).waitFor()
    for (const [button, name] of [
      ['Save as SVG', 'link.svg'],
      ['Save as PNG', 'link.png'],
    ] as const) {
      const saved = page.waitForEvent('download')
      await share.getByRole('button', { name: button }).click()
      expect((await saved).suggestedFilename()).toBe(name)
    }
    // With an existing link, no other one is made.
    await share.getByLabel('Link', { exact: true }).selectOption('augusta-video')
    await share.getByLabel('Page of the site').fill('https://acme.test/blog?a=1')
    await share.getByLabel('Where you use it').fill('')
    await share.getByRole('button', { name: 'Create' }).click()
    await share.getByText('https://acme.test/blog?a=1&via=augusta-video', { exact: true }).waitFor()
    await share.getByRole('button', { name: 'Archive link augusta-video' }).click()
    await share.getByRole('button', { name: 'Archive it' }).click()
    await share.getByRole('button', { name: 'Copy link augusta-video' }).waitFor({ state: 'detached' })

    const paid = region(page, 'How you are paid')
    await paid.getByLabel('IBAN').fill('DE00 3704 0044 0532 0130 00')
    await paid.getByLabel('Wise e-mail').fill('nobody')
    await paid.getByRole('button', { name: 'Save' }).click()
    await paid.getByText('Enter an e-mail address', { exact: false }).waitFor()
    await paid.getByLabel('Wise e-mail').fill('')
    await paid.getByRole('button', { name: 'Save' }).click()
    await paid.getByText('Enter a valid IBAN', { exact: false }).waitFor()
    await paid.getByLabel('IBAN').fill('DE89 3704 0044 0532 0130 00')
    await paid.getByLabel('Method').selectOption('bank transfer (SEPA)')
    await paid.getByRole('button', { name: 'Save' }).click()
    await paid.getByText('Payouts wait until Mar 11, 2026', { exact: false }).waitFor()
    await region(page, 'Payouts').getByText('Payouts wait until Mar 11, 2026', { exact: false }).waitFor()
    expect((await mailsTo(affiliate.email)).map(({ kind }) => kind)).toContain('PAYOUT_ADDRESS_CHANGE')

    const choices = region(page, 'Mails')
    await choices.getByLabel('New commissions').selectOption('never')
    await choices.getByLabel('Payouts that were sent or failed').uncheck()
    await choices.getByRole('button', { name: 'Save' }).click()
    await choices.getByText('Saved.').waitFor()
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Hello, Augusta' }).waitFor()
    expect(await choices.getByLabel('New commissions').inputValue()).toBe('NEVER')
    expect(await paid.getByLabel('IBAN').inputValue()).toBe('DE89370400440532013000')

    // A used link offers a new one.
    const other = await context.newPage()
    await other.goto(link)
    await other.getByRole('heading', { level: 1, name: 'This link no longer works' }).waitFor()
    await other.getByRole('button', { name: 'Send me a link' }).waitFor()
  })

  it('keeps what is typed while a form is being saved', async () => {
    const { affiliate } = await earner(program)
    const { context, page } = await visit(portal)
    await signIn(page, affiliate.email)
    const account = region(page, 'Your data')
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/graphql', async (route) => {
      await held
      await route.continue()
    })
    await account.getByLabel('First name').fill('  Augusta  ')
    await account.getByRole('button', { name: 'Save' }).click()
    await account.getByLabel('Last name').fill('King')
    release()
    await account.getByText('Saved.').waitFor()
    expect(await account.getByLabel('First name').inputValue()).toBe('Augusta')
    expect(await account.getByLabel('Last name').inputValue()).toBe('King')
    await context.close()
  })

  it.each(screens)('at %i pixels, %s: no horizontal scrolling and no accessibility problems', async (width, scheme) => {
    const { affiliate } = await earner(program)
    const { page } = await visit(portal, { viewport: { width, height: 800 }, colorScheme: scheme })
    const check = async (name: string) => {
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      expect(await axeProblems(page)).toEqual([])
      if (process.env.SCREENSHOTS)
        await page.screenshot({ path: `${process.env.SCREENSHOTS}/${width}-${scheme}-${name}.png`, fullPage: true })
    }
    await page.getByRole('button', { name: 'Send me a link' }).click()
    await page.getByRole('alert').waitFor()
    await check('sign-in')
    await signIn(page, affiliate.email)
    await page.locator('.chart svg').waitFor()
    const share = region(page, 'Share')
    await share.getByText('New link or page').click()
    await share
      .getByRole('button', { name: /^QR code/ })
      .first()
      .click()
    await share.getByRole('img').waitFor()
    await share.getByRole('button', { name: /^Archive link/ }).click()
    const paid = region(page, 'How you are paid')
    await paid.getByLabel('PayPal e-mail').fill('new@a.test')
    await paid.getByRole('button', { name: 'Save' }).click()
    await paid.getByText('Payouts wait', { exact: false }).waitFor()
    await paid.getByLabel('IBAN').fill('x')
    await paid.getByRole('button', { name: 'Save' }).click()
    await paid.getByText('Enter a valid IBAN', { exact: false }).waitFor()
    await check('account')
  })
})

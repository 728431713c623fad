import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { languages } from '../../src/kernel/languages.ts'
import { axeProblems, hasChromium, needsChromium } from '../support/browser.ts'
import { startDashboard } from '../support/dashboard.ts'
import { createSeller, reportSale } from '../support/factories.ts'

describe.skipIf(!hasChromium)('numbers and looks of the portal', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  const { test, origin, visit } = await startDashboard()
  const program = await test.createProgram()
  const { affiliate, coupon } = await createSeller(program)
  await program.put(`/affiliates/${affiliate.id}`, { first_name: 'Ada', last_name: 'Lovelace' })
  await reportSale(program, { coupon, email: 'grace@example.com', amount_cents: 5_000 })
  await reportSale(program, { coupon, email: 'grace@example.com', amount_cents: 1 })
  await test.operator(
    'mutation ($id: ID!) { updateProgram(input: { id: $id, leaderboardShows: AMOUNTS }) { program { id } } }',
    { id: program.id },
  )
  await program.graphql('mutation { updateJoinSettings(input: { color: "#ffd400" }) { joinSettings { color } } }')

  async function openFor(id: string, lang: string, width = 1280, colorScheme: 'light' | 'dark' = 'light') {
    const { createSsoLink } = await program.graphql(
      'mutation ($id: ID!) { createSsoLink(input: { affiliateId: $id }) { url } }',
      { id },
    )
    const address = createSsoLink.url.replace('?', `?lang=${lang}&`)
    const { page } = await visit(address, { viewport: { width, height: 800 }, colorScheme })
    await page.locator('section[aria-labelledby=leaderboard] tbody tr').first().waitFor()
    return page
  }
  async function open(lang: string, width?: number, colorScheme?: 'light' | 'dark') {
    const page = await openFor(affiliate.id, lang, width, colorScheme)
    await page.locator('section[aria-labelledby=commissions] > details').waitFor()
    return page
  }
  const section = (page: Page, id: string) => page.locator(`section[aria-labelledby=${id}]`)

  it.each(languages)(
    'in %s: sales without a commission say why, and all fits on a phone without problems',
    async (lang) => {
      const page = await open(lang, 360, 'dark')
      await page.locator('section[aria-labelledby=commissions] > details > summary').click()
      const { unpaidSales } = (await import(`../../src/texts/${lang}/portal.ts`)).portal
      await page.getByText(unpaidSales.reasons.AMOUNT_ROUNDS_TO_ZERO).waitFor()
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
      // A name is not broken into a column of letters by what is beside it.
      const name = await page.locator('.who p').boundingBox()
      expect(name?.height).toBeLessThan(40)
      expect(await axeProblems(page)).toEqual([])
    },
  )

  it('somebody with a long name and nothing yet reads what to do, and all fits on a phone', async () => {
    await program.graphql('mutation { publishTerms(input: { text: "Be fair." }) { terms { version } } }')
    const { affiliate: other } = await createSeller(program)
    await program.put(`/affiliates/${other.id}`, { first_name: 'Wolfeschlegelsteinhausenbergerdorff'.repeat(2) })
    const page = await openFor(other.id, 'de', 360, 'dark')
    await page.getByRole('button', { name: 'Ich stimme den Teilnahmebedingungen zu' }).waitFor()
    await section(page, 'payout-address').getByText('Geben Sie an, wohin wir zahlen', { exact: false }).waitFor()
    await page.getByText('Derzeit nichts auszuzahlen', { exact: false }).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    const boxes = await page.locator('.check input').all()
    for (const box of boxes) expect((await box.boundingBox())?.width).toBe(20)
    await section(page, 'payout-address').getByLabel('IBAN').fill('DE89370400440532013000')
    await section(page, 'payout-address').getByRole('button').click()
    await section(page, 'payout-address').getByText('Geben Sie an', { exact: false }).waitFor({ state: 'detached' })
  })

  it('commissions are saved as a file, with the sale that they come from', async () => {
    const page = await open('en')
    await section(page, 'commissions').getByText('Sale of $50.00').waitFor()
    const saved = page.waitForEvent('download')
    await section(page, 'commissions').getByRole('button', { name: 'Save as CSV' }).click()
    const file = await saved
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
    expect(lines[0]).toBe('For,Why,Date,Due,State,Amount,Currency')
    expect(lines[1]).toMatch(/^g•••@example\.com,Sale of \$50\.00,2026-\d\d-\d\d,2026-\d\d-\d\d,Pending,5\.00,USD$/)
    expect(lines).toHaveLength(2)
  })

  it('the affiliate takes a name in the leaderboard, and leaves it', async () => {
    const page = await open('en')
    const board = section(page, 'leaderboard')
    await board.getByText('A. L. (You)').waitFor()
    await board.getByLabel('Your name in the leaderboard').fill('Countess')
    await board.getByRole('button', { name: 'Save' }).click()
    await board.getByText('Countess (You)').waitFor()
    await board.getByLabel('Others see me in the leaderboard').uncheck()
    await board.getByRole('button', { name: 'Save' }).click()
    await board.getByText('Nobody has earned a commission in this month.').waitFor()
    await board.getByLabel('Others see me in the leaderboard').check()
    await board.getByRole('button', { name: 'Save' }).click()
    await board.getByText('Countess (You)').waitFor()
  })

  it.each(['light', 'dark'] as const)(
    'buttons have the colour of the program, with readable text, %s',
    async (scheme) => {
      const page = await open('en', 1280, scheme)
      const button = section(page, 'account').getByRole('button')
      expect(
        await button.evaluate((element) => [
          getComputedStyle(element).backgroundColor,
          getComputedStyle(element).color,
        ]),
      ).toEqual(['rgb(255, 212, 0)', 'rgb(0, 0, 0)'])
      expect(await axeProblems(page)).toEqual([])
      expect(page.url()).toBe(`${origin}/portal?lang=en&program=${program.slug}&from=site`)
    },
  )
})

import { describe, expect, it } from 'vitest'
import { hasChromium, needsChromium } from '../support/browser.ts'
import { click, heading, problemsOf, startDashboard } from '../support/dashboard.ts'
import { createSeller } from '../support/factories.ts'

describe.skipIf(!hasChromium)('the currency for totals in the dashboard', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  const { test, visit, olga } = await startDashboard({ startsAt: '2026-11-27T12:00:00.000Z' })

  it('is chosen in the settings, and each converted amount on the home page says so', async () => {
    const program = await test.createProgram()
    const { affiliate } = await createSeller(program)
    for (const [amountCents, currency] of [
      [10_843, 'usd'],
      [500, 'eur'],
      [700, 'gbp'],
    ])
      await program.graphql(
        'mutation ($input: CreateCommissionInput!) { createCommission(input: $input) { commission { id } } }',
        { input: { affiliateId: affiliate.id, kind: 'BONUS', amountCents, currency, reason: 'Spring' } },
      )
    await program.graphql('mutation ($csv: String!) { importExchangeRates(input: { csv: $csv }) { rateCount } }', {
      csv: 'Date,USD\n2026-11-27,1.0843\n',
    })
    const { page, go } = await visit(`/${program.slug}/settings`, { as: olga })
    await page.getByLabel('Currency for totals').selectOption('EUR')
    await click(page, 'Save')
    await page.getByText('Saved.').waitFor()
    await go(`/${program.slug}/home`)
    await heading(page, 'Home')
    await page.getByText('≈ €105.00').waitFor()
    await page.getByText('without GBP, which has no rate').waitFor()
    await page.getByText('1 USD = 0.922253989 EUR on 2026-11-27 (European Central Bank)').waitFor()
    expect(await problemsOf(page)).toEqual([])
    await go(`/${program.slug}/settings`)
    await page.getByLabel('Currency for totals').selectOption('None')
    await click(page, 'Save')
    await page.getByText('Saved.').waitFor()
    const read = await program.graphql('{ program { readingCurrency } }')
    expect(read.program.readingCurrency).toBeNull()
  })
})

import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { hasChromium, needsChromium } from '../support/browser.ts'
import { click, closed, heading, problemsOf, startDashboard } from '../support/dashboard.ts'
import { createSeller, reportSale } from '../support/factories.ts'
import { accept, acme, ownClient, sign } from '../support/invoices.ts'
import { closeMonth } from '../support/statements.ts'

describe.skipIf(!hasChromium)('invoices in the dashboard', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  const { test, visit, olga } = await startDashboard({ startsAt: '2026-10-10T12:00:00.000Z' })

  it('the text is published, invoices of a month are made, downloaded, and one is cancelled', async () => {
    const program = await test.createProgram({ currency: 'eur' })
    const { coupon, affiliate } = await createSeller(program)
    await reportSale(program, { coupon, external_id: 's1', amount_cents: 10_000, currency: 'eur' })
    test.clock.advanceDays(25)
    await closeMonth(program, '2026-10')

    const { page } = await visit(`/${program.slug}/payouts/invoices`, { as: olga })
    await heading(page, 'Payouts')
    await page.getByText('Enter the name, address and country of your company first').waitFor()
    await program.graphql(
      'mutation ($tax: UpdateTaxSettingsInput!) { updateTaxSettings(input: $tax) { taxSettings { payerName } } }',
      { tax: acme },
    )
    await page.reload()
    await page.getByText('Publish the text of self-billing below first').waitFor()
    await page.getByLabel('Text', { exact: true }).fill('Acme writes the invoices of affiliates.')
    await click(page, 'Publish')
    await page.getByText('Version 1 holds now.').waitFor()
    await page.getByText('The agreement to self-billing').waitFor()
    expect(await problemsOf(page)).toEqual([])

    await page.getByLabel('Numbers begin with').fill('AFF-')
    await click(page, 'Save')
    await page.getByText('Saved.').waitFor()
    await page.getByLabel('Country').selectOption('DE')
    await page.getByLabel('Words').fill('Gutschrift im Sinne des UStG')
    await click(page, 'Add the sentence')
    await page.getByRole('cell', { name: 'Gutschrift im Sinne des UStG' }).waitFor()

    const own = ownClient(test, program, affiliate.id)
    await accept(own)
    await sign(own)
    await page.reload()
    await click(page, 'Make 1 invoice')
    await page.getByRole('cell', { name: 'AFF-2026-0001' }).waitFor()
    await page.getByText('Nothing is missing').waitFor()
    const [paper] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'PDF (AFF-2026-0001)' }).click(),
    ])
    expect(paper.suggestedFilename()).toBe('AFF-2026-0001.pdf')
    expect((await readFile(await paper.path())).subarray(0, 5).toString()).toBe('%PDF-')

    await page.getByRole('button', { name: 'Cancel (AFF-2026-0001)' }).click()
    await page.getByLabel('Reason, which is on the credit note').fill('Wrong address')
    expect(await problemsOf(page)).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Make the credit note' }).click()
    await closed(page)
    await page.getByRole('cell', { name: 'AFF-2026-0002' }).waitFor()
    await page.getByRole('button', { name: /^Make it again/ }).click()
    await page.getByRole('cell', { name: 'AFF-2026-0003' }).waitFor()
    expect(await problemsOf(page)).toEqual([])
    const { invoices } = await program.graphql('{ invoices { nodes { number notes } } }')
    expect(invoices.nodes[0].notes).toEqual(['Gutschrift im Sinne des UStG'])

    await page.setViewportSize({ width: 320, height: 700 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)).toBe(false)
  })
})

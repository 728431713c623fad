import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { axeProblems, hasChromium, needsChromium } from '../support/browser.ts'
import { startDashboard } from '../support/dashboard.ts'
import { createSeller, reportSale } from '../support/factories.ts'
import { createInvoices, ownClient, setUpInvoices, sign } from '../support/invoices.ts'
import { closeMonth } from '../support/statements.ts'

describe.skipIf(!hasChromium)('invoices at /portal on a phone', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  const { test, visit } = await startDashboard({ startsAt: '2026-10-10T12:00:00.000Z' })

  it('an affiliate agrees by name, and downloads the invoice', async () => {
    const program = await test.createProgram({ currency: 'eur' })
    await setUpInvoices(program)
    const { affiliate, coupon } = await createSeller(program)
    await sign(ownClient(test, program, affiliate.id))
    await reportSale(program, { coupon, external_id: 's1', amount_cents: 10_000, currency: 'eur' })
    test.clock.advanceDays(25)
    await closeMonth(program, '2026-10')

    const { sso } = (await program.get(`/affiliates/${affiliate.id}/sso`)).body
    const { page } = await visit(sso.url, { viewport: { width: 360, height: 740 } })
    const section = page.getByRole('region', { name: 'Invoices', exact: true })
    await section.getByText('Acme writes the invoices.').waitFor()
    expect(await axeProblems(page)).toEqual([])
    await section.getByRole('button', { name: 'I agree' }).click()
    await section.locator('[aria-invalid]').waitFor()
    await section.getByLabel('Your name, as signature').fill('Ada Lovelace')
    await section.getByRole('button', { name: 'I agree' }).click()
    await section.getByText('Agreed by Ada Lovelace on').waitFor()

    const [invoice] = (await createInvoices(program, '2026-10')).invoices
    await page.reload()
    const [paper] = await Promise.all([
      page.waitForEvent('download'),
      section.getByRole('button', { name: /^PDF/ }).click(),
    ])
    expect(paper.suggestedFilename()).toBe(`${invoice?.number}.pdf`)
    expect((await readFile(await paper.path())).subarray(0, 5).toString()).toBe('%PDF-')
    expect(await axeProblems(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  })
})

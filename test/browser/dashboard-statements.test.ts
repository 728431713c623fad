import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { hasChromium, needsChromium } from '../support/browser.ts'
import { click, closed, heading, problemsOf, startDashboard } from '../support/dashboard.ts'
import { createSeller } from '../support/factories.ts'
import { createFeedOf, sendEvents } from '../support/feeds.ts'

describe.skipIf(!hasChromium)('statements in the dashboard', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  const { test, visit, olga } = await startDashboard({ startsAt: '2026-10-10T12:00:00.000Z' })

  it('a month with a difference is accepted with a reason, is closed, and its statements are downloaded', async () => {
    const program = await test.createProgram({ isSandbox: true })
    const { coupon, affiliate } = await createSeller(program)
    const { url } = await createFeedOf(program, 'GENERIC')
    const at = test.clock.now.toISOString()
    await sendEvents(test, url, 'GENERIC', [
      { type: 'sale', id: 's1', amountCents: 4_900, currency: 'usd', occurredAt: at, coupon },
    ])
    const { sales } = await program.graphql('{ sales(first: 1) { nodes { id } } }')
    await program.graphql(
      'mutation ($id: ID!) { changeSale(input: { id: $id, amountCents: 5000, reason: "Mistyped" }) { sale { id } } }',
      { id: sales.nodes[0].id },
    )
    await test.operator(
      'mutation ($id: ID!) { updateProgram(input: { id: $id, closesMonthsAfterDays: 5 }) { program { id } } }',
      { id: program.id },
    )
    test.clock.advanceDays(25)

    const { page, go } = await visit(`/${program.slug}/home`, { as: olga })
    await page.getByRole('link', { name: '1 difference keeps a month from being closed' }).click()
    await heading(page, 'Payouts')
    await page.getByText('This program is a sandbox.').waitFor()
    await page.getByText('1 difference is not accepted').waitFor()
    await page.getByRole('cell', { name: '$49.00' }).first().waitFor()
    await page.getByRole('cell', { name: '$50.00' }).first().waitFor()
    expect(await page.getByRole('button', { name: 'Close 2026-10' }).count()).toBe(0)
    expect(await problemsOf(page)).toEqual([])

    await click(page, 'Accept the difference')
    expect(await problemsOf(page)).toEqual([])
    await page.getByLabel('Reason').fill('Support gave a credit')
    await page.getByRole('dialog').getByRole('button', { name: 'Accept', exact: true }).click()
    await closed(page)
    await page.getByText('Support gave a credit').waitFor()
    await page.getByText('Ready to close').waitFor()

    await click(page, 'Close 2026-10')
    expect(await problemsOf(page)).toEqual([])
    await page.getByRole('alertdialog').getByRole('button', { name: 'Close 2026-10' }).click()
    await page.getByText('2026-10 is closed.').waitFor()
    await page.getByRole('link', { name: affiliate.email }).first().waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /^JSON/ }).click(),
    ])
    const file = JSON.parse(await readFile(await download.path(), 'utf8'))
    expect(file.header).toMatchObject({ month: '2026-10', program: { sandbox: true } })
    const [paper] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /^PDF/ }).click(),
    ])
    expect((await readFile(await paper.path())).subarray(0, 5).toString()).toBe('%PDF-')

    await page.setViewportSize({ width: 320, height: 700 })
    await go(`/${program.slug}/payouts/statements?month=2026-10`)
    await page.getByText('1 difference accepted').waitFor()
    expect(await problemsOf(page)).toEqual([])
    const isWide = () => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
    expect(await isWide()).toBe(false)
  })
})

import { describe, expect, it } from 'vitest'
import { hasChromium, needsChromium } from '../support/browser.ts'
import { click, closed, heading, problemsOf, startDashboard } from '../support/dashboard.ts'
import { createSeller, reportSale } from '../support/factories.ts'

describe.skipIf(!hasChromium)('branches in the dashboard', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  const { test, visit, olga } = await startDashboard({ startsAt: '2026-10-10T12:00:00.000Z' })

  it('another rate for a group is calculated, looked at, and accepted with a reason', async () => {
    const program = await test.createProgram({ timeZone: 'America/New_York' })
    const { affiliate, coupon } = await createSeller(program)
    await program.graphql(
      'mutation ($ids: [ID!]) { createAffiliateGroup(input: { name: "Partners", affiliateIds: $ids }) { affiliateGroup { id } } }',
      { ids: [affiliate.id] },
    )
    await reportSale(program, { coupon, amount_cents: 10_000 })
    test.clock.advanceMinutes(5)

    const { page, go } = await visit(`/${program.slug}/campaigns`, { as: olga })
    await page.getByRole('link', { name: 'Branches' }).click()
    await heading(page, 'Branches')
    await page.getByText('No branches yet').waitFor()
    expect(await problemsOf(page)).toEqual([])
    await click(page, 'New branch')
    await page.getByLabel('Name').fill('Partners at a quarter')
    await page.getByLabel('Sales since').fill('2026-10-01')
    await page.getByLabel('Percent of each sale').fill('25')
    expect(await problemsOf(page)).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'New branch' }).click()
    await heading(page, 'Partners at a quarter')
    const { branches } = await program.graphql('{ branches { since } }')
    expect(branches).toEqual([{ since: '2026-10-01T04:00:00.000Z' }])
    await page.getByText('1 of 1 sale would earn something else, or belong to another affiliate.').waitFor()
    await page.getByRole('cell', { name: '+$15.00' }).waitFor()
    expect(await problemsOf(page)).toEqual([])

    await click(page, 'Accept')
    await page.getByLabel('Reason').fill('Agreed in spring')
    expect(await problemsOf(page)).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Accept', exact: true }).click()
    await closed(page)
    await page.getByText(/^Accepted on .*: Agreed in spring$/).waitFor()
    const { commissions } = await program.graphql(
      '{ commissions(first: 9, where: { kind: { equals: CORRECTION } }) { nodes { amountCents reason } } }',
    )
    expect(commissions.nodes).toEqual([{ amountCents: 1_500, reason: 'Agreed in spring (2026-10)' }])

    await page.setViewportSize({ width: 320, height: 700 })
    await go(`/${program.slug}/campaigns/branches`)
    await page.getByRole('link', { name: 'Partners at a quarter' }).waitFor()
    expect(await problemsOf(page)).toEqual([])
    const isWide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
    expect(isWide).toBe(false)
  })
})

import { describe, expect, it } from 'vitest'
import { connect } from '../support/assistants.ts'
import { hasChromium, needsChromium } from '../support/browser.ts'
import { click, closed, heading, problemsOf, startDashboard } from '../support/dashboard.ts'
import { listed } from '../support/factories.ts'
import { earner } from '../support/payout-runs.ts'
import { addMember } from '../support/people.ts'

describe.skipIf(!hasChromium)('proposals in the dashboard', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  const { test, visit, olga } = await startDashboard()
  const acme = await test.createProgram()
  const manager = await addMember(test, olga, acme.id, { email: 'manager@acme.test', role: 'MANAGER' })
  const analyst = await addMember(test, olga, acme.id, { email: 'analyst@acme.test', role: 'ANALYST' })
  const { call } = await connect({ test, secret: acme.secret })

  it('an assistant proposes a void and a run, and a person confirms both with their effect in money', async () => {
    const { commission } = await earner(acme)
    await earner(acme, { wallet_a_email: 'bob@b.test' })
    await call('propose', { kind: 'VOID', arguments: { ids: [commission.id] }, reason: 'The customer was refunded.' })
    const { page } = await visit(`/${acme.slug}/home`, { as: manager })
    await page.getByRole('link', { name: '1 proposal waits for confirmation' }).click()
    await heading(page, 'Proposals')
    await page.getByText('The customer was refunded.').waitFor()
    expect(await problemsOf(page)).toEqual([])
    await click(page, 'Details Cancels 1 commission: 10.00 USD less is owed to affiliates.')
    const dialog = page.locator('[role=dialog]:not(.toast)')
    await dialog.getByText('-$10.00').waitFor()
    expect(await problemsOf(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('The proposal was confirmed, and its change made.').waitFor()
    await closed(page)
    await page.getByText('No proposals wait').waitFor()
    const states = (await listed(acme, '/commissions')).map(({ state }) => state)
    expect(states.sort()).toEqual(['due', 'void'])

    await call('propose', { kind: 'PAYOUT_RUN', arguments: { method: 'PAYPAL' }, reason: 'It is Friday.' })
    await page.reload()
    await click(page, 'Details Prepares a run of 1 payout: 10.00 USD.')
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('No proposals wait').waitFor()
    const { payoutRuns } = await acme.graphql('{ payoutRuns { nodes { state preparedBy { kind } } } }')
    expect(payoutRuns.nodes).toEqual([{ state: 'PREPARED', preparedBy: { kind: 'PERSON' } }])
  })

  it('a person changes one and rejects it with a reason', async () => {
    const [one] = await listed(acme, '/commissions?state=due')
    await call('propose', { kind: 'AMEND', arguments: { id: one.id, amountCents: 5 }, reason: 'A mistake' })
    const { page } = await visit(`/${acme.slug}/proposals`, { as: manager })
    await click(page, 'Details Changes a commission: its amount changes by -9.95 USD.')
    const dialog = page.locator('[role=dialog]:not(.toast)')
    await dialog.getByRole('button', { name: 'Change …' }).click()
    await dialog.getByLabel('Arguments').fill('{ "id" ')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('This is not JSON').waitFor()
    await dialog.getByLabel('Arguments').fill(JSON.stringify({ id: one.id, amountCents: 900 }))
    expect(await problemsOf(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await closed(page)
    await click(page, 'Details Changes a commission: its amount changes by -1.00 USD.')
    await dialog.getByRole('button', { name: 'Reject …' }).click()
    await dialog.getByLabel('Reason').fill('It is right as it is.')
    await dialog.getByRole('button', { name: 'Reject' }).click()
    await page.getByText('The proposal was rejected.').waitFor()
    await closed(page)
    await page.getByLabel('State').selectOption('Rejected')
    await page.getByText('1 proposal', { exact: true }).waitFor()
    expect((await listed(acme, '/commissions?state=due'))[0].amount).toBe(1000)
  })

  it('an analyst sees proposals, and decides none', async () => {
    const { page } = await visit(`/${acme.slug}/proposals?state=all`, {
      as: analyst,
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
    })
    await page.getByText('3 proposals').waitFor()
    await page.getByRole('button', { name: 'Details' }).first().click()
    await page.getByRole('dialog').getByText('Proposed by').waitFor()
    expect(await page.getByRole('button', { name: 'Confirm' }).count()).toBe(0)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    expect(await problemsOf(page)).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import { hasChromium, needsChromium } from '../support/browser.ts'
import { click, closed, problemsOf, startDashboard } from '../support/dashboard.ts'
import { earner } from '../support/payout-runs.ts'
import { createPayPal, paypalCredentials, servicesOf } from '../support/payout-services.ts'
import { addMember } from '../support/people.ts'

describe.skipIf(!hasChromium)('payments by PayPal in the dashboard', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  const paypal = await createPayPal()
  const death = { at: '' }
  const { test, visit, olga } = await startDashboard({
    payoutServiceUrls: { paypal: paypal.url },
    onPayoutStep(step) {
      if (step !== death.at) return
      death.at = ''
      throw new Error('killed')
    },
  })
  const acme = await test.createProgram()
  const owner = await addMember(test, olga, acme.id, { email: 'owner@acme.test', role: 'OWNER' })
  const manager = await addMember(test, olga, acme.id, { email: 'manager@acme.test', role: 'MANAGER' })
  for (const name of ['ada', 'failed', 'unclaimed']) await earner(acme, { wallet_a_email: `${name}@pp.test` })
  await test.operator('mutation ($input: UpdateProgramInput!) { updateProgram(input: $input) { program { id } } }', {
    input: { id: acme.id, payoutApprovalAboveCents: 1_000 },
  })

  it('an owner connects it with a second factor', async () => {
    const { page } = await visit(`/${acme.slug}/settings/payouts`, { as: owner })
    await page.getByText('PayPal is not connected').waitFor()
    await click(page, 'Connect PayPal …')
    await page.getByLabel('Client id').fill(paypalCredentials.clientId)
    await page.getByLabel('Client secret').fill('wrong')
    await page.getByLabel('Webhook id').fill(paypalCredentials.webhookId)
    expect(await problemsOf(page)).toEqual([])
    await click(page, 'Try and keep')
    await page.getByText('Set up the second factor of your account first').waitFor()
    await test.database.db.person.updateMany({ data: { hasSecondFactor: true } })
    await click(page, 'Try and keep')
    await page.getByText('PayPal does not accept the credentials').waitFor()
    await page.getByLabel('Client secret').fill(paypalCredentials.clientSecret)
    await click(page, 'Try and keep')
    await closed(page)
    await page.locator('dd').getByText('can pay EUR, balance 1,204.10').waitFor()
    expect(await problemsOf(page)).toEqual([])
  })

  it('two people send a run; a crash leaves it unknown; one fails, one is unclaimed and cancelled', async () => {
    const asManager = manager.graphql(acme.id)
    const run = await servicesOf({ graphql: asManager } as never).prepare()
    const address = `/${acme.slug}/payouts/runs/${run.id}`
    const made = await visit(address, { as: manager })
    await made.page.getByText('You made this run, so somebody else has to approve it.').waitFor()

    const { page } = await visit(address, { as: owner })
    await click(page, 'Quote')
    await page.getByText('PayPal says its fee of each payment after it was made.').waitFor()
    await click(page, 'Approve the run')
    await page.getByText('The run was approved.').waitFor()
    expect(await problemsOf(page)).toEqual([])

    death.at = 'after call'
    await click(page, 'Send by PayPal …')
    await page.getByText('This moves money, and cannot be taken back here.').waitFor()
    expect(await problemsOf(page)).toEqual([])
    await click(page, 'Send by PayPal')
    await page.getByRole('alert').first().waitFor()
    await click(page, 'Cancel')
    await page.reload()
    await page.getByText('What became of 3 payments at PayPal is unknown.').waitFor()
    await page.getByRole('table').getByText('Unknown', { exact: true }).nth(2).waitFor()
    expect(await problemsOf(page)).toEqual([])

    paypal.settle(test.clock.now)
    await click(page, 'Ask PayPal')
    await page.getByText('PayPal was asked.').waitFor()
    await page.getByRole('cell', { name: 'UNCLAIMED', exact: true }).first().waitFor()
    await page.getByText('The account of the receiver is locked.').waitFor()
    expect(await page.getByRole('table').getByText('Unknown', { exact: true }).count()).toBe(0)
    expect(await problemsOf(page)).toEqual([])

    await page.getByRole('button', { name: /^Cancel at PayPal: payment of/ }).click()
    await page.getByLabel('Reason').fill('Nobody has claimed it.')
    await click(page, 'Cancel at PayPal')
    await closed(page)
    await page.getByRole('table').getByText('Cancelled', { exact: true }).waitFor()
    expect([...paypal.moved()]).toEqual([['ada@pp.test', 1_000]])
  })

  it('a manager pauses it, and only an owner resumes it', async () => {
    const { page } = await visit(`/${acme.slug}/settings/payouts`, { as: manager })
    await click(page, 'Pause')
    await page.getByText('Paused: nothing is sent.').waitFor()
    expect(await page.getByRole('button', { name: 'Resume' }).count()).toBe(0)
    const own = await visit(`/${acme.slug}/settings/payouts`, { as: owner })
    await click(own.page, 'Resume')
    await own.page.getByText('Paused: nothing is sent.').waitFor({ state: 'detached' })
    await click(own.page, 'Limits …')
    await own.page.getByLabel('The most per run (USD)').fill('100')
    expect(await problemsOf(own.page)).toEqual([])
    await click(own.page, 'Save')
    await closed(own.page)
    expect((await servicesOf(acme).list())[0].mostPerRunCents).toBe(10_000)
  })
})

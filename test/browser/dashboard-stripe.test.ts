import { describe, expect, it } from 'vitest'
import { hasChromium, needsChromium } from '../support/browser.ts'
import { click, closed, problemsOf, startDashboard } from '../support/dashboard.ts'
import { addPayee, createStripe, servicesOf, stripeCredentials } from '../support/payout-services.ts'
import { addMember } from '../support/people.ts'

describe.skipIf(!hasChromium)('payments by Stripe in the dashboard', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  const stripe = await createStripe()
  const death = { at: '' }
  const { test, visit, olga } = await startDashboard({
    payoutServiceUrls: { stripe: stripe.url },
    onPayoutStep(step) {
      if (step !== death.at) return
      death.at = ''
      throw new Error('killed')
    },
  })
  const acme = await test.createProgram()
  const owner = await addMember(test, olga, acme.id, { email: 'owner@acme.test', role: 'OWNER' })
  const manager = await addMember(test, olga, acme.id, { email: 'manager@acme.test', role: 'MANAGER' })
  await test.database.db.person.updateMany({ data: { hasSecondFactor: true } })
  const recipients = ['ada', 'failed'].map((name) => stripe.addRecipient(name))
  for (const recipient of recipients) await addPayee(acme, recipient)
  await test.operator('mutation ($input: UpdateProgramInput!) { updateProgram(input: $input) { program { id } } }', {
    input: { id: acme.id, payoutApprovalAboveCents: 1_000 },
  })

  it('an owner connects it', async () => {
    const { page } = await visit(`/${acme.slug}/settings/payouts`, { as: owner })
    await click(page, 'Connect Stripe …')
    await page.getByLabel('Restricted key').fill(stripeCredentials.secretKey)
    await page.getByLabel('Signing secret of the event destination').fill(stripeCredentials.webhookSecret)
    await click(page, 'Try and keep')
    await closed(page)
    await page.locator('dd').getByText('can pay EUR, balance 1204.10 EUR').waitFor()
    expect(await problemsOf(page)).toEqual([])
  })

  it('two people send a run; a crash leaves it unknown; one payee is paid, one fails', async () => {
    const run = await servicesOf({ graphql: manager.graphql(acme.id) } as never).prepare({ method: 'STRIPE' })
    const { page } = await visit(`/${acme.slug}/payouts/runs/${run.id}`, { as: owner })
    await click(page, 'Quote')
    await page.getByText('Stripe books its fees on the financial account', { exact: false }).waitFor()
    await click(page, 'Approve the run')
    await page.getByText('The run was approved.').waitFor()
    await click(page, 'Send by Stripe …')
    await page.getByText('This moves money, and cannot be taken back here.').waitFor()
    death.at = 'after call'
    await click(page, 'Send by Stripe')
    await page.getByRole('alert').first().waitFor()
    await click(page, 'Cancel')
    await page.reload()
    await page.getByText('What became of 2 payments at Stripe is unknown.').waitFor()
    expect(await problemsOf(page)).toEqual([])
    stripe.settle(new Date())
    await click(page, 'Ask Stripe')
    await page.getByText('Stripe was asked.').waitFor()
    await page.getByRole('cell', { name: 'posted', exact: true }).waitFor()
    expect(await page.getByRole('table').getByText('Unknown', { exact: true }).count()).toBe(0)
    await page.getByText('payout_method_rejected').waitFor()
    expect(await problemsOf(page)).toEqual([])
    expect([...stripe.moved()]).toEqual([[recipients[0], 1_000]])
  })
})

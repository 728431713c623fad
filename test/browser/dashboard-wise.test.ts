import { describe, expect, it } from 'vitest'
import { hasChromium, needsChromium } from '../support/browser.ts'
import { click, closed, problemsOf, startDashboard } from '../support/dashboard.ts'
import { earner } from '../support/payout-runs.ts'
import { createWise, notify, ourId, servicesOf } from '../support/payout-services.ts'
import { addMember } from '../support/people.ts'

describe.skipIf(!hasChromium)('payments by Wise in the dashboard', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  const wise = await createWise({ country: 'DE' })
  const death = { at: '' }
  const { test, visit, olga } = await startDashboard({
    payoutServiceUrls: { wise: wise.url },
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
  for (const name of ['ada', 'invalid', 'unclaimed'])
    await earner(acme, { first_name: name, last_name: 'Lovelace', wallet_b_email: `${name}@wise.test` })
  await test.operator('mutation ($input: UpdateProgramInput!) { updateProgram(input: $input) { program { id } } }', {
    input: { id: acme.id, payoutApprovalAboveCents: 1_000 },
  })

  it('an owner connects it', async () => {
    const { page } = await visit(`/${acme.slug}/settings/payouts`, { as: owner })
    await click(page, 'Connect Wise …')
    await page.getByLabel('API token').fill('stand-in')
    await page.getByLabel('Webhook key').fill(wise.webhookKey)
    expect(await problemsOf(page)).toEqual([])
    await click(page, 'Try and keep')
    await closed(page)
    await page.locator('dd').getByText('a person funds each batch at Wise').waitFor()
  })

  it('two people send a run; a crash leaves it unknown; a person funds it; one fails, one is unclaimed', async () => {
    const services = servicesOf({ graphql: manager.graphql(acme.id) } as never, 'WISE')
    const run = await services.prepare()
    const { page } = await visit(`/${acme.slug}/payouts/runs/${run.id}`, { as: owner })
    await click(page, 'Quote')
    await page.getByText('a person funds each batch at Wise.').waitFor()
    await click(page, 'Approve the run')
    await page.getByText('The run was approved.').waitFor()
    death.at = 'after call'
    await click(page, 'Send by Wise …')
    await click(page, 'Send by Wise')
    await page.getByRole('alert').first().waitFor()
    await click(page, 'Cancel')
    await page.reload()
    await page.getByText('What became of 3 payments at Wise is unknown.').waitFor()
    expect(await problemsOf(page)).toEqual([])
    await click(page, 'Ask Wise')
    await page
      .getByText(/Open Wise and fund the batch ".+" with 20\.60 USD\. The rates and fees are kept until:/)
      .waitFor()
    await page.getByText('The batch was completed at Wise without this payment.').first().waitFor()
    expect(await problemsOf(page)).toEqual([])

    wise.fundByHand()
    wise.settle(test.clock.now)
    const [service] = await services.list()
    const { items } = await services.read(run.id)
    const paid = items.nodes.find(({ recipient }: any) => recipient === 'ada@wise.test')
    expect((await notify(test, service.id, wise.notice(ourId(paid)))).status).toBe(200)
    await page.reload()
    await page.getByRole('cell', { name: 'outgoing_payment_sent', exact: true }).waitFor()
    expect(await page.getByText('Open Wise and fund').count()).toBe(0)
    await click(page, 'Ask Wise')
    await page.getByRole('cell', { name: 'waiting_recipient_input_to_proceed', exact: true }).waitFor()
    await page.getByRole('button', { name: /^Cancel at Wise: payment of/ }).click()
    await page.getByLabel('Reason').fill('Nobody has claimed it.')
    await click(page, 'Cancel at Wise')
    await closed(page)
    await page.getByRole('table').getByText('Cancelled', { exact: true }).waitFor()
    expect(await problemsOf(page)).toEqual([])
    expect([...wise.moved()]).toEqual([['ada@wise.test', 1_000]])
  })
})

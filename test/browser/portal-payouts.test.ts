import { afterAll, describe, expect, it } from 'vitest'
import { startStripe } from '../../src/cli/stand-ins/stripe.ts'
import { startWise } from '../../src/cli/stand-ins/wise.ts'
import { axeProblems, hasChromium, needsChromium } from '../support/browser.ts'
import { startDashboard } from '../support/dashboard.ts'
import { earner } from '../support/payout-runs.ts'
import { itemTo, servicesOf, stripeCredentials } from '../support/payout-services.ts'

describe.skipIf(!hasChromium)('where an affiliate is paid, at /portal on a phone', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  const stripe = await startStripe()
  afterAll(() => stripe.close())
  const wise = await startWise()
  afterAll(() => wise.close())
  const { test, visit } = await startDashboard({ payoutServiceUrls: { stripe: stripe.url, wise: wise.url } })

  it("gives the bank account on Stripe's page, and comes back to what is missing, then to ready", async () => {
    const program = await test.createProgram()
    await servicesOf(program).connect('STRIPE', stripeCredentials)
    const { affiliate } = await earner(program, {})
    const { sso } = (await program.get(`/affiliates/${affiliate.id}/sso`)).body
    const { page } = await visit(sso.url, { viewport: { width: 360, height: 740 } })
    const hosted = page.getByRole('form', { name: 'Bank account at Stripe' })
    await hosted.getByLabel('Country of the bank account').selectOption('US')
    expect(await axeProblems(page)).toEqual([])
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBeLessThanOrEqual(360)
    await hosted.getByRole('button', { name: 'Enter details at Stripe' }).click()
    await page.getByRole('heading', { name: 'Where should your money go?' }).waitFor()
    await page.getByRole('button', { name: 'Later' }).click()
    await hosted.getByText('Details are missing. Stripe asks for: bank account, address.').waitFor()

    await hosted.getByRole('button', { name: 'Change details at Stripe' }).click()
    await page.getByLabel('Account number').fill('000123456789')
    await page.getByRole('button', { name: 'Save' }).click()
    await hosted.getByText('Ready: Stripe can pay you.').waitFor()
    const { affiliate: after } = await program.graphql(
      'query ($id: ID!) { affiliate(id: $id) { stripeAccount payoutsHeldUntil } }',
      { id: affiliate.id },
    )
    expect(after.stripeAccount).toMatch(/^acct_/)
    expect(after.payoutsHeldUntil).not.toBeNull()
  })
  it('enters the e-mail of Wise, and sees what was paid and what arrives', async () => {
    const program = await test.createProgram()
    await test.operator('mutation ($input: UpdateProgramInput!) { updateProgram(input: $input) { program { id } } }', {
      input: { id: program.id, payoutFeeBearer: 'AFFILIATE', payoutHoldHours: 0 },
    })
    const services = servicesOf(program, 'WISE', { token: 'stand-in', webhookKey: wise.webhookKey })
    await services.connect()
    const { affiliate } = await earner(program, { first_name: 'Ada', last_name: 'Lovelace' })
    const { sso } = (await program.get(`/affiliates/${affiliate.id}/sso`)).body
    const { page } = await visit(sso.url, { viewport: { width: 360, height: 740 } })
    const address = page.getByRole('region', { name: 'How you are paid' })
    await address.getByLabel('Wise e-mail').fill('ada@wise.test')
    await address.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').waitFor()
    expect(await axeProblems(page)).toEqual([])

    const run = await services.prepare()
    await services.send(run.id)
    wise.settle(test.clock.now)
    expect(itemTo(await services.refresh(run.id), 'ada@wise.test').state).toBe('PAID')
    await page.reload()
    await page.getByText('$10.00 → $9.70').waitFor()
    expect(await axeProblems(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  })
})

import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { TestProgram } from '../support/app.ts'
import { hasChromium, needsChromium } from '../support/browser.ts'
import { click, closed, problemsOf, startDashboard } from '../support/dashboard.ts'
import { createSeller, listed, reportSale } from '../support/factories.ts'
import { addMember, type TestBrowser } from '../support/people.ts'

describe.skipIf(!hasChromium)('payouts, commissions and sales in the dashboard', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  const { test, visit, olga } = await startDashboard()

  /** An affiliate with a name whose commissions are due at once. */
  async function createEarner(program: TestProgram, firstName: string) {
    const terms = { commission_percent: 20, days_before_commissions_are_due: 0, minimum_payout_cents: 500 }
    const seller = await createSeller(program, { name: firstName, ...terms })
    await program.put(`/affiliates/${seller.affiliate.id}`, { first_name: firstName, last_name: 'Lee' })
    return seller
  }

  /** Opens a view of a program in a new browser, in which a person is signed in. */
  async function open(who: TestBrowser, program: TestProgram, path: string) {
    const { page, go } = await visit(`/${program.slug}${path}`, { as: who })
    return { page, go: (to: string) => go(`/${program.slug}${to}`) }
  }
  const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
  const cells = (page: Page, name: string) => row(page, name).locator('th, td').allTextContents()

  /** The content of the file of the run on the page. */
  async function downloadOf(page: Page) {
    const downloading = page.waitForEvent('download')
    await click(page, 'Download the file')
    const download = await downloading
    return readFileSync(await download.path(), 'utf8')
  }

  /** The texts of cells that are on top of an earlier cell of their row. */
  const overlappingCells = (page: Page) =>
    page.locator('tbody tr').evaluateAll((rows) =>
      rows.flatMap((row) => {
        const boxes = [...row.children].map((cell) => ({
          text: cell.textContent,
          ...cell.getBoundingClientRect().toJSON(),
        }))
        return boxes
          .filter((one, index) =>
            boxes
              .slice(0, index)
              .some(
                (other) =>
                  Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
                  Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1,
              ),
          )
          .map(({ text }) => text)
      }),
    )

  it('marks payouts as paid at the amounts that were seen, and refuses it when one moved meanwhile', async () => {
    const program = await test.createProgram()
    const [ada, bob, cleo] = [
      await createEarner(program, 'Ada'),
      await createEarner(program, 'Bob'),
      await createEarner(program, 'Cleo'),
    ]
    await reportSale(program, { coupon: ada.coupon, amount_cents: 10_000 })
    await reportSale(program, { coupon: bob.coupon, amount_cents: 5_000 })
    await reportSale(program, { coupon: cleo.coupon, amount_cents: 1_000 })
    const { page } = await open(olga, program, '/payouts?show=all')
    await page.getByLabel('Select all rows of this page').check()
    await click(page, 'Mark as paid …')
    const dialog = page.getByRole('dialog', { name: 'Mark 2 payouts as paid?' })
    await dialog.getByText('2 payouts, $30.00 in total.').waitFor()
    await dialog.getByText('1 payout that cannot be paid now is left out.').waitFor()
    expect(await problemsOf(page)).toEqual([])

    await reportSale(program, { coupon: ada.coupon, amount_cents: 1_000 })
    await listed(program, '/payouts')
    await dialog.getByLabel('Reference').fill('BATCH-7')
    await click(page, 'Mark 2 as paid')
    await expect
      .poll(() => dialog.getByRole('alert').textContent())
      .toContain('Nothing was marked as paid. The payout of Ada Lee is $22.00, not $20.00 as expected: it has changed.')
    expect((await listed(program, '/payouts')).map(({ state }) => state)).toEqual(['pending', 'pending', 'pending'])
    await click(page, 'Load again')
    await dialog.getByText('Ada Lee: $20.00 → $22.00').waitFor()
    await dialog.getByText('2 payouts, $32.00 in total.').waitFor()
    await click(page, 'Mark 2 as paid')
    await page.getByText('2 payouts marked as paid: $32.00.').waitFor()
    await closed(page)
    await row(page, 'Ada').waitFor({ state: 'detached' })
    expect(await row(page, 'Cleo').count()).toBe(1)

    await page.getByRole('link', { name: 'Paid', exact: true }).click()
    await row(page, 'BATCH-7').first().waitFor()
    expect((await cells(page, 'Ada')).at(-1)).toBe('$22.00')
    await page.getByRole('link', { name: '$22.00' }).click()
    const history = page.getByRole('region', { name: 'History' })
    await history.getByText('Olga Operator').first().waitFor()
    expect(await history.textContent()).toContain('Reference: BATCH-7')
    await expect.poll(() => page.getByRole('region', { name: 'Commissions' }).getByRole('row').count()).toBe(3)
    expect(await problemsOf(page)).toEqual([])
  })

  it('previews a day, and makes a run of the chosen payouts with its file', async () => {
    const program = await test.createProgram()
    const [ada, bob] = [await createEarner(program, 'Ada'), await createEarner(program, 'Bob')]
    await program.put(`/affiliates/${ada.affiliate.id}`, { wallet_a_email: 'ada@wallet.test' })
    await reportSale(program, { coupon: ada.coupon, amount_cents: 10_000 })
    await reportSale(program, { coupon: bob.coupon, amount_cents: 1_000 })
    const { page, go } = await open(olga, program, '/payouts/preview?show=all')
    await row(page, 'Bob').waitFor()
    expect((await cells(page, 'USD')).slice(1, 3)).toEqual(['$22.00', '$20.00'])
    expect(await row(page, 'Bob').textContent()).toContain('Below minimum')
    await page.getByLabel('State').selectOption('Can be paid')
    await row(page, 'Bob').waitFor({ state: 'detached' })
    await page.getByText('1 expected payout', { exact: true }).waitFor()

    await go('/payouts')
    await row(page, 'Ada').waitFor()
    expect(await row(page, 'Bob').count()).toBe(0)
    await page.getByRole('link', { name: '1 payout not yet: $2.00' }).click()
    await row(page, 'Bob').getByText('Below minimum').waitFor()
    await page.getByLabel('State').selectOption('All')
    await page.getByLabel('Select Ada Lee').check()
    await page.getByLabel('Select Bob Lee').check()
    await page.locator('.bulk').getByRole('link', { name: 'New run with these …' }).click()
    await page.getByText('Only the 2 selected payouts.').waitFor()
    expect(await problemsOf(page)).toEqual([])
    await click(page, 'Make the run')
    await page.getByText('1 payout, $20.00 in total.').waitFor()
    await page.getByText('1 payout left out: 1 below the minimum').waitFor()
    await row(page, 'Bob').getByText('below the minimum').waitFor()
    expect(await downloadOf(page)).toMatch(/^ada@wallet\.test,20\.00,USD,/)
  })

  it('pays a PayPal run and a Wise run with nobody twice, records results, and undoes a payout', async () => {
    const program = await test.createProgram()
    const wallets = {
      Ada: { wallet_a_email: 'ada@wallet.test' },
      Bob: { wallet_b_email: 'bob@wallet.test' },
      Cleo: { wallet_a_email: 'cleo@wallet.test', wallet_b_email: 'cleo@wallet.test' },
    }
    for (const [name, wallet] of Object.entries(wallets)) {
      const { affiliate, coupon } = await createEarner(program, name)
      await program.put(`/affiliates/${affiliate.id}`, wallet)
      await reportSale(program, { coupon, amount_cents: 10_000 })
    }
    const found = await program.graphql('{ payouts { nodes { id affiliate { firstName } } } }')
    const payouts: { id: string; affiliate: { firstName: string } }[] = found.payouts.nodes
    const payoutIds = new Map(payouts.map(({ id, affiliate }) => [affiliate.firstName, id]))
    const { page, go } = await open(olga, program, '/payouts/runs')
    await page.getByText('No runs yet').waitFor()
    const main = page.locator('main')
    const payments = page.getByRole('region', { name: 'Payments' })
    const payment = (name: string) => payments.getByRole('row').filter({ hasText: name })
    async function makeRun(method: string) {
      await main.getByRole('link', { name: 'New run' }).click()
      await page.getByLabel('Method').selectOption(method)
      await click(page, 'Make the run')
      await payments.getByRole('row').first().waitFor()
    }

    await makeRun('PayPal')
    await page.getByText('2 payouts, $40.00 in total.').waitFor()
    await page.getByText('2 payments to an address that was not paid before: check them.').waitFor()
    const left = page.getByRole('region', { name: 'Check' }).getByRole('row').filter({ hasText: 'Bob Lee' })
    await left.getByText('without an address for this method').waitFor()
    const paypal = await downloadOf(page)
    expect(paypal).toContain('ada@wallet.test,20.00,USD')
    expect(paypal).toContain('cleo@wallet.test,20.00,USD')
    for (const [width, height] of [
      [390, 844],
      [800, 600],
    ] as const) {
      await page.setViewportSize({ width, height })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      expect(await overlappingCells(page)).toEqual([])
      expect(await problemsOf(page)).toEqual([])
    }

    await click(page, 'Cancel the run …')
    await page.getByLabel('Reason').fill('Wrong day')
    await page.keyboard.press('Escape')
    expect(await page.getByLabel('Reason').inputValue()).toBe('Wrong day')
    await click(page, 'Go back')
    await click(page, 'Keep the run')
    await closed(page)
    await page.getByLabel('Reference').fill('BATCH-1')
    await click(page, 'Mark as sent')
    await page.getByText('The run is marked as sent.').waitFor()
    await payment('Ada').getByText('BATCH-1').waitFor()

    const report = [
      'Transaction ID,Transaction status,Unique ID,Error message',
      `T-1,FAILED,${payoutIds.get('Ada')},Receiver is unregistered`,
      `T-2,SUCCESS,${payoutIds.get('Cleo')},`,
      'T-3,SUCCESS,somebody-else,',
    ].join('\n')
    await page.getByLabel('Report of PayPal or Wise (CSV)').setInputFiles({
      name: 'report.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(report),
    })
    await click(page, 'Check the report')
    const preview = page.getByRole('region', { name: 'What the report says' })
    await preview.getByText('2 new results. Nothing is recorded yet.').waitFor()
    for (const state of ['Failed', 'Paid'])
      await preview.getByRole('row', { name: state }).getByText('$20.00').waitFor()
    await preview.getByText('1 row could not be used:').waitFor()
    await payment('Ada').getByText('Sent', { exact: true }).waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    expect(await overlappingCells(page)).toEqual([])
    expect(await problemsOf(page)).toEqual([])
    await click(page, 'Record 2 results')
    await page.getByText('2 new results. 0 rows changed nothing.').waitFor()
    await preview.waitFor({ state: 'detached' })
    await page.getByText('1 row could not be used:').waitFor()
    const recorded = page.getByRole('region', { name: 'History' }).getByRole('listitem')
    await recorded.filter({ hasText: 'Results recorded' }).filter({ hasText: 'Paid: 1' }).first().waitFor()
    await payment('Ada').getByText('Receiver is unregistered').waitFor()
    await payment('Cleo').getByText('Paid', { exact: true }).waitFor()

    await go('/payouts/runs')
    await row(page, 'PayPal').getByText('$40.00').waitFor()
    await makeRun('Wise')
    await page.getByText('1 payout, $20.00 in total.').waitFor()
    const wise = await downloadOf(page)
    expect(wise).toContain('bob@wallet.test')
    expect(wise).not.toContain('cleo@wallet.test')
    await click(page, 'Mark as paid …')
    const asked = page.getByRole('alertdialog', { name: 'Mark 1 payment as paid?' })
    await asked.getByText('1 payment without a result, $20.00, is recorded as paid.').waitFor()
    await click(page, 'Cancel')
    await closed(page)
    await click(page, 'Mark as paid …')
    await click(page, 'Mark as paid')
    await page.getByText('The run is marked as paid.').waitFor()
    await payments.getByRole('row', { name: 'Bob Lee' }).getByRole('link', { name: '$20.00' }).click()
    await page.getByRole('link', { name: 'Show the run' }).waitFor()
    expect(await page.getByText('Reference', { exact: true }).count()).toBe(0)
    await page.getByRole('link', { name: 'Show the run' }).click()
    await payments.getByRole('row', { name: 'Bob Lee' }).getByRole('link', { name: '$20.00' }).click()
    await click(page, 'Undo …')
    await click(page, 'Undo the payout')
    await page.getByText('Enter a reason.').waitFor()
    await page.getByLabel('Reason').fill('Paid in cash')
    await click(page, 'Undo the payout')
    await page.getByText('The payout is open again.').waitFor()
    await page.getByText('Ready', { exact: true }).waitFor()

    await go('/payouts')
    await row(page, 'Ada').waitFor()
    await row(page, 'Bob').waitFor()
    expect(await row(page, 'Cleo').count()).toBe(0)
  })

  it('asks a second person to approve a run, records a result by hand, and cancels a run', async () => {
    const program = await test.createProgram()
    for (const name of ['Ada', 'Bob']) {
      const { coupon } = await createEarner(program, name)
      await reportSale(program, { coupon, amount_cents: 10_000 })
    }
    const limit =
      'mutation ($id: ID!) { updateProgram(input: { id: $id, payoutApprovalAboveCents: 1 }) { program { id } } }'
    await test.operator(limit, { id: program.id })
    const manager = await addMember(test, olga, program.id, { email: 'second@acme.test', role: 'MANAGER' })
    const { page } = await open(olga, program, '/payouts/runs/new')
    await page.getByLabel('Method').selectOption('Every detail (CSV)')
    await click(page, 'Make the run')
    await page.getByText('You made this run, so somebody else has to approve it.').waitFor()
    expect(await page.getByRole('button', { name: 'Mark as paid …' }).isDisabled()).toBe(true)

    const second = await open(manager, program, '/payouts/runs')
    await second.page.getByRole('row').getByRole('link').first().click()
    await click(second.page, 'Approve the run')
    await second.page.getByText('The run was approved.').waitFor()
    await click(second.page, 'Mark as sent')
    await second.page.getByText('The run is marked as sent.').waitFor()

    const payments = second.page.getByRole('region', { name: 'Payments' })
    await click(second.page, 'Record result for Bob Lee')
    await second.page.getByLabel('Result', { exact: true }).selectOption('Returned')
    await second.page.getByLabel('Reason', { exact: true }).fill('Account closed')
    await second.page.keyboard.press('Escape')
    await click(second.page, 'Go back')
    await click(second.page, 'Record result')
    await payments.getByText('Account closed').waitFor()
    await click(second.page, 'Cancel the run …')
    await second.page.getByLabel('Reason', { exact: true }).fill('Wrong day')
    await click(second.page, 'Cancel the run')
    await second.page.getByText('The run was cancelled.').waitFor()
    await payments.locator('.badge', { hasText: 'Cancelled' }).waitFor()
    expect(await problemsOf(second.page)).toEqual([])
  })

  it('pays a run whose refund came after its file at the amount of the file, and shows the debt', async () => {
    const program = await test.createProgram()
    const { affiliate, coupon } = await createEarner(program, 'Ada')
    await program.put(`/affiliates/${affiliate.id}`, { wallet_a_email: 'ada@wallet.test' })
    const { sale_id } = await reportSale(program, { coupon, amount_cents: 10_000 })
    const { page, go } = await open(olga, program, '/payouts/runs/new')
    await page.getByLabel('Method').selectOption('PayPal')
    await click(page, 'Make the run')
    expect(await downloadOf(page)).toMatch(/^ada@wallet\.test,20\.00,USD,/)
    await program.post('/conversions/refund', { sale_id, amount_cents: 5_000 })
    await page.getByLabel('Reference').fill('BATCH-9')
    await click(page, 'Mark as sent')
    await page.getByText('The run is marked as sent.').waitFor()

    await click(page, 'Cancel the run …')
    const dialog = page.getByRole('dialog', { name: 'Cancel the run' })
    await dialog.getByText('these people are paid twice').waitFor()
    await dialog.getByLabel('Reason').fill('typo')
    await dialog.getByRole('button', { name: 'Cancel the run' }).click()
    await expect.poll(() => dialog.getByLabel('Type BATCH-9 to confirm').getAttribute('aria-invalid')).toBe('true')
    expect(await problemsOf(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Keep the run' }).click()
    await closed(page)

    await click(page, 'Mark as paid …')
    await click(page, 'Mark as paid')
    await page.getByText('The run is marked as paid.').waitFor()
    const payment = page.getByRole('region', { name: 'Payments' }).getByRole('row').filter({ hasText: 'Ada' })
    await payment.getByText('Paid', { exact: true }).waitFor()
    expect(await payment.textContent()).toContain('$20.00')
    await go('/commissions?state=due')
    await page.getByRole('link', { name: '-$10.00' }).waitFor()
    expect(await problemsOf(page)).toEqual([])
  })

  it('refunds a part of a sale with the effect that the form names', async () => {
    const program = await test.createProgram()
    const ada = await createEarner(program, 'Ada')
    await reportSale(program, { coupon: ada.coupon, amount_cents: 10_000, external_id: 'inv-1' })
    const { page } = await open(olga, program, '/sales')
    await page.getByRole('link', { name: 'inv-1' }).click()
    await page.getByText('20% of $100.00 is $20.00').waitFor()
    await click(page, 'Refund …')
    await page.getByLabel('A part').check()
    await page.getByLabel('Amount (USD)').fill('100.01')
    await page.getByRole('dialog').getByRole('button', { name: 'Refund', exact: true }).click()
    await page.getByText('At most $100.00 can be refunded.').waitFor()
    await page.getByLabel('Amount (USD)').fill('25.5')
    await page.getByText('The commission goes from $20.00 to $14.90.').waitFor()
    expect(await problemsOf(page)).toEqual([])
    await click(page, 'Refund $25.50')
    await page.getByText('20% of $74.50 ($100.00 before refunds) is $14.90').waitFor()
    expect(await listed(program, '/commissions')).toMatchObject([{ amount: 1490 }])
  })

  it('approves and voids held commissions, and changes one, with its history', async () => {
    const program = await test.createProgram()
    const ada = await createEarner(program, 'Ada')
    const hold = 'mutation ($id: ID!) { updateCampaign(input: { id: $id, selfReferrals: HOLD }) { campaign { id } } }'
    await program.graphql(hold, { id: ada.campaign.id })
    for (const id of ['inv-1', 'inv-2'])
      await reportSale(program, {
        coupon: ada.coupon,
        amount_cents: 10_000,
        email: ada.affiliate.email,
        external_id: id,
      })
    const { page, go } = await open(olga, program, '/commissions?held=yes')
    await page.getByLabel('Select Ada Lee, inv-1').check()
    await page.locator('.bulk').getByRole('button', { name: 'Cancel commissions …' }).click()
    await page.getByText('1 commission, $20.00, will not be paid').waitFor()
    await page.getByLabel('Reason').fill('Own purchase')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Cancel commission/ })
      .click()
    await closed(page)
    await row(page, 'inv-1').waitFor({ state: 'detached' })
    await page.getByLabel('Select Ada Lee, inv-2').check()
    await page.locator('.bulk').getByRole('button', { name: 'Approve …' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Approve' }).click()
    await page.getByText('1 commission approved.').waitFor()
    await closed(page)

    await go('/commissions?state=void')
    await page.getByRole('link', { name: '$20.00' }).click()
    await page.getByRole('region', { name: 'History' }).getByText('Own purchase').waitFor()
    await go('/commissions?state=due')
    // A click beside the links opens what the row is about.
    await page.getByRole('row', { name: 'inv-2' }).getByRole('cell', { name: 'Due' }).last().click()
    await click(page, 'Actions')
    await page.getByRole('menuitem', { name: 'Change amount' }).click()
    await page.getByLabel('New amount (USD)').fill('12.345')
    await page.getByRole('dialog').getByRole('button', { name: 'Change amount' }).click()
    await page.getByText('Enter an amount in USD').waitFor()
    await page.getByLabel('New amount (USD)').fill('12.3')
    await page.getByRole('dialog').getByRole('button', { name: 'Change amount' }).click()
    await page.getByText('Amount: $20.00 → $12.30').waitFor()
    await closed(page)
    expect(await problemsOf(page)).toEqual([])
  })

  it('records a sale by hand, and says what it earned', async () => {
    const program = await test.createProgram({ currency: 'eur' })
    await createEarner(program, 'Ada')
    const { page } = await visit(`/${program.slug}/sales`, { as: olga, viewport: { width: 390, height: 844 } })
    await click(page, 'Record a sale')
    await click(page, 'Record')
    await page.getByText('Enter an amount in EUR').waitFor()
    await page.getByLabel('Find the affiliate').fill('ada')
    await page.getByLabel('Ada Lee').check()
    await page.getByLabel('Amount').fill('1,200.50')
    await page.getByLabel('Currency').selectOption('USD – US Dollar')
    await page.getByLabel("Customer's e-mail").fill('cy@customers.test')
    await page.getByLabel('Sale id').fill('cash-1')
    await page.getByLabel('Day of the sale').fill('2026-03-01')
    expect(await problemsOf(page)).toEqual([])
    await click(page, 'Record for Ada Lee')
    await page.getByRole('heading', { name: 'Sale of $1,200.50 through Ada Lee' }).waitFor()
    await page.getByText('20% of $1,200.50 is $240.10').waitFor()
    await page.getByText('Mar 1, 2026').first().waitFor()
  })

  it('gives a bonus and deducts a correction, with reasons that the affiliate sees', async () => {
    const program = await test.createProgram()
    const ada = await createEarner(program, 'Ada')
    const { page, go } = await visit(`/${program.slug}/affiliates/${ada.affiliate.id}`, { as: olga })
    const dialog = page.getByRole('dialog', { name: 'Give a bonus or correction' })
    await click(page, 'Give a bonus or correction')
    await dialog.getByLabel('Amount').fill('50')
    await dialog.getByRole('button', { name: 'Give' }).click()
    await dialog.getByText("Reason can't be blank").waitFor()
    await dialog.getByLabel('Reason').fill('Best in spring')
    expect(await problemsOf(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Give' }).click()
    await page.getByText('The bonus was given to Ada Lee.').waitFor()
    await click(page, 'Give a bonus or correction')
    await dialog.getByLabel('What').selectOption('Correction that deducts an amount')
    await dialog.getByLabel('Amount').fill('12.50')
    await dialog.getByLabel('Reason').fill('Paid twice')
    await dialog.getByRole('button', { name: 'Give' }).click()
    await page.getByText('The correction was recorded for Ada Lee.').waitFor()
    await go(`/${program.slug}/commissions?kind=correction`)
    await page
      .getByRole('row', { name: /Correction.*Paid twice.*-\$12\.50/ })
      .getByRole('link', { name: '-$12.50' })
      .click()
    await page.getByText('A correction that deducts $12.50, by Olga').waitFor()
    await go(`/${program.slug}/affiliates/${ada.affiliate.id}`)
    const portal = page.waitForEvent('popup')
    await click(page, 'Open the portal as them')
    await (await portal).getByText('Correction: Paid twice').waitFor()
    await (await portal).getByText('Bonus: Best in spring').waitFor()
  })

  it('attributes a sale without an affiliate, and shows an analyst all of it without a way to change anything', async () => {
    const program = await test.createProgram()
    const ada = await createEarner(program, 'Ada')
    await reportSale(program, { coupon: ada.coupon, amount_cents: 10_000 })
    for (const number of [1, 2])
      await program.post('/conversions', {
        coupon: 'unknown',
        email: `lost${number}@customers.test`,
        amount_cents: 4_200 + number,
        external_id: `lost-${number}`,
      })
    const manager = await addMember(test, olga, program.id, { email: 'manager@acme.test', role: 'MANAGER' })
    const { page, go } = await open(manager, program, '/sales?show=unattributed')
    await row(page, 'lost-1').getByText('No affiliate has the coupon').waitFor()
    await click(page, 'Attribute lost-1')
    await page.getByLabel('Find the affiliate').fill('ada')
    await page.getByLabel('Ada Lee').check()
    await click(page, 'Attribute to Ada Lee')
    await closed(page)
    await row(page, 'lost-1').waitFor({ state: 'detached' })
    const { sales } = await program.graphql('{ sales { nodes { externalId affiliate { firstName } } } }')
    expect(sales.nodes).toContainEqual({ externalId: 'lost-1', affiliate: { firstName: 'Ada' } })
    await click(page, 'Dismiss lost-2')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Dismiss' }).click()
    await closed(page)
    await row(page, 'lost-2').waitFor({ state: 'detached' })
    await go(`/home`)
    await page.getByText('can be paid in 1 payout').waitFor()
    expect(await page.getByText('has no affiliate').count()).toBe(0)
    await go(`/sales?show=unattributed`)
    await page.getByText('Nothing to attribute').waitFor()
    await page.getByRole('link', { name: 'Dismissed', exact: true }).click()
    await row(page, 'lost-2').getByText('Mia Member').waitFor()
    expect(await problemsOf(page)).toEqual([])
    await click(page, 'Restore lost-2')
    await page.getByText('No dismissed sales').waitFor()

    const phone = await open(manager, program, '/payouts')
    await phone.page.setViewportSize({ width: 360, height: 800 })
    for (const list of ['/payouts', '/commissions', '/sales', '/affiliates', '/campaigns']) {
      await phone.go(list)
      await phone.page.locator('tbody tr', { hasText: '$' }).first().waitFor()
      expect(await overlappingCells(phone.page)).toEqual([])
      const titles = phone.page.locator('tbody th')
      const widths = await titles.evaluateAll((all) => all.map(({ clientWidth }) => clientWidth))
      expect(Math.min(...widths)).toBeGreaterThan(120)
    }

    const analyst = await addMember(test, olga, program.id, { email: 'analyst@acme.test', role: 'ANALYST' })
    const reading = await open(analyst, program, '/payouts')
    const { nodes } = (await program.graphql('{ sales(last: 1) { nodes { id commissions { nodes { id } } } } }')).sales
    const [payout] = await listed(program, '/payouts')
    const makeRun = 'mutation { createPayoutRun(input: { method: GENERIC }) { payoutRun { id } } }'
    const run = (await program.graphql(makeRun)).createPayoutRun.payoutRun
    const views = [
      '/payouts',
      '/payouts/preview',
      '/payouts/runs',
      `/payouts/runs/${run.id}`,
      '/payouts?state=paid',
      `/payouts/${payout.id}`,
      '/commissions',
      `/commissions/${nodes[0].commissions.nodes[0].id}`,
      '/sales',
      `/sales/${nodes[0].id}`,
      '/sales?show=unattributed',
      '/sales?show=dismissed',
    ]
    await reading.page.setViewportSize({ width: 360, height: 800 })
    await reading.page.emulateMedia({ colorScheme: 'dark' })
    for (const view of views) {
      await reading.go(view)
      await reading.page.getByRole('heading', { level: 1 }).waitFor()
      await reading.page.locator('.skeleton').waitFor({ state: 'detached' })
      await expect
        .poll(() => reading.page.locator('main tbody tr, main .empty, main .facts').count())
        .toBeGreaterThan(0)
      const buttons = await reading.page.locator('main').getByRole('button').allTextContents()
      const reads = [
        'Filters',
        'Columns',
        'Export CSV',
        'Save view',
        'Opened',
        'Amount',
        'Paid',
        'Sale occurred',
        'Due',
        'Occurred',
      ]
      expect(buttons.filter((name) => !reads.includes(name))).toEqual([])
      expect(await reading.page.locator('main').getByRole('checkbox').count()).toBe(0)
      expect(await problemsOf(reading.page)).toEqual([])
      expect(await reading.page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
    }
  })
})

import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { axeProblems, hasChromium, needsChromium, screens } from '../support/browser.ts'
import { click, heading, problemsOf, startDashboard } from '../support/dashboard.ts'
import { createAffiliate, createCampaign, createLead, createSeller, listed, reportSale } from '../support/factories.ts'
import { addMember } from '../support/people.ts'

describe.skipIf(!hasChromium)('affiliates and campaigns in the dashboard', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  const { test, visit, olga } = await startDashboard()
  const program = await test.createProgram()
  const mia = await addMember(test, olga, program.id, { email: 'mia@acme.test', role: 'MANAGER', name: 'Mia Manager' })
  const ana = await addMember(test, olga, program.id, { email: 'ana@acme.test', role: 'ANALYST', name: 'Ana Analyst' })
  const { slug } = program

  const choose = async (page: Page, menu: string, item: string) => {
    await click(page, menu)
    await page.getByRole('menuitem', { name: item, exact: true }).click()
  }
  const names = (page: Page) => page.locator('tbody th a').allTextContents()
  const file = (csv: string) => ({ name: 'affiliates.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })

  it('searches and filters affiliates in the address, keeps a view, and changes many with each failure', async () => {
    const campaign = await createCampaign(program, { name: 'Closing' })
    for (const name of ['Ann', 'Anna', 'Annika'])
      await createAffiliate(program, { email: `${name}@many.test`, first_name: name, last_name: 'Many' })
    const { page } = await visit(`/${slug}/affiliates`, { as: mia })
    await page.getByLabel('Search by name or e-mail').fill('many')
    await expect.poll(() => new URL(page.url()).search).toBe('?search=many')
    await page.getByLabel('State').selectOption('Active')
    await expect.poll(() => new URL(page.url()).search).toBe('?search=many&state=active')
    await click(page, 'Affiliate')
    await expect.poll(() => names(page)).toEqual(['Annika Many', 'Anna Many', 'Ann Many'])

    await click(page, 'Save view')
    await page.getByRole('dialog').getByLabel('Name').fill('The many')
    await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click()
    await page.getByRole('navigation', { name: 'Saved views' }).getByRole('link', { name: 'All' }).click()
    await expect.poll(() => new URL(page.url()).search).toBe('')
    await page.reload()
    // It is kept by the service: another browser of the same person has it.
    const elsewhere = await visit(`/${slug}/affiliates`, { as: mia })
    await elsewhere.page.getByRole('link', { name: 'The many' }).waitFor()
    await page.getByRole('link', { name: 'The many' }).click()
    await expect.poll(() => names(page)).toEqual(['Annika Many', 'Anna Many', 'Ann Many'])

    for (const name of ['Ann Many', 'Annika Many']) await page.getByLabel(`Select ${name}`, { exact: true }).check()
    await choose(page, 'Set state', 'Disabled')
    const dialog = page.getByRole('alertdialog')
    await dialog.getByText('Annika Many, Ann Many').or(dialog.getByText('Ann Many, Annika Many')).waitFor()
    expect(await listed(program, '/affiliates?state=disabled')).toEqual([])
    await click(page, 'Change 2 affiliates')
    await page.getByText('2 affiliates were changed.').waitFor()
    await expect.poll(() => names(page)).toEqual(['Anna Many'])
    expect((await listed(program, '/affiliates?state=disabled')).length).toBe(2)

    await program.graphql('mutation ($id: ID!) { archiveCampaign(input: { id: $id }) { campaign { id } } }', {
      id: campaign.id,
    })
    await page.getByLabel('Select Anna Many').check()
    await choose(page, 'Move to campaign', 'Closing')
    await click(page, 'Change 1 affiliate')
    await dialog.getByText('1 of 1 could not be changed').waitFor()
    await dialog.getByRole('listitem').filter({ hasText: 'Anna Many: ' }).waitFor()
  })

  it('imports a CSV file without its wrong lines, and exports every row of the filter', async () => {
    const { page } = await visit(`/${slug}/affiliates?search=csv.test`, { as: mia })
    await click(page, 'Import CSV')
    const lines = Array.from({ length: 299 }, (_, index) => `n${index}@csv.test,Name ${index},\r\n`).join('')
    await page
      .getByLabel('CSV file')
      .setInputFiles(
        file(`email,first_name,coupon\r\n${lines}"x\n@csv.test",X,\r\nlast@csv.test,"=1, ""q""",CSV-1\r\n`),
      )
    const dialog = page.locator('[role=dialog]:not(.toast)')
    await dialog.getByText('The file has 301 lines. It begins with:').waitFor()
    await dialog.getByText('300 affiliates can be created. 1 line with a problem.').waitFor()
    await dialog.getByRole('row', { name: 'Line 301 email Email is not a valid e-mail address' }).waitFor()
    expect((await listed(program, '/affiliates?email=last@csv.test')).length).toBe(0)
    await click(page, 'Import 300 affiliates')
    await page.getByText('300 affiliates were created.').waitFor()
    await page.locator('caption', { hasText: '300 affiliates' }).waitFor()

    const download = page.waitForEvent('download')
    await click(page, 'Export CSV')
    const exported = (await readFile(await (await download).path(), 'utf8')).split('\r\n')
    expect(exported.length).toBe(302)
    expect(exported.find((line) => line.startsWith('last@csv.test'))).toMatch(/^last@csv\.test,"'=1, ""q""",,,,,CSV-1,/)
  })

  it('creates an affiliate, gives them a coupon, shows the changes with their actors, and opens their portal', async () => {
    const { page } = await visit(`/${slug}/affiliates`, { as: mia })
    await page.getByRole('button', { name: 'Create affiliate' }).first().click()
    const dialog = page.locator('[role=dialog]:not(.toast)')
    await dialog.getByRole('button', { name: 'Create affiliate' }).click()
    await dialog.getByText("E-mail can't be blank").waitFor()
    await dialog.getByLabel('E-mail', { exact: true }).fill('grace@navy.test')
    await dialog.getByLabel('First name').fill('Grace')
    await dialog.getByRole('button', { name: 'Create affiliate' }).click()
    await heading(page, 'Grace')

    await click(page, 'Add coupon')
    await dialog.getByLabel('Code').fill('GRACE10')
    await dialog.getByLabel('What the customer saves').fill('ten')
    await dialog.getByRole('button', { name: 'Add coupon' }).click()
    await dialog.getByText('Enter a percentage such as 20%').waitFor()
    await dialog.getByLabel('What the customer saves').fill('10%')
    await dialog.getByRole('button', { name: 'Add coupon' }).click()
    await page.getByText('The coupon was added.').waitFor()
    await page.getByText('the customer saves 10%').waitFor()
    await click(page, 'Add coupon')
    await dialog.getByLabel('Code').fill('GRACE20')
    await dialog.getByRole('button', { name: 'Add coupon' }).click()
    await page.getByRole('button', { name: 'Archive coupon GRACE20' }).waitFor()
    await reportSale(program, { coupon: 'GRACE10', email: 'buyer@shop.test', amount_cents: 5_000 })
    await page.reload()
    await page.getByRole('tab', { name: 'Referrals' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await page.getByRole('row', { name: /buyer@shop.test/ }).waitFor()

    await click(page, 'Edit affiliate')
    await dialog.getByLabel('Last name').fill('Hopper')
    await dialog.getByLabel('IBAN').fill('DE89 3704 0044 0532 0130 01')
    await dialog.getByLabel('BIC').fill('COBADEFFXXX')
    await dialog.getByLabel('Preferred payout method').selectOption('SEPA credit transfer')
    await dialog.getByLabel('Recipient type').selectOption('Business')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('IBAN is not a valid IBAN').waitFor()
    await dialog.getByLabel('IBAN').fill('DE89 3704 0044 0532 0130 00')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await heading(page, 'Grace Hopper')
    const details = page.getByRole('region', { name: 'Details' })
    await details.getByText('DE89370400440532013000').waitFor()
    await details.getByText('SEPA credit transfer').waitFor()
    await details.getByText('Business').waitFor()
    await click(page, 'Edit affiliate')
    await dialog.getByLabel('Preferred payout method').selectOption('The one with an address')
    await dialog.getByLabel('BIC').fill('')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await details.getByText('SEPA credit transfer').waitFor({ state: 'detached' })
    await details.getByText('COBADEFFXXX').waitFor({ state: 'detached' })
    await click(page, 'Archive coupon GRACE10')
    await page.getByRole('alertdialog', { name: 'Archive the coupon GRACE10?' }).waitFor()
    await click(page, 'Archive')
    await page.getByRole('button', { name: 'Restore coupon GRACE10' }).waitFor()
    const timeline = page.getByRole('region', { name: 'Timeline' })
    await timeline.getByText('Coupon archived by Mia Manager').waitFor()
    await timeline.getByText('Last name: Hopper').waitFor()

    const portal = page.waitForEvent('popup')
    await click(page, 'Open the portal as them')
    await (await portal).getByText('Grace Hopper').first().waitFor()
    await (await portal).getByText('GRACE20').first().waitFor()
    expect(await (await portal).getByText('GRACE10').count()).toBe(0)
    // It only shows: the form cannot save, and a change that is sent all the same is refused.
    const view = await portal
    await view.getByText('You see what this affiliate sees. Nothing can be changed here.').waitFor()
    await view.getByRole('region', { name: 'Tax', exact: false }).getByRole('button', { name: 'Sign' }).waitFor()
    expect(await axeProblems(view)).toEqual([])
    const payout = view.getByRole('region', { name: 'How you are paid' })
    expect(await payout.getByLabel('PayPal e-mail').isDisabled()).toBe(true)
    expect(await payout.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await view.evaluate(() => {
      for (const fields of document.querySelectorAll('fieldset')) fields.disabled = false
    })
    await payout.getByLabel('PayPal e-mail').fill('mia@evil.test')
    await payout.getByRole('button', { name: 'Save' }).click()
    await payout.getByText('Something went wrong').waitFor()
    expect(await axeProblems(view)).toEqual([])
  })

  it('shows what a change of a campaign would have cost before it is saved, and names the affected affiliates', async () => {
    const seller = await createSeller(program, { name: 'Launch', commission_percent: 10 })
    await program.put(`/affiliates/${seller.affiliate.id}`, { first_name: 'Sally', last_name: 'Seller' })
    await reportSale(program, {
      coupon: seller.coupon,
      email: 'early@shop.test',
      amount_cents: 20_000,
      occurred_at: '2025-11-05T12:00:00Z',
    })
    const { page, go } = await visit(`/${slug}/campaigns`, { as: mia })
    await page.getByRole('link', { name: 'Launch', exact: true }).click()
    await heading(page, 'Launch')
    await page.getByLabel('Percentage').fill('15')
    const cost = page.getByRole('region', { name: 'What it would have cost' })
    await cost.getByText('Difference').locator('..').getByText('+$10.00').waitFor()
    await cost.getByRole('link', { name: 'Sally Seller' }).waitFor()
    await click(page, 'Save')
    const dialog = page.getByRole('alertdialog', { name: 'Save the changes of Launch?' })
    await dialog.getByText('10% of each sale → 15% of each sale').waitFor()
    await dialog.getByText('+$10.00').waitFor()
    await dialog.getByText('1 affiliate earns by it from now on: Sally Seller').waitFor()
    const percent = async () => (await program.get(`/campaigns/${seller.campaign.id}`)).body.commission_percent
    expect(await percent()).toBe(10)
    await click(page, 'Save changes')
    await page.getByText('Saved.').waitFor()
    expect(await percent()).toBe(15)

    await go(`/${slug}/campaigns/new`)
    await click(page, 'Create campaign')
    await page.getByText('Enter what a sale earns.').waitFor()
    await page.getByLabel('Name').fill('Fixed')
    await page.getByLabel('Kind of reward').selectOption('A fixed amount for each sale')
    await page.getByLabel('Amount').fill('12,50')
    await click(page, 'Create campaign')
    await page.getByText('Enter an amount in USD, such as 1,234.50.').waitFor()
    await page.getByLabel('Amount').fill('12.50')
    await click(page, 'Create campaign')
    await heading(page, 'Fixed')
    await page.getByRole('link', { name: 'Campaigns' }).first().click()
    await page.getByRole('row', { name: /^Fixed \$12\.50 for each sale/ }).waitFor()
  })

  it('lets an analyst read everything and change nothing', async () => {
    const [affiliate] = await listed(program, '/affiliates')
    const [campaign] = await listed(program, '/campaigns')
    const { page, go } = await visit(`/${slug}/affiliates`, { as: ana })
    await page.locator('tbody a').first().waitFor()
    expect(await page.getByRole('checkbox').count()).toBe(0)
    expect(await page.getByRole('button', { name: /^(Create|Import) / }).count()).toBe(0)
    await go(`/${slug}/affiliates/${affiliate.id}`)
    await page.getByRole('region', { name: 'Timeline' }).waitFor()
    expect(await page.getByRole('button', { name: /Edit|Add|Archive|portal/ }).count()).toBe(0)
    await go(`/${slug}/campaigns/${campaign.id}`)
    await page.getByLabel('Percentage').or(page.getByLabel('Amount')).waitFor()
    expect(await page.getByLabel('Name').isDisabled()).toBe(true)
    expect(await page.getByRole('button', { name: /Save|Archive/ }).count()).toBe(0)
  })

  it('is accessible on a wide light and a narrow dark screen, and fits with long names', async () => {
    const campaign = await createCampaign(program, { name: 'A campaign for partners '.repeat(6).trim() })
    const { affiliate, coupon } = await createSeller(program)
    const changed = { campaign_id: campaign.id, last_name: 'Unbroken'.repeat(20) }
    expect((await program.put(`/affiliates/${affiliate.id}`, changed)).status).toBe(200)
    await reportSale(program, { coupon })
    for (const [width, colorScheme] of screens) {
      const { page, go } = await visit(`/${slug}/affiliates`, {
        as: mia,
        viewport: { width, height: 800 },
        colorScheme,
      })
      for (const [path, ready] of [
        ['affiliates', 'tbody a'],
        [`affiliates/${affiliate.id}`, '.timeline li'],
        ['campaigns', 'tbody a'],
        ['sales', 'tbody a'],
        ['commissions', 'tbody a'],
        [`campaigns/${campaign.id}`, '.simulation .quiet'],
      ] as const) {
        await go(`/${slug}/${path}`)
        await page.locator(ready).first().waitFor()
        expect([path, width, await axeProblems(page)]).toEqual([path, width, []])
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
        expect([path, width, overflow <= 0]).toEqual([path, width, true])
      }
    }
  })

  it('puts selected affiliates into a new group, filters by it, and takes one out', async () => {
    for (const name of ['Gil', 'Gerd'])
      await createAffiliate(program, { email: `${name}@groups.test`, first_name: name, last_name: 'Grouped' })
    const { page } = await visit(`/${slug}/affiliates?search=grouped`, { as: mia })
    await page.getByLabel('Select Gil Grouped').check()
    await page.getByLabel('Select Gerd Grouped').check()
    await choose(page, 'Add to group', 'New group …')
    await page.getByRole('dialog').getByLabel('Name').fill('Press')
    await click(page, 'Create group')
    await page.getByText('2 affiliates are in Press now.').waitFor()

    await page.getByRole('combobox', { name: 'Group' }).selectOption('Press')
    await page.getByLabel('Search by name or e-mail').fill('')
    await expect.poll(async () => (await names(page)).sort()).toEqual(['Gerd Grouped', 'Gil Grouped'])
    await page.getByLabel('Select Gil Grouped').check()
    await choose(page, 'Remove from group', 'Press')
    await expect.poll(() => names(page)).toEqual(['Gerd Grouped'])
    await page.getByRole('link', { name: 'Gerd Grouped' }).click()
    await page.getByText('Press', { exact: true }).waitFor()
  })

  it('adds a commission rule after it has shown what the rule would have cost, and ends it', async () => {
    const own = await test.createProgram()
    const { campaign, coupon, affiliate } = await createSeller(own, { name: 'Launch' })
    await reportSale(own, { coupon, amount_cents: 10_000 })
    const { page } = await visit(`/${own.slug}/campaigns/${campaign.id}`, { as: olga })
    await click(page, 'Add rule')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Add rule' }).click()
    await dialog.getByText("Name can't be blank").waitFor()
    await dialog.getByLabel('Name').fill('First payments')
    await dialog.getByLabel('Percentage', { exact: true }).fill('30')
    await dialog.getByLabel('Customers').selectOption('All customers')
    await dialog.getByLabel('Payment').selectOption('First payment')
    await dialog.getByText('Of 1 sale in the last 12 months, 1 would have earned something else.').waitFor()
    await dialog.getByText('$10.00 by the present rules, $30.00 with this one.').waitFor()
    await dialog.getByRole('button', { name: 'Add rule' }).click()
    await page.getByText('The rule First payments was added.').waitFor()
    await page.getByRole('row', { name: 'First payments 30% First payment' }).waitFor()
    expect((await reportSale(own, { coupon, amount_cents: 10_000 })).commission.amount).toBe(3_000)

    await click(page, 'Add rule')
    await dialog.getByLabel('Name').fill('Leads of one')
    await dialog.getByLabel('Reward').selectOption('An amount for each lead')
    await dialog.getByLabel('Amount (USD)').fill('5')
    await dialog.getByLabel('Customers').selectOption('All customers')
    await dialog.getByLabel('Affiliate', { exact: true }).fill(affiliate.email)
    await dialog.getByRole('radio').check()
    await expect.poll(() => dialog.getByLabel('Coupon codes').count()).toBe(0)
    await dialog.getByRole('button', { name: 'Add rule' }).click()
    await page
      .getByRole('row', { name: `Leads of one $5.00 for a lead, once per customer Of ${affiliate.email}` })
      .waitFor()
    await createLead(own, affiliate.links[0].token)
    const earned = (await listed(own, '/commissions')).map(({ amount }) => amount)
    expect(earned).toContain(500)

    await click(page, 'Add rule')
    await dialog.getByLabel('Name').fill('By sales')
    await dialog.getByLabel('Reward').selectOption('By tiers')
    await dialog.getByLabel('Customers').selectOption('All customers')
    await dialog.getByLabel('Percentage').nth(0).fill('10')
    await dialog.getByRole('button', { name: 'Add rule' }).click()
    await dialog.getByText('Fill in each step.').waitFor()
    await dialog.getByLabel('From sales').nth(1).fill('50')
    await dialog.getByLabel('Percentage').nth(1).fill('15')
    await click(page, 'Add step')
    await dialog.getByLabel('From sales').nth(2).fill('200')
    await dialog.getByLabel('Percentage').nth(2).fill('20')
    await dialog.getByRole('button', { name: 'Remove step 2' }).click()
    expect(await problemsOf(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Add rule' }).click()
    await page.getByRole('row', { name: 'By sales 10% to 20%: number of sales in a month' }).waitFor()
    const { campaign: stored } = await own.graphql(
      `{ campaign(id: "${campaign.id}") { rules { reward { tiers { steps { from percent } } } } } }`,
    )
    expect(stored.rules.map(({ reward }: { reward: { tiers: unknown } }) => reward.tiers)).toContainEqual({
      steps: [
        { from: 0, percent: 10 },
        { from: 200, percent: 20 },
      ],
    })

    await click(page, 'Change By sales')
    expect(await dialog.getByLabel('From sales').nth(1).inputValue()).toBe('200')
    await dialog.getByLabel('Percentage').nth(1).fill('25')
    await dialog.getByLabel('Every year').check()
    await dialog.getByLabel('Last day').fill('2099-12-31')
    expect(await problemsOf(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Change', exact: true }).click()
    await page.getByText('The rule By sales was changed.').waitFor()
    await page.getByRole('row', { name: 'By sales 10% to 25%: number of sales in a month Every year' }).waitFor()
    await click(page, 'Change Leads of one')
    await dialog.getByText(affiliate.email).waitFor()
    expect(await dialog.getByLabel('Amount (USD)').inputValue()).toBe('5.00')
    await dialog.getByRole('button', { name: 'Cancel' }).click()

    const first = page.getByRole('row', { name: 'First payments 30% First payment' })
    await first.getByRole('button', { name: 'End' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'End' }).click()
    await expect.poll(() => first.count()).toBe(0)
  })
})

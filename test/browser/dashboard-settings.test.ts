import { describe, expect, it } from 'vitest'
import { beginImport, campaign, source } from '../modules/imports/story.ts'
import { hasChromium, needsChromium } from '../support/browser.ts'
import { click, clipboard, closed, heading, problemsOf, startDashboard } from '../support/dashboard.ts'
import { createSeller, listed, reportSale } from '../support/factories.ts'
import { addMember } from '../support/people.ts'

describe.skipIf(!hasChromium)('the settings of a program', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  const { test, visit, olga } = await startDashboard()

  it('a German program takes and shows amounts with a comma', async () => {
    const program = await test.createProgram({ currency: 'eur' })
    await olga.graphql(program.id)(
      'mutation ($id: ID!) { updateProgram(input: { id: $id, locale: "de-DE" }) { program { id } } }',
      { id: program.id },
    )
    const terms = { commission_percent: 12.5, minimum_payout_cents: 123_450, days_before_commissions_are_due: 0 }
    const seller = await createSeller(program, { name: 'Partner', commission_currency: 'eur', ...terms })
    await reportSale(program, { coupon: seller.coupon, amount_cents: 1_000_000, external_id: 'inv-1', currency: 'eur' })
    const { page, go } = await visit(`/${program.slug}/campaigns/${seller.campaign.id}`, { as: olga })
    expect(await page.getByLabel('Percentage').inputValue()).toBe('12,5')
    expect(await page.getByLabel('Smallest payout').inputValue()).toBe('1234,50')
    await page.getByLabel('Percentage').fill('12,75')
    await page.getByLabel('Smallest payout').fill('12.50')
    await click(page, 'Save')
    await page.getByText('Enter an amount in EUR, such as 1.234,50.').waitFor()
    await page.getByLabel('Smallest payout').fill('2.000,50')
    await click(page, 'Save')
    await page.getByRole('alertdialog').getByText('1.234,50 → 2.000,50').waitFor()
    await click(page, 'Save changes')
    await page.getByText('Saved.').waitFor()
    expect((await program.get(`/campaigns/${seller.campaign.id}`)).body).toMatchObject({
      commission_percent: 12.75,
      minimum_payout_cents: 200_050,
    })

    await go(`/${program.slug}/sales`)
    await page.getByRole('link', { name: 'inv-1' }).click()
    await click(page, 'Refund …')
    await page.getByLabel('A part').check()
    await page.getByLabel('Amount (EUR)').fill('1.234,5')
    await click(page, 'Refund 1.234,50 €')
    await closed(page)
    expect((await listed(program, '/commissions'))[0].amount).toBe(109_569)

    await go(`/${program.slug}/commissions`)
    await page.getByRole('cell', { name: '1.095,69 €' }).waitFor()
    await page.locator('tbody a.opens').first().click()
    await click(page, 'Actions')
    await page.getByRole('menuitem', { name: 'Change amount' }).click()
    expect(await page.getByLabel('New amount (EUR)').inputValue()).toBe('1095,69')
    await page.getByLabel('New amount (EUR)').fill('1.000,01')
    await page.getByRole('dialog').getByRole('button', { name: 'Change amount' }).click()
    await closed(page)
    expect((await listed(program, '/commissions'))[0].amount).toBe(100_001)
  })

  it('an owner sets how payouts are made', async () => {
    const program = await test.createProgram({ currency: 'eur' })
    const { page } = await visit(`/${program.slug}/settings`, { as: olga })
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Payouts' }).click()
    await page.waitForURL(`**/${program.slug}/settings/payouts`)
    const card = page.getByRole('region', { name: 'Payouts' })
    await card.getByLabel('Default payout method').selectOption('SEPA credit transfer')
    await card.getByLabel('A second person approves runs above (EUR)').fill('ten')
    await card.getByLabel('IBAN of your bank account').fill('DE89 3704 0044 0532 0130 01')
    await click(page, 'Save payout settings')
    await card.getByText('Enter an amount in EUR').waitFor()
    await card.getByLabel('A second person approves runs above (EUR)').fill('1,500')
    await click(page, 'Save payout settings')
    await card.getByText('is not a valid IBAN').waitFor()
    await card.getByLabel('IBAN of your bank account').fill('DE89 3704 0044 0532 0130 00')
    await card.getByLabel('Decimal mark in files').selectOption('COMMA')
    await click(page, 'Save payout settings')
    await page.getByText('Saved.').waitFor()
    expect(await problemsOf(page)).toEqual([])
    const text =
      '{ program { defaultPayoutMethod payoutApprovalAboveCents debtorIban payoutFileDecimalMark payoutHoldHours } }'
    expect((await program.graphql(text)).program).toEqual({
      defaultPayoutMethod: 'SEPA',
      payoutApprovalAboveCents: 150_000,
      debtorIban: 'DE89370400440532013000',
      payoutFileDecimalMark: 'COMMA',
      payoutHoldHours: 24,
    })
  })

  it('a campaign gets a smallest payout of its own for another currency', async () => {
    const program = await test.createProgram()
    const { campaign } = await createSeller(program, { name: 'Abroad' })
    const { page } = await visit(`/${program.slug}/campaigns/${campaign.id}`, { as: olga })
    await click(page, 'Add a currency')
    await page.getByLabel('Smallest payout in EUR').fill('75.5')
    await click(page, 'Save')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Saved.').waitFor()
    const { campaign: saved } = await program.graphql(
      `{ campaign(id: "${campaign.id}") { minimumPayouts { currency amountCents } } }`,
    )
    expect(saved.minimumPayouts).toEqual([{ currency: 'eur', amountCents: 7_550 }])
  })

  it('an operator makes a sandbox, with a currency and a locale from lists, and an address without https', async () => {
    const { page } = await visit('/programs', { as: olga, viewport: { width: 390, height: 844 } })
    await click(page, 'Create program')
    const dialog = page.getByRole('dialog', { name: 'Create program' })
    await dialog.getByLabel('Name').fill('Sand')
    await dialog.getByLabel('Website').fill('sand.test/shop')
    await dialog.getByLabel('Website').press('Tab')
    expect(await dialog.getByLabel('Website').inputValue()).toBe('https://sand.test/shop')
    await dialog.getByLabel('Currency').selectOption('JPY – Japanese Yen')
    await dialog.getByLabel('Locale').selectOption('Japanese (Japan) – ja-JP')
    await dialog.getByLabel('Kind').selectOption('Sandbox')
    expect(await problemsOf(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Create program' }).click()
    await heading(page, 'First steps')
    await page.goto(page.url().replace(/start$/, 'settings'))
    await heading(page, 'Settings')
    await page.getByRole('region', { name: 'Sandbox clock' }).waitFor()
    expect(await page.getByLabel('Website').inputValue()).toBe('https://sand.test/shop')
    expect(await page.getByLabel('Currency', { exact: true }).inputValue()).toBe('JPY')
    expect(await page.getByLabel('Locale').inputValue()).toBe('ja-JP')
  })

  it('the history has the words of the forms, and is filtered by person and day in the address', async () => {
    const program = await test.createProgram({ currency: 'eur' })
    const client = olga.graphql(program.id)
    await client('mutation ($id: ID!) { updateProgram(input: { id: $id, locale: "de-DE" }) { program { id } } }', {
      id: program.id,
    })
    const { campaign } = await createSeller(program, { name: 'Fixed', commission_currency: 'eur' })
    await client('mutation ($input: UpdateCampaignInput!) { updateCampaign(input: $input) { campaign { id } } }', {
      input: { id: campaign.id, rewardType: 'AMOUNT', commissionAmountCents: 123_450, selfReferrals: 'REJECT' },
    })
    const { page } = await visit(`/${program.slug}/settings/history`, { as: olga })
    await page.getByLabel('Who').selectOption({ label: 'Olga Operator' })
    const changed = page.getByRole('row', { name: /Campaign changed/ })
    await changed.getByText('Changes').click()
    await changed.getByText('Amount: 1.234,50 €').waitFor()
    await changed.getByText('Sales to oneself: Wait for your approval → Earn nothing').waitFor()
    await page.getByText('API key created').waitFor({ state: 'detached' })
    expect(new URL(page.url()).searchParams.get('who')).toMatch(/^person-/)

    await page.getByLabel('From').fill('2020-01-01')
    await page.getByLabel('To', { exact: true }).fill('2020-01-02')
    await page.getByText('No match').waitFor()
    await page.reload()
    await page.getByText('No match').waitFor()
    expect(await page.getByLabel('From').inputValue()).toBe('2020-01-01')
    expect(await problemsOf(page)).toEqual([])
    await click(page, 'Clear filters')
    await page
      .getByRole('row', { name: /Campaign created/ })
      .first()
      .waitFor()
  })

  it('shows an operator how far an import is, while it runs', async () => {
    const old = await beginImport(test)
    const { slug } = (await olga.graphql(old.programId)('{ program { slug } }')).program
    const { page } = await visit(`/${slug}/settings/imports`, { as: olga })
    const imports = page.getByRole('region', { name: 'Imports' })
    await imports.getByText('0 of 7 kinds of records are done. Next: campaigns, page 1.').waitFor()
    const progress = imports.getByRole('progressbar', { name: `Progress of the import from ${source}` })
    expect(await progress.getAttribute('value')).toBe('0')
    expect(await problemsOf(page)).toEqual([])
    await old.take('CAMPAIGN', [campaign()])
    await imports.getByText('1 of 7 kinds of records are done. Next: affiliates, page 1.').waitFor()
    for (const kind of ['AFFILIATE', 'AFFILIATE_LINK', 'AFFILIATE_COUPON', 'REFERRAL', 'PAYOUT', 'COMMISSION'])
      await old.take(kind, [])
    await old.finish()
    await imports.getByText('Finished').waitFor()
    await progress.waitFor({ state: 'detached' })
  })

  it('an owner invites a person on a phone, sees the invitation, and revokes it', async () => {
    const program = await test.createProgram()
    const owner = await addMember(test, olga, program.id, { email: 'owner@acme.test', role: 'OWNER' })
    const { page } = await visit(`/${program.slug}/settings/people`, {
      as: owner,
      viewport: { width: 360, height: 800 },
    })
    await click(page, 'Invite a person')
    const dialog = page.locator('[role=dialog]:not(.toast)')
    await dialog.getByLabel('E-mail').fill('ines@acme.test')
    await dialog.getByLabel('Role').selectOption('Analyst')
    await dialog.getByText('Reads everything except people, API keys and tax profiles, and changes nothing.').waitFor()
    expect(await problemsOf(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Create the link' }).click()
    await dialog.getByRole('button', { name: 'Copy the invitation link' }).click()
    await dialog.getByText('Copied.').waitFor()
    const link = await clipboard(page)
    await click(page, 'Done')
    await page.getByRole('row', { name: /ines@acme\.test/ }).waitFor()
    await click(page, 'Revoke ines@acme.test')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('row', { name: /ines@acme\.test/ }).waitFor({ state: 'detached' })
    const guest = await visit(link)
    await heading(guest.page, 'This invitation cannot be used')
  })
})

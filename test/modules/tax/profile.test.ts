import { beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, type GraphQLClient, graphqlClient, type TestProgram } from '../../support/app.ts'
import { createAffiliate } from '../../support/factories.ts'
import { earner, runsOf } from '../../support/payout-runs.ts'
import { addMember, setUpOperator } from '../../support/people.ts'
import { clientOf } from '../access/affiliate-tokens/story.ts'

const test = await createTestApp()
const olga = await setUpOperator(test)

let program: TestProgram
let ada: Awaited<ReturnType<typeof earner>>
let own: GraphQLClient

beforeEach(async () => {
  program = await test.createProgram({ isSandbox: true })
  ada = await earner(program, { wallet_a_email: 'ada@a.test', first_name: 'Ada' })
  own = await clientOf(test, program, ada.affiliate.id)
})

const german = {
  country: 'de',
  recipientType: 'BUSINESS',
  legalName: 'Ada GmbH',
  street: 'Hauptstr. 5',
  postalCode: '10115',
  city: 'Berlin',
  vatId: 'de 136 695 976',
  taxId: '12/345/67890',
  signedName: 'Ada Lovelace',
}

const profileFields = `number country recipientType legalName street postalCode city vatId isSmallBusiness maskedTaxId maskedUsTaxId form
  formRevision formFields formLines { line label value } certification signedName signedAt expiresAt`

const sign = async (input: object) =>
  (
    await own(
      `mutation ($input: SignTaxProfileInput!) { signTaxProfile(input: $input) { affiliate { taxProfile { ${profileFields} } } } }`,
      { input },
    )
  ).signTaxProfile.affiliate.taxProfile

const problemsOf = (input: object) =>
  sign(input).then(
    () => [],
    (error: any) => error.errors[0].extensions.problems.map(({ field, message }: any) => [field, message]),
  )

const setTax = (input: object) =>
  program.graphql(
    'mutation ($input: UpdateTaxSettingsInput!) { updateTaxSettings(input: $input) { taxSettings { payerCountry } } }',
    {
      input,
    },
  )

const payUsd = { method: 'PAYPAL' }

describe('a profile for a payer outside the United States', () => {
  it('has name, address and numbers, signed by name and time', async () => {
    const { taxId: _, ...shown } = german
    expect(await sign(german)).toMatchObject({
      ...shown,
      country: 'DE',
      number: 1,
      vatId: 'DE136695976',
      maskedTaxId: '•••7890',
      maskedUsTaxId: null,
      form: null,
      formFields: {},
      formLines: [],
      certification: null,
      signedAt: test.clock.now.toISOString(),
      expiresAt: null,
    })
  })

  it('is refused with every problem, and a VAT id by its check digit', async () => {
    expect(await problemsOf({ ...german, vatId: 'DE136695975', signedName: ' ', country: 'XX' })).toEqual([
      ['country', 'Country must be a country as two letters of ISO 3166, such as DE'],
      ['signedName', "Signed name can't be blank"],
    ])
    expect(await problemsOf({ ...german, vatId: 'DE136695975' })).toEqual([
      ['vatId', expect.stringContaining('Vat id is not a VAT id')],
    ])
    expect(await problemsOf({ ...german, form: { classification: 'individual' } })).toEqual([
      ['form', 'Form is not needed: the payer is not in the United States'],
    ])
  })

  it.each([
    ['AT', 'ATU13585627', 'ATU13585627'],
    ['GR', '094259216', 'EL094259216'],
    ['CH', 'CHE-107.787.577 MWST', 'CHE107787577MWST'],
    ['NO', '995 525 828 MVA', 'NO995525828MVA'],
    ['US', 'GB 980 7806 84', 'GB980780684'],
    ['JP', 't123 4567', 'T1234567'],
  ])('reads the VAT id of %s: %s', async (country, vatId, read) => {
    expect((await sign({ ...german, country, vatId })).vatId).toBe(read)
  })

  it('signed again is another version; an unchanged tax number stays, and the one before is kept', async () => {
    await sign(german)
    const { taxId: _, ...rest } = german
    expect(await sign({ ...rest, street: 'Nebenstr. 1' })).toMatchObject({ number: 2, maskedTaxId: '•••7890' })
    const rows = await test.database.db.taxProfile.findMany({
      where: { programId: program.id },
      orderBy: { number: 'asc' },
    })
    expect(rows.map(({ number, replacedAt, street }) => [number, replacedAt !== null, street])).toEqual([
      [1, true, 'Hauptstr. 5'],
      [2, false, 'Nebenstr. 1'],
    ])
    // Another country has another number.
    expect(await sign({ ...rest, country: 'FR', vatId: null })).toMatchObject({ number: 3, maskedTaxId: null })
  })
})

describe('a profile for a payer in the United States', () => {
  beforeEach(() => setTax({ payerCountry: 'US', payerName: 'Acme Inc.' }))

  const american = { ...german, country: 'US', vatId: null, region: 'CA', taxId: '123-45-6789' }
  const w9 = { classification: 'individual', tinType: 'ssn' }

  it('is a W-9 for a person of the United States', async () => {
    expect(await sign({ ...american, form: w9 })).toMatchObject({
      form: 'W9',
      formRevision: 'March 2024',
      maskedTaxId: '•••6789',
      expiresAt: null,
      formLines: [
        { line: '3a', label: 'Federal tax classification', value: 'Individual/sole proprietor' },
        { line: 'Part I', label: 'Taxpayer Identification Number (TIN)', value: 'Social security number' },
      ],
      certification: expect.stringContaining('Under penalties of perjury'),
    })
    expect(await problemsOf({ ...american, taxId: '12345', form: { tinType: 'ssn', color: 'red' } })).toEqual([
      ['form.classification', "Classification can't be blank"],
      ['form', expect.stringContaining('Form W-9 has no field "color". Its fields are businessName,')],
      ['taxId', 'Tax id must have nine digits on a W-9'],
    ])
  })

  it('is a W-8BEN for another person, until the end of the third year after it', async () => {
    const person = { ...german, recipientType: 'PERSON', usTaxId: '900-70-0000' }
    const form = {
      citizenship: 'de',
      birthDate: '1965-12-10',
      treatyCountry: 'DE',
      treatyPercent: '0',
      treatyArticle: '12',
    }
    expect(await sign({ ...person, form })).toMatchObject({
      form: 'W8BEN',
      maskedUsTaxId: '•••0000',
      expiresAt: '2030-01-01T00:00:00.000Z',
      formFields: { citizenship: 'DE', treatyPercent: 0 },
    })
    expect(
      await problemsOf({
        ...person,
        taxId: null,
        country: 'AT',
        vatId: null,
        form: { ...form, birthDate: '1965-02-30' },
      }),
    ).toEqual([
      ['form.birthDate', 'Birth date must be a date, such as 1990-12-31'],
      ['taxId', "Tax id can't be blank on a Form W-8BEN"],
    ])
    const without = { ...person, taxId: null, country: 'AT', vatId: null, form: { ...form, hasNoForeignTaxId: true } }
    expect(await sign(without)).toMatchObject({ maskedTaxId: null })
  })

  it('is a W-8BEN-E for a company, and a W-9 for a citizen who lives abroad', async () => {
    const form = { incorporationCountry: 'DE', chapter3Status: 'corporation', chapter4Status: 'active_nffe' }
    expect(await sign({ ...german, form })).toMatchObject({ form: 'W8BEN_E' })
    // The number of Germany is not that of the United States.
    const unnumbered = { ...german, taxId: null, isUsPerson: true, form: w9 }
    expect(await problemsOf(unnumbered)).toEqual([['taxId', "Tax id can't be blank on a Form W-9"]])
    expect(await sign({ ...german, taxId: '123456789', isUsPerson: true, form: w9 })).toMatchObject({ form: 'W9' })
  })
})

describe('payouts of a program that needs profiles', () => {
  it('wait until the affiliate has signed, in runs, files, the preview, and payments by hand', async () => {
    await setTax({ needsProfileForPayouts: true })
    await expect(runsOf(program).create(payUsd)).rejects.toMatchObject({
      errors: [{ message: expect.stringContaining('1 TAX_PROFILE_MISSING') }],
    })
    const { payoutPreview } = await program.graphql('{ payoutPreview { nodes { reason } } }')
    expect(payoutPreview.nodes).toEqual([{ reason: 'TAX_PROFILE_MISSING' }])
    const paid = await program.post(`/payouts/${ada.payout.id}/pay`, {})
    expect(paid).toMatchObject({ status: 422 })
    expect(JSON.stringify(paid.body)).toContain('waits until the affiliate has signed a tax profile')
    await sign(german)
    expect(await runsOf(program).create(payUsd)).toMatchObject({ payouts: 1, skipped: [] })
  })

  it('wait again when a form has expired, or the payer moves to the United States', async () => {
    await setTax({ needsProfileForPayouts: true })
    await sign(german)
    await setTax({ payerCountry: 'US' })
    await expect(runsOf(program).create(payUsd)).rejects.toThrow('1 TAX_PROFILE_MISSING')
    const form = { incorporationCountry: 'DE', chapter3Status: 'corporation', chapter4Status: 'active_nffe' }
    await sign({ ...german, form })
    const preview = async () => (await program.graphql('{ payoutPreview { nodes { reason } } }')).payoutPreview.nodes
    expect(await preview()).toEqual([{ reason: null }])
    await test.operator(
      'mutation ($id: ID!) { advanceClock(input: { programId: $id, days: 1500 }) { program { id } } }',
      {
        id: program.id,
      },
    )
    expect(await preview()).toEqual([{ reason: 'TAX_PROFILE_MISSING' }])
  })
})

describe('who sees a tax id', () => {
  it('nobody without a reading that is in the history; analysts see no profile', async () => {
    await sign(german)
    const member = (role: string) =>
      addMember(test, olga, program.slug, { email: `${role}-${program.slug}@example.com`, role })
    const [fiona, anna] = [await member('FINANCE'), await member('ANALYST')]
    const masked = `{ affiliate(id: "${ada.affiliate.id}") { taxProfile { maskedTaxId } } }`
    expect((await fiona.graphql(program.slug)(masked)).affiliate.taxProfile).toEqual({ maskedTaxId: '•••7890' })
    await expect(anna.graphql(program.slug)(masked)).rejects.toThrow('This needs the role of finance')
    const read = 'mutation ($input: ReadTaxIdInput!) { readTaxId(input: $input) { taxId usTaxId } }'
    const input = { affiliateId: ada.affiliate.id, reason: '1099 of 2026' }
    expect((await fiona.graphql(program.slug)(read, { input })).readTaxId).toEqual({
      taxId: '1234567890',
      usTaxId: null,
    })
    await expect(anna.graphql(program.slug)(read, { input })).rejects.toThrow('role of finance')
    await expect(own(read, { input })).rejects.toThrow('affiliate token')
    const { affiliate } = await program.graphql(
      `{ affiliate(id: "${ada.affiliate.id}") { history(first: 10) { nodes { action actor { kind } changes { field to } } } } }`,
    )
    const taxes = affiliate.history.nodes.filter(({ action }: any) => action.startsWith('TAX_'))
    expect(taxes.sort((a: any, b: any) => a.action.localeCompare(b.action))).toEqual([
      { action: 'TAX_ID_READ', actor: { kind: 'PERSON' }, changes: [{ field: 'taxIdReason', to: '1099 of 2026' }] },
      { action: 'TAX_PROFILE_SIGNED', actor: { kind: 'AFFILIATE' }, changes: [] },
    ])
    const [row] = await test.database.db.taxProfile.findMany({ where: { programId: program.id } })
    expect(JSON.stringify(row)).not.toContain('1234567890')
  })

  it('no affiliate of another program, and not another affiliate', async () => {
    await sign(german)
    const bob = await createAffiliate(program, { email: 'bob@example.com' })
    const his = await clientOf(test, program, bob.id)
    expect(
      (await his('{ me { taxProfile { legalName } program { taxSettings { needsProfileForPayouts } } } }')).me,
    ).toEqual({
      taxProfile: null,
      program: { taxSettings: { needsProfileForPayouts: false } },
    })
    await expect(his('{ me { program { taxSettings { payerTaxId } } } }')).rejects.toThrow('cannot read')
    const other = await test.createProgram()
    const client = graphqlClient(test.app.fetch, { Authorization: `Bearer ${other.secret}` })
    const input = { affiliateId: ada.affiliate.id, reason: 'x' }
    await expect(
      client('mutation ($input: ReadTaxIdInput!) { readTaxId(input: $input) { taxId } }', { input }),
    ).rejects.toThrow('not found')
  })
})

it('erasing the person removes all versions; the export of the person has them without numbers', async () => {
  await sign(german)
  await sign({ ...german, city: 'Bonn' })
  const email = ada.affiliate.email
  const exported = await program.graphql('query ($email: EmailAddress!) { exportPerson(email: $email) { json } }', {
    email,
  })
  const { tax_profiles } = JSON.parse(exported.exportPerson.json)
  expect(tax_profiles).toMatchObject([{ city: 'Bonn', tax_id_ending: '7890' }, { city: 'Berlin' }])
  expect(tax_profiles[0]).not.toHaveProperty('tax_id')
  const erase = 'mutation ($input: ErasePersonInput!) { erasePerson(input: $input) { erasedAffiliateId } }'
  await program.graphql(erase, { input: { email, openMoney: 'KEEP' } })
  expect(await test.database.db.taxProfile.count({ where: { programId: program.id } })).toBe(2)
  const erased = `erased-${ada.affiliate.id}@erased.invalid`
  await program.graphql(erase, { input: { email: erased, openMoney: 'GIVE_UP', reason: 'gone' } })
  expect(await test.database.db.taxProfile.count({ where: { programId: program.id } })).toBe(0)
})

it('settings check the VAT id of the payer, and are in the history', async () => {
  await expect(setTax({ payerCountry: 'DE', payerVatId: '136695975' })).rejects.toThrow('not a VAT id')
  await setTax({ payerCountry: 'DE', payerVatId: '136695976', payerName: 'Acme GmbH' })
  const { program: read } = await program.graphql(
    '{ program { taxSettings { payerVatId payerName payerCity needsProfileForPayouts } } }',
  )
  expect(read.taxSettings).toEqual({
    payerVatId: 'DE136695976',
    payerName: 'Acme GmbH',
    payerCity: null,
    needsProfileForPayouts: false,
  })
})

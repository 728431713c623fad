import { beforeEach, describe, expect, it } from 'vitest'
import { reportingOf } from '../../../src/modules/tax/reporting.ts'
import { thresholdOf } from '../../../src/modules/tax/thresholds.ts'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { earner, runsOf } from '../../support/payout-runs.ts'
import { withhold } from '../../support/withholding.ts'
import { clientOf } from '../access/affiliate-tokens/story.ts'

const test = await createTestApp()

let program: TestProgram
let ada: Awaited<ReturnType<typeof earner>>
let bob: Awaited<ReturnType<typeof earner>>

const year = 2026
const totals = async (of = year) =>
  (
    await program.graphql(
      `query ($year: Int!) { taxYear(year: $year) { thresholdCents isThresholdKnown recipients csv
        totals { affiliate { id } currency paidCents reportedByServiceCents payments reporting } } }`,
      { year: of },
    )
  ).taxYear

beforeEach(async () => {
  program = await test.createProgram({ isSandbox: true })
  ada = await earner(program, { wallet_a_email: 'ada@a.test', first_name: 'Ada' })
  bob = await earner(program, { first_name: 'Bob' })
})

const payBoth = async () => {
  const runs = runsOf(program)
  const run = await runs.create({ method: 'PAYPAL' })
  await runs.markPaid(run.id)
  const paid = await program.post(`/payouts/${bob.payout.id}/pay`, {})
  expect(paid.status).toBe(200)
  return run
}

/** Signs the tax profile of a person in the United States. */
async function signW9(affiliateId: string, legalName: string, signedName: string): Promise<void> {
  const own = await clientOf(test, program, affiliateId)
  const input = {
    country: 'US',
    recipientType: 'PERSON',
    legalName,
    street: '1 Main St',
    city: 'Austin',
    region: 'TX',
    taxId: '123-45-6789',
    form: { classification: 'individual', tinType: 'ssn' },
    signedName,
  }
  await own('mutation ($input: SignTaxProfileInput!) { signTaxProfile(input: $input) { affiliate { id } } }', { input })
}

it('are split by who reports them: a network, or the program', async () => {
  await payBoth()
  const { totals: found, recipients, thresholdCents } = await totals()
  expect({ recipients, thresholdCents }).toEqual({ recipients: 2, thresholdCents: 200_000 })
  const of = (id: string) => found.find(({ affiliate }: any) => affiliate.id === id)
  const [toAda, toBob] = [ada.payout.amount, bob.payout.amount]
  const shared = { currency: 'usd', payments: 1, reporting: null }
  expect(of(ada.affiliate.id)).toMatchObject({ ...shared, paidCents: 0, reportedByServiceCents: toAda })
  expect(of(bob.affiliate.id)).toMatchObject({ ...shared, paidCents: toBob, reportedByServiceCents: 0 })
  expect(await totals(2025)).toMatchObject({ recipients: 0, totals: [], thresholdCents: 60_000 })
  expect(await totals(2027)).toMatchObject({ isThresholdKnown: false })
})

it('have what was withheld beside what was paid, by who paid, and the threshold counts both', async () => {
  await withhold(program, 1_500)
  await payBoth()
  const [toAda, toBob] = [ada.payout.amount, bob.payout.amount]
  const answer = await program.graphql(
    `{ taxYear(year: ${year}) { csv totals { affiliateId paidCents reportedByServiceCents withheldCents withheldBesideServiceCents
      withheld { amountCents } withheldBesideService { amountCents } } } }`,
  )
  const none = { paidCents: 0, reportedByServiceCents: 0, withheldCents: 0, withheldBesideServiceCents: 0 }
  const [atAda, atBob] = [toAda * 0.15, toBob * 0.15]
  expect(answer.taxYear.totals).toMatchObject([
    {
      ...none,
      affiliateId: ada.affiliate.id,
      reportedByServiceCents: toAda - atAda,
      withheldBesideServiceCents: atAda,
    },
    { ...none, affiliateId: bob.affiliate.id, paidCents: toBob - atBob, withheldCents: atBob },
  ])
  const [header, ofAda, ofBob] = answer.taxYear.csv.split('\r\n').map((line: string) => line.split(','))
  const [byProgram, besideService] = ['withheld_by_program', 'withheld_beside_service'].map((name) =>
    header.indexOf(name),
  )
  expect([ofAda, ofBob].map((line) => [line[byProgram], line[besideService]])).toEqual([
    ['0.00', '1.50'],
    ['1.50', '0.00'],
  ])
})

it('of reporting compare what was paid and withheld with the threshold', async () => {
  await withhold(program, 5_000)
  await program.graphql(
    'mutation { updateTaxSettings(input: { payerCountry: "US" }) { taxSettings { payerCountry } } }',
  )
  const carl = await earner(program, {}, { amount_cents: 3_000_000 })
  await signW9(carl.affiliate.id, 'Carl Moss', 'Carl Moss')
  expect((await program.post(`/payouts/${carl.payout.id}/pay`, {})).status).toBe(200)
  expect((await totals()).totals).toMatchObject([{ paidCents: 150_000, reporting: 'FORM_1099_NEC' }])
})

it('of reporting are the form if tax was withheld of little, also beside what a service reports', async () => {
  await withhold(program, 2_400)
  await program.graphql(
    'mutation { updateTaxSettings(input: { payerCountry: "US" }) { taxSettings { payerCountry } } }',
  )
  for (const { affiliate } of [ada, bob]) await signW9(affiliate.id, 'Ada Moss', 'Ada Moss')
  await payBoth()
  const { totals: found } = await totals()
  expect(found.map(({ reporting }: any) => reporting)).toEqual(['FORM_1099_NEC', 'FORM_1099_NEC'])
})

it('leave out what came back', async () => {
  const run = await payBoth()
  await runsOf(program).record(run.id, [{ payoutId: ada.payout.id, state: 'RETURNED' }])
  expect((await totals()).totals).toMatchObject([{ affiliate: { id: bob.affiliate.id } }])
})

it('are a file with masked tax ids, and by exportTaxTotals one with full ids, whose readings are recorded', async () => {
  await program.graphql(
    'mutation { updateTaxSettings(input: { payerCountry: "US" }) { taxSettings { payerCountry } } }',
  )
  await signW9(bob.affiliate.id, '=Bob Moss', 'Bob Moss')
  await payBoth()
  const { csv } = await totals()
  const [header, ...lines] = csv.trim().split('\r\n')
  expect(header).toContain('affiliate_id,email,legal_name')
  const line = lines.find((one: string) => one.includes(bob.affiliate.id))
  expect(line).toContain(`'=Bob Moss`)
  expect(line).toContain('•••6789')
  expect(line).toMatch(/below_threshold$/)
  expect(lines.find((one: string) => one.includes(ada.affiliate.id))).toMatch(/no_form$/)
  const exported = await program.graphql(
    'mutation { exportTaxTotals(input: { year: 2026, reason: "1099" }) { csv fileName } }',
  )
  expect(exported.exportTaxTotals.fileName).toBe('tax-totals-2026.csv')
  expect(exported.exportTaxTotals.csv).toContain('123456789')
  const { affiliate } = await program.graphql(
    `{ affiliate(id: "${bob.affiliate.id}") { history(first: 20) { nodes { action changes { to } } } } }`,
  )
  expect(affiliate.history.nodes).toContainEqual({ action: 'TAX_ID_READ', changes: [{ to: '1099' }] })
})

describe('what a payer in the United States reports', () => {
  const individual = { form: 'w9', classification: 'individual' } as const
  it.each([
    [2025, 59_999n, 'below_threshold'],
    [2025, 60_000n, 'form_1099_nec'],
    [2026, 199_999n, 'below_threshold'],
    [2026, 200_000n, 'form_1099_nec'],
  ] as const)('in %i, of %i cents: %s', (of, cents, reporting) => {
    expect(reportingOf(cents, individual, of)).toBe(reporting)
  })

  it('is the form whatever the amount if tax was withheld', () => {
    expect(reportingOf(500n, individual, 2026, 120n)).toBe('form_1099_nec')
    expect(reportingOf(500n, { form: 'w9', classification: 'c_corporation' }, 2026, 120n)).toBe('form_1099_nec')
    expect(reportingOf(500n, { form: 'w8ben', classification: null }, 2026, 120n)).toBe('foreign')
  })

  it('is nothing of corporations, foreign payees, and those without a form', () => {
    expect(reportingOf(900_000n, { form: 'w9', classification: 'llc_s' }, 2026)).toBe('corporation')
    expect(reportingOf(900_000n, { form: 'w8ben', classification: null }, 2026)).toBe('foreign')
    expect(reportingOf(900_000n, undefined, 2026)).toBe('no_form')
    expect(thresholdOf(2025)).toBe(60_000n)
  })
})

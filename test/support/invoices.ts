import type { Db } from '../../src/kernel/db.ts'
import { mintId } from '../../src/kernel/ids.ts'
import { graphqlClient, type TestApp, type TestProgram } from './app.ts'
import { createSeller } from './factories.ts'

export const acme = {
  payerCountry: 'DE',
  payerName: 'Acme GmbH',
  payerStreet: 'Hauptstr. 1',
  payerPostalCode: '10115',
  payerCity: 'Berlin',
  payerVatId: 'DE136695976',
}

export const german = {
  country: 'DE',
  recipientType: 'BUSINESS',
  legalName: 'Ada Lovelace GmbH',
  street: 'Nebenstr. 5',
  postalCode: '20095',
  city: 'Hamburg',
  vatId: 'DE129273398',
  signedName: 'Ada Lovelace',
}

export const invoiceFields = `id number kind year month issuedOn currency netCents vatCents grossCents vatTreatment vatBasisPoints
  net { amountCents currency } vat { formatted } gross { formatted } supplier { name street postalCode city country vatId } buyer { name vatId country }
  lines { kind text count amountCents } notes agreementVersion correctsId corrects { number } isCancellation isCancelled reason affiliateId
  statementId vatCommissionId`

export type ReadInvoice = Record<string, any> & { id: string; number: string; kind: string }

/** The company of a program, and a text of self-billing. */
export async function setUpInvoices(program: TestProgram, settings: object = {}, company: object = acme) {
  await program.graphql(
    'mutation ($tax: UpdateTaxSettingsInput!, $settings: UpdateInvoiceSettingsInput!) { updateTaxSettings(input: $tax) { taxSettings { payerName } } updateInvoiceSettings(input: $settings) { invoiceSettings { numberPrefix } } publishSelfBilling(input: { text: "Acme writes the invoices." }) { version } }',
    { tax: company, settings },
  )
}

type Own = (query: string, variables?: Record<string, unknown>) => Promise<any>

/** The client of an affiliate, with a new token for each request: tests move the clock by months. */
export const ownClient =
  (test: TestApp, program: TestProgram, id: string): Own =>
  async (query, variables) => {
    const { createAffiliateToken } = await program.graphql(
      'mutation ($id: ID!) { createAffiliateToken(input: { affiliateId: $id }) { token } }',
      { id },
    )
    return graphqlClient(test.app.fetch, { Authorization: `Bearer ${createAffiliateToken.token}` })(query, variables)
  }

export const accept = (own: Own, version = 1) =>
  own(
    'mutation ($version: Int!) { acceptSelfBilling(input: { version: $version, signedName: "Ada Lovelace" }) { affiliate { selfBilling { version isAgreed agreedAt signedName agreedVersion } } } }',
    { version },
  )

export const sign = (own: Own, input: object = german) =>
  own('mutation ($input: SignTaxProfileInput!) { signTaxProfile(input: $input) { affiliate { id } } }', { input })

/** An affiliate who has agreed, and has signed a profile. */
export async function agreedSeller(test: TestApp, program: TestProgram, profile: object = german) {
  const seller = await createSeller(program, { days_before_commissions_are_due: 0 })
  const own = ownClient(test, program, seller.affiliate.id)
  await accept(own)
  await sign(own, profile)
  return { ...seller, own }
}

export async function createInvoices(
  program: Pick<TestProgram, 'graphql'>,
  month: string,
  affiliateId?: string,
): Promise<{ invoices: ReadInvoice[]; missing: any }> {
  const query = `mutation ($input: CreateInvoicesInput!) { createInvoices(input: $input) {
    invoices { ${invoiceFields} } missing { readyCount waitingCount waiting { reason affiliateId } } } }`
  return (await program.graphql(query, { input: { month, affiliateId } })).createInvoices
}

export const cancel = async (program: TestProgram, id: string, reason = 'Wrong address'): Promise<ReadInvoice> =>
  (
    await program.graphql(
      `mutation ($input: CancelInvoiceInput!) { cancelInvoice(input: $input) { creditNote { ${invoiceFields} } } }`,
      { input: { id, reason } },
    )
  ).cancelInvoice.creditNote

/** Writes an invoice that nobody was asked about. Returns its id. */
export async function createInvoice(
  db: Db,
  programId: string,
  { id: statementId, affiliateId, month }: { id: string; affiliateId: string; month: string },
  { place, createdAt }: { place: number; createdAt: Date },
): Promise<string> {
  const numbered = { year: 2020, place, number: `2020-${place}`, month, issuedOn: '2020-02-05' }
  const sums = { currency: 'usd', netCents: 100n, vatCents: 0n, grossCents: 100n }
  const taxed = { vatTreatment: 'no_vat' as const, vatBasisPoints: 0, agreementVersion: 1 }
  const party = { name: 'Ada', street: 'A 1', postalCode: null, city: 'Oslo', region: null, country: 'NO', vatId: null }
  const written = { supplier: party, buyer: { ...party, taxId: null }, lines: [], notes: [] }
  const of = {
    programId,
    id: mintId(createdAt),
    kind: 'invoice' as const,
    edition: 1,
    affiliateId,
    statementId,
    createdAt,
  }
  return (await db.invoice.create({ data: { ...of, ...numbered, ...sums, ...taxed, ...written } })).id
}

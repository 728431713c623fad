import { isObjectType } from 'graphql'
import { describe, expect, it } from 'vitest'
import { publicSchema } from '../../../src/schema/schema.ts'
import { createTestApp } from '../../support/app.ts'
import { rootOperations } from '../../support/operations.ts'
import { addMember, setUpOperator } from '../../support/people.ts'

// Every field of the schema is either in one of these lists, by a deliberate decision, or open to the roles of its kind:
// queries and fields to everybody who is signed in, mutations to managers.

const forOwners = [
  ...['Query.apiKeys', 'Query.invitations', 'Query.members'],
  ...[
    'Mutation.connectPayoutService',
    'Mutation.createApiKey',
    'Mutation.disconnectPayoutService',
    'Mutation.endShadow',
    'Mutation.resumePayoutService',
    'Mutation.revokeApiKey',
    'Mutation.rotatePublishableKey',
    'Mutation.rotateStatementKey',
    'Mutation.undoPayout',
    'Mutation.updateApiKey',
    'Mutation.updatePayoutSchedule',
    'Mutation.updatePayoutService',
  ],
  ...['Mutation.inviteMember', 'Mutation.removeMember', 'Mutation.revokeInvitation', 'Mutation.updateMember'],
]
// Mails hold links that sign in; reading the file of a run is a fact.
const forManagers = ['Mail.html', 'Mail.text', 'Query.testFeedMapping']
// Money that goes out, months, and tax profiles.
const forFinance = [
  ...['Affiliate.taxProfile', 'Affiliate.withholdingBasisPoints', 'PayoutRunFile.content'],
  ...[
    'Mutation.approvePayoutRun',
    'Mutation.cancelPayment',
    'Mutation.cancelPayoutRun',
    'Mutation.closeMonth',
    'Mutation.acceptReconciliation',
  ],
  ...['Query.taxYear', 'Mutation.exportTaxTotals'],
  ...['Invoice.pdf', 'Invoice.supplier', 'Query.missingInvoices', 'Mutation.createInvoices', 'Mutation.cancelInvoice'],
  ...['Mutation.publishSelfBilling', 'Mutation.readInvoicePdf', 'Mutation.updateInvoiceSettings'],
  ...['Mutation.importExchangeRates', 'Mutation.setExchangeRate'],
  ...['Mutation.createPayoutRun', 'Mutation.importPayoutResults', 'Mutation.markPayoutRunPaid'],
  ...['Mutation.markPayoutRunSent', 'Mutation.pausePayoutService', 'Mutation.payPayout', 'Mutation.payPayouts'],
  ...['Mutation.quotePayoutRun', 'Mutation.readTaxId', 'Mutation.recordPayoutResults', 'Mutation.refreshPayoutRun'],
  ...['Mutation.sendPayoutRun', 'Mutation.setAffiliateWithholding', 'Mutation.updateTaxSettings'],
]
// Only an affiliate has these.
const forAffiliates = [
  ...['Mutation.acceptSelfBilling', 'Mutation.acceptTerms', 'Mutation.archiveMyLink', 'Mutation.createMyLink'],
  ...['Mutation.endMySessions', 'Mutation.signTaxProfile', 'Mutation.updateMe'],
  ...['Mutation.refreshPayoutOnboarding', 'Mutation.startPayoutOnboarding'],
  'Query.me',
]
// What people keep for themselves, and queries that they share.
const forAnalysts = [
  ...['Mutation.deleteSavedQuery', 'Mutation.deleteSavedView'],
  ...['Mutation.saveQuery', 'Mutation.saveView'],
]
const forOperators = [
  ...['Mutation.closeProgram', 'Mutation.openProgram'],
  ...['Query.reportGrants', 'Mutation.grantReports', 'Mutation.revokeReports'],
  ...[
    'Query.doctor',
    'Query.import',
    'Query.imports',
    'Query.installationHistory',
    'Query.installationStatus',
    'Query.programs',
  ],
  ...[
    'Mutation.createEmailChangeLink',
    'Mutation.createPasswordResetLink',
    'Mutation.createProgram',
    'Mutation.createSetUpLink',
    'Mutation.deleteProgram',
  ],
  ...['Mutation.finishImport', 'Mutation.importRecords', 'Mutation.startImport'],
]

const ranks = ['analyst', 'finance', 'manager', 'owner', 'operator'] as const
type Rank = (typeof ranks)[number]

const fields = Object.values(publicSchema.getTypeMap())
  .filter(isObjectType)
  .filter(({ name }) => !name.startsWith('__'))
  .flatMap((type) => Object.values(type.getFields()).map((field) => ({ name: `${type.name}.${field.name}`, field })))

const neededFor = (name: string): Rank =>
  forOperators.includes(name)
    ? 'operator'
    : forOwners.includes(name)
      ? 'owner'
      : forFinance.includes(name)
        ? 'finance'
        : forManagers.includes(name) || (name.startsWith('Mutation.') && !forAnalysts.includes(name))
          ? 'manager'
          : 'analyst'

it('the fields for owners and for operators are exactly those of the lists', () => {
  const marked = (role: Rank) =>
    fields
      .filter(({ field }) => (field.extensions.pothosOptions as { forRole?: Rank } | undefined)?.forRole === role)
      .map(({ name }) => name)
      .sort()
  expect(marked('owner')).toEqual([...forOwners].sort())
  expect(marked('operator')).toEqual([...forOperators].sort())
  expect(marked('manager')).toEqual(forManagers)
  expect(marked('finance')).toEqual([...forFinance].sort())
  expect(marked('analyst')).toEqual(forAnalysts)
})

describe('every field, called directly', () => {
  const refusal = /^(Your role in this program is|Only an operator of this installation can do this)/
  it.each(['analyst', 'finance', 'manager', 'owner'] as const)(
    'is open or closed to the role %s by its rule',
    async (role) => {
      const actor = { kind: 'person', id: 'somebody', name: 'Somebody', isOperator: false, role }
      const closed: string[] = []
      for (const { name, field } of fields) {
        const call = async () =>
          field.resolve?.({}, {}, { actor, namedProgram: { id: 'here' } }, { fieldNodes: [] } as never)
        const error = await call().catch((thrown: Error) => thrown)
        if (error instanceof Error && refusal.test(error.message)) closed.push(name)
      }
      const expected = fields
        .map(({ name }) => name)
        .filter((name) => ranks.indexOf(neededFor(name)) > ranks.indexOf(role))
      expect(closed.sort()).toEqual(expected.sort())
    },
  )
})

describe('every query and mutation, over HTTP', async () => {
  const test = await createTestApp()
  const olga = await setUpOperator(test)
  const { slug } = await test.createProgram()
  const member = (role: string) =>
    addMember(test, olga, slug, { email: `${role}@example.com`, role: role.toUpperCase() })
  const people = {
    analyst: await member('analyst'),
    finance: await member('finance'),
    manager: await member('manager'),
    owner: await member('owner'),
  }

  it.each(['analyst', 'finance', 'manager', 'owner'] as const)(
    'is allowed or refused to the role %s by its rule',
    async (role) => {
      const client = people[role].graphql(slug)
      const refused: string[] = []
      for (const { kind, name, operation } of rootOperations) {
        const error = await client(operation).catch((thrown: Error) => thrown)
        const codes = ((error as { errors?: { extensions?: { code?: string } }[] }).errors ?? []).map(
          ({ extensions }) => extensions?.code,
        )
        if (codes.includes('FORBIDDEN')) refused.push(`${kind === 'query' ? 'Query' : 'Mutation'}.${name}`)
      }
      const needed = rootOperations
        .map(({ kind, name }) => `${kind === 'query' ? 'Query' : 'Mutation'}.${name}`)
        .filter(
          (name) =>
            ranks.indexOf(neededFor(name)) > ranks.indexOf(role) ||
            forAffiliates.includes(name) ||
            // It is the query of the analyst, which only managers and the analyst can delete.
            (name === 'Mutation.deleteSavedQuery' && role === 'finance'),
        )
      expect(refused.sort()).toEqual(needed.sort())
    },
  )

  it('is refused without a program, except for signed-in people', async () => {
    const client = people.owner.graphql()
    const allowed: string[] = []
    for (const { name, operation } of rootOperations) {
      const error = await client(operation).catch((thrown: Error) => thrown)
      if (!(error instanceof Error)) allowed.push(name)
    }
    expect(allowed).toEqual(['viewer'])
  })
})

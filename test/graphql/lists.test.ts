import { getNullableType, isListType } from 'graphql'
import { expect, it } from 'vitest'
import { publicSchema } from '../../src/schema/schema.ts'

/** The lists of `Query` that are no connections, and why they stay short. docs/graphql.md names them. */
const plain: Record<string, string> = {
  affiliateFields: 'At most 50.',
  apiKeys: 'People make them by hand, one for each client.',
  assets: 'At most 500, archived ones included.',
  attention: 'One for each kind of what waits.',
  availablePayoutServices: 'Those that the service knows.',
  branches: 'At most 100.',
  exchangeRates: 'One for each pair of currencies.',
  feedEventsAbout: 'At most 100.',
  historyActors: 'Of the newest entries only.',
  imports: 'At most 100.',
  invitations: 'Those that can be accepted; they end.',
  mailTexts: 'One for each kind and language.',
  members: 'The people of a company.',
  openMonths: 'At most 24.',
  payoutServices: 'At most one of each that the service knows.',
  programs: 'An operator makes them by hand, and chooses from all of them.',
  reportGrants: 'Roles of PostgreSQL.',
  savedQueries: 'At most 200.',
  savedViews: 'Those of one person, at most 50.',
  selfBillingVersions: 'People write them by hand.',
  statementMonths: 'Twelve a year.',
  terms: 'One for each version.',
  testFeedMapping: 'One for each event that is tried.',
}

it('every list of `Query` is a connection, unless it stays short', () => {
  const fields = Object.values(publicSchema.getQueryType()?.getFields() ?? {})
  const lists = fields.filter(({ type }) => isListType(getNullableType(type))).map(({ name }) => name)
  expect(lists.sort()).toEqual(Object.keys(plain).sort())
})

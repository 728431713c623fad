import { GraphQLID } from 'graphql'
import { expect, it, vi } from 'vitest'
import { createTestApp } from '../support/app.ts'
import { subscribe } from '../support/events.ts'
import { createSeller, reportSale } from '../support/factories.ts'

const { app, createProgram } = await createTestApp()
const program = await createProgram()
const { affiliate, coupon } = await createSeller(program)
const variables = { id: affiliate.id }

/** How often the variable is coerced while `run` runs. */
async function coercions(run: () => Promise<unknown>): Promise<number> {
  const parse = vi.spyOn(GraphQLID, 'parseValue')
  await run()
  const calls = parse.mock.calls.filter(([value]) => value === affiliate.id)
  parse.mockRestore()
  return calls.length
}

// A first request of a query is also measured.
it.each([
  ['a query', 'query ($id: ID!) { affiliate(id: $id) { id } }'],
  [
    'a query of which GraphQL executes the introspection',
    'query ($id: ID!) { affiliate(id: $id) { id } __schema { __typename } }',
  ],
  ['a mutation', 'mutation ($id: ID!) { updateAffiliate(input: { id: $id, firstName: "Ann" }) { affiliate { id } } }'],
])('coerces the variables of %s once', async (_, query) => {
  const run = async () => expect(JSON.stringify(await program.graphql(query, variables))).toContain(affiliate.id)
  expect(await coercions(run)).toBe(1)
  expect(await coercions(run)).toBe(1)
})

it('coerces the variables of a subscription once, not for each event', async () => {
  const run = async () => {
    const query = 'subscription ($id: ID!) { commissionChanged(affiliateId: $id) { affiliate { id } } }'
    const events = await subscribe(app.fetch, program, query, { variables })
    for (const sale of ['1', '2']) {
      await reportSale(program, { coupon, external_id: sale })
      expect(await events.next()).toEqual({ data: { commissionChanged: { affiliate: { id: affiliate.id } } } })
    }
    await events.close()
  }
  expect(await coercions(run)).toBe(1)
})

it.each([
  ['a list', 'query ($where: SaleWhere) { sales(first: 9, where: $where) { nodes { externalId } } }'],
  [
    'a list below a record',
    `query ($where: SaleWhere, $id: ID = "${affiliate.id}") { affiliate(id: $id) { sales(first: 9, where: $where) { nodes { externalId } } } }`,
  ],
  [
    'a list in a fragment',
    `query ($where: SaleWhere) { affiliate(id: "${affiliate.id}") { ...Sales } } fragment Sales on Affiliate { sales(first: 9, where: $where) { nodes { externalId } } }`,
  ],
])('uses the variables of each request for the conditions of %s', async (_, query) => {
  for (const externalId of ['1', '2', '1'])
    expect(
      findAll(await program.graphql(query, { where: { externalId: { equals: externalId } } }), 'externalId'),
    ).toEqual([externalId])
})

it('uses the variables of each request for what is included', async () => {
  const query = `query ($id: ID!, $named: Boolean!) { affiliate(id: $id) { id links(first: 1) @include(if: $named) { nodes { token } } } }`
  for (const named of [true, false, true])
    expect('links' in (await program.graphql(query, { ...variables, named })).affiliate).toBe(named)
})

/** All values of a field, however deep. */
const findAll = (value: unknown, name: string): unknown[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, below]) => (key === name ? [below] : findAll(below, name)))
    : []

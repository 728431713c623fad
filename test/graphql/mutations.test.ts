import { describe, expect, it } from 'vitest'
import { publicSchema } from '../../src/schema/schema.ts'
import { adminToken, createTestApp } from '../support/app.ts'
import { createCountedDatabase } from '../support/database.ts'

const mutations = Object.values(publicSchema.getMutationType()?.getFields() ?? {})
const capitalized = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

it.each(mutations)('$name has one input and one payload type, both named after it', ({ name, args, type }) => {
  const taken = args.map((arg) => `${arg.name}: ${arg.type}`)
  expect(taken).toEqual([`input: ${capitalized(name)}Input!`])
  expect(String(type)).toBe(`${capitalized(name)}Payload`)
})

describe('the resource of a payload', async () => {
  const database = await createCountedDatabase()
  const app = await createTestApp({ database })

  it('is read in one query with everything that is selected', async () => {
    const program = await app.createProgram()
    const statementsOf = async (email: string, fields: string) => {
      database.statements.length = 0
      const query = `mutation ($email: EmailAddress!) { createAffiliate(input: { email: $email }) { affiliate ${fields} } }`
      const { createAffiliate } = await program.graphql(query, { email })
      return { affiliate: createAffiliate.affiliate, count: database.statements.length }
    }
    const narrow = await statementsOf('a@example.com', '{ id }')
    const wide = await statementsOf(
      'b@example.com',
      '{ id campaign { name } links { nodes { token url } } coupon { token } }',
    )
    expect(wide.affiliate).toMatchObject({
      campaign: { name: 'Default' },
      links: { nodes: [{ token: 'b' }] },
      coupon: null,
    })
    expect(wide.count).toBe(narrow.count)
  })
})

describe('two fields of one request', async () => {
  const { app, createProgram } = await createTestApp()
  const good =
    'createCampaign(input: { name: "Good", url: "https://acme.test", commissionPercent: 5 }) { campaign { name } }'
  const bad =
    'createCampaign(input: { name: " ", url: "https://acme.test", commissionPercent: 5 }) { campaign { name } }'
  const cases: [string, string, Record<string, string>][] = [
    ['the second fails', `good: ${good} bad: ${bad}`, {}],
    ['the first fails', `bad: ${bad} good: ${good}`, {}],
    ['one fails, with an Idempotency-Key', `good: ${good} bad: ${bad}`, { 'Idempotency-Key': 'two-fields' }],
  ]

  it.each(cases)('the response has what was done, and the error of the other: %s', async (_name, fields, headers) => {
    const { id, secret } = await createProgram()
    const ask = async (authorization: Record<string, string>, query: string) => {
      const init = { method: 'POST', headers: { ...authorization, 'Content-Type': 'application/json' } }
      const request = new Request('http://localhost:4000/graphql', { ...init, body: JSON.stringify({ query }) })
      return (await (await app.fetch(request)).json()) as any
    }
    const { data, errors } = await ask({ Authorization: `Bearer ${secret}`, ...headers }, `mutation { ${fields} }`)
    expect(data).toEqual({ good: { campaign: { name: 'Good' } }, bad: null })
    expect(errors).toMatchObject([{ path: ['bad'], extensions: { code: 'INVALID_INPUT' } }])
    const stored = await ask(
      { Authorization: `Bearer ${adminToken}`, 'X-Program-Id': id },
      '{ campaigns { nodes { name } } }',
    )
    expect(stored.data.campaigns.nodes.map(({ name }: { name: string }) => name).sort()).toEqual(['Default', 'Good'])
  })
})

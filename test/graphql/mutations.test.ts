import { describe, expect, it } from 'vitest'
import { publicSchema } from '../../src/schema/schema.ts'
import { createTestApp } from '../support/app.ts'
import { createCountedDatabase } from '../support/database.ts'

const mutations = Object.values(publicSchema.getMutationType()?.getFields() ?? {})
const capitalized = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

it.each(mutations)('$name has one input and one payload type, both named after it', ({ name, args, type }) => {
  const taken = args.map((arg) => `${arg.name}: ${arg.type}`)
  expect(taken).toEqual([`input: ${capitalized(name)}Input!`])
  expect(String(type)).toBe(`${capitalized(name)}Payload!`)
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

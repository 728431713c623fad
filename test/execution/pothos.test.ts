import { buildSchema, type GraphQLObjectType } from 'graphql'
import { expect, test } from 'vitest'
import { checkPothos, extensionsOf } from '../../src/execution/pothos.ts'
import { publicSchema } from '../../src/schema/schema.ts'

test('Pothos still says which column and which related rows a field shows', () => {
  expect(() => checkPothos(publicSchema)).not.toThrow()
  const fields = (publicSchema.getType('Affiliate') as GraphQLObjectType).getFields()
  const of = (name: string) => extensionsOf(fields[name] ?? {})
  expect(of('email').pothosExposedField).toBe('email')
  expect(of('campaign').pothosPrismaRelationField).toMatchObject({ name: 'campaign', isList: false })
  expect(of('sales').connectedRows).toBe('sales')
})

test('a detail of Pothos that is gone is named, with what to do', () => {
  const check = () => checkPothos(buildSchema('type Query { a: Int }'))
  expect(check).toThrow('@pothos/plugin-prisma no longer has: extensions.pothosExposedField, ')
  expect(check).toThrow('or adapt src/execution/pothos.ts.')
})

import { GraphQLDateTime, GraphQLSafeInt } from 'graphql-scalars'
import { builder } from './builder.ts'

builder.addScalarType('DateTime', GraphQLDateTime)

builder.scalarType('SafeInt', {
  description:
    'An integer that is exact in every language: at most 2^53 - 1 either way. Amounts of money are integers of the minor unit.',
  serialize: (value) => GraphQLSafeInt.serialize(typeof value === 'bigint' ? Number(value) : value),
  parseValue: (value) => GraphQLSafeInt.parseValue(value) as number,
  parseLiteral: (node) => GraphQLSafeInt.parseLiteral(node, {}) as number,
})

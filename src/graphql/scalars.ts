import { GraphQLString } from 'graphql'
import { GraphQLCurrency, GraphQLDateTime, GraphQLEmailAddress, GraphQLSafeInt, GraphQLURL } from 'graphql-scalars'
import { builder } from './builder.ts'

builder.addScalarType('DateTime', GraphQLDateTime)

builder.scalarType('SafeInt', {
  description:
    'An integer that is exact in every language: at most 2^53 - 1 either way. Amounts of money are integers of the minor unit.',
  serialize: (value) => GraphQLSafeInt.serialize(typeof value === 'bigint' ? Number(value) : value),
  parseValue: (value) => GraphQLSafeInt.parseValue(value) as number,
  parseLiteral: (node) => GraphQLSafeInt.parseLiteral(node, {}) as number,
})

/**
 * Texts of a known form: the names and meanings are the library's, which tools know; reading and writing are those of
 * any text. What is wrong with an input is told by its verb, every problem at once and with where it is: a scalar that
 * refused it would tell one alone. And what is stored can always be read, also where the library's pattern is narrower
 * than ours (letters of an e-mail beyond ASCII) or would spell it in another way (a slash at the end of an address).
 */
function textScalar(library: typeof GraphQLURL, description: string): void {
  builder.scalarType(library.name as 'URL', {
    description,
    specifiedByURL: library.specifiedByURL ?? undefined,
    extensions: { codegenScalarType: 'string' },
    serialize: (value) => GraphQLString.serialize(value),
    parseValue: (value) => GraphQLString.parseValue(value),
    parseLiteral: (node) => GraphQLString.parseLiteral(node, {}),
  })
}

textScalar(GraphQLEmailAddress, 'An e-mail address; one that can not be is a problem of the input it is in.')
textScalar(GraphQLURL, 'An absolute http(s) address; one that can not be is a problem of the input it is in.')
textScalar(GraphQLCurrency, 'A currency by its ISO 4217 code, spelled in lower case (`usd`); taken in any case.')

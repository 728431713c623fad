import { GraphQLScalarType, GraphQLString } from 'graphql'
import {
  GraphQLCurrency,
  GraphQLDateTime,
  GraphQLEmailAddress,
  GraphQLJSONObject,
  GraphQLSafeInt,
  GraphQLURL,
} from 'graphql-scalars'
import { instantText } from '../kernel/dates.ts'
import { refused } from '../kernel/errors.ts'
import { builder } from './builder.ts'

const sumTooLarge =
  'The sum is beyond 9007199254740991, the largest number that can be shown exactly. Choose fewer rows.'

builder.addScalarType(
  'DateTime',
  new GraphQLScalarType<Date, Date>({
    ...GraphQLDateTime.toConfig(),
    specifiedByURL: 'https://scalars.graphql.org/andimarek/date-time.html',
    // A text of the library's type: JSON would write the same, but slower.
    serialize: (value) => instantText(GraphQLDateTime.serialize(value) as Date) as unknown as Date,
  }),
)

builder.addScalarType('JSONObject', GraphQLJSONObject)

builder.scalarType('SafeInt', {
  description:
    'An integer from -(2^53 - 1) to 2^53 - 1, which JSON numbers hold exactly. Amounts of money are integers in minor units.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc7493#section-2.2',
  serialize: (value) => {
    // Each stored amount fits, but a sum of them may not.
    if (typeof value === 'bigint' && !Number.isSafeInteger(Number(value))) throw refused(sumTooLarge)
    return GraphQLSafeInt.serialize(typeof value === 'bigint' ? Number(value) : value)
  },
  parseValue: (value) => GraphQLSafeInt.parseValue(value) as number,
  parseLiteral: (node) => GraphQLSafeInt.parseLiteral(node, {}) as number,
})

/**
 * A text scalar with the name and meaning of a graphql-scalars type, but without validation: services report all
 * problems at once, stored values must stay readable (non-ASCII e-mail addresses), and must not be rewritten (a slash
 * at the end of a URL).
 */
function textScalar(library: typeof GraphQLURL, description: string, specifiedByURL = library.specifiedByURL): void {
  builder.scalarType(library.name as 'URL', {
    description,
    specifiedByURL: specifiedByURL ?? undefined,
    extensions: { codegenScalarType: 'string' },
    serialize: (value) => GraphQLString.serialize(value),
    parseValue: (value) => GraphQLString.parseValue(value),
    parseLiteral: (node) => GraphQLString.parseLiteral(node, {}),
  })
}

textScalar(GraphQLEmailAddress, 'An e-mail address. An invalid one is reported as a problem of the input field.')
textScalar(
  GraphQLURL,
  'An absolute http or https URL. An invalid one is reported as a problem of the input field.',
  'https://url.spec.whatwg.org/',
)
textScalar(
  GraphQLCurrency,
  'An ISO 4217 currency code. Output is in lower case (`usd`); input is accepted in any case.',
)

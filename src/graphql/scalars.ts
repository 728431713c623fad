import { GraphQLString } from 'graphql'
import { GraphQLCurrency, GraphQLDateTime, GraphQLEmailAddress, GraphQLSafeInt, GraphQLURL } from 'graphql-scalars'
import type { CommissionStats } from '../affiliates/commission-stats.ts'
import { builder, supersetOnly } from './builder.ts'

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

/** JSON has no exact integers beyond it; no number is better than one that is nearly right. */
const exact = (cents: bigint) =>
  cents <= Number.MAX_SAFE_INTEGER && cents >= Number.MIN_SAFE_INTEGER ? Number(cents) : null

builder.scalarType('CommissionStats', {
  description:
    'By currency (ISO 4217, upper case) `{unpaid, due, paid, total, gross_revenue, net_revenue}`, each `{cents, currency_iso}`: unpaid is pending and due, total is unpaid and paid, net is gross without refunds; void commissions are in none. Cents are null beyond 2^53 - 1.',
  subGraphs: supersetOnly,
  serialize: ({ currencies }: CommissionStats) => ({
    currencies: Object.fromEntries(
      [...currencies].map(([currency, { grossRevenue, netRevenue, ...sums }]) => {
        const iso = currency.toUpperCase()
        const amounts = Object.entries({ ...sums, gross_revenue: grossRevenue, net_revenue: netRevenue })
        return [
          iso,
          Object.fromEntries(amounts.map(([name, cents]) => [name, { cents: exact(cents), currency_iso: iso }])),
        ]
      }),
    ),
  }),
})

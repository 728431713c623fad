/** Queries that are designed to cause much work or long responses. */

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n))
const repeated = (count: number, make: (index: number) => string) => times(count, make).join(' ')

type Hostile = {
  body: { query: string; variables?: object }
  /** The limit that it exceeds. Without a reason, GraphQL's validation rejects it. */
  reason?: string
  /** Whether it can also be rejected as a syntax error. */
  mayParse?: boolean
}

const nestedCommissions = (count: number) =>
  `${'commissions { nodes { payout { '.repeat(count)} id ${'} } } '.repeat(count)}`

export const hostileQueries: Record<string, Hostile> = {
  '100 KB of aliases': { body: { query: `{ ${repeated(5_500, (n) => `a${n}:__typename`)} }` }, reason: 'tokens' },
  '300 aliases': { body: { query: `{ ${repeated(300, (n) => `a${n}:program{id}`)} }` }, reason: 'aliases' },
  'aliases in fragments in fragments': {
    body: {
      query: `{ ...F0 } ${repeated(20, (n) => `fragment F${n} on Query { a${n}: program { id } ...F${n + 1} b${n}: program { id } ...F${n + 1} }`)} fragment F20 on Query { __typename }`,
    },
    reason: 'aliases',
  },
  'fragments that double 80 times': {
    body: {
      query: `{ program { ...F0 } } ${repeated(80, (n) => `fragment F${n} on Program { ...F${n + 1} ... { ...F${n + 1} } }`)} fragment F80 on Program { id }`,
      variables: {},
    },
    reason: 'cost',
  },
  'fragments that contain each other': {
    body: {
      query: `{ program { ...F0 } } ${repeated(200, (n) => `fragment F${n} on Program { ...F${(n + 1) % 200} ...F${(n + 7) % 200} }`)}`,
    },
    reason: 'fragments',
  },
  '10,000 directives': { body: { query: `{ __typename ${'@skip(if: true) '.repeat(10_000)} }` }, reason: 'characters' },
  '300 directives': {
    body: { query: `{ __typename ${'@skip(if: true) '.repeat(300)} }` },
    reason: 'directives',
  },
  'a list of 3,000 values': {
    body: { query: `{ payouts(where: { state: { in: [${'NOPE '.repeat(3_000)}] } }) { nodes { id } } }` },
    reason: 'tokens',
  },
  'a list of 2,900 values': { body: { query: `{ program { id(x: [${'NOPE '.repeat(2_900)}]) } }` } },
  'lists in lists in lists, unclosed': {
    body: { query: `{ program(x: ${'['.repeat(2_900)}` },
    reason: 'depth',
  },
  'conditions in conditions, with mistakes': {
    body: { query: `{ payouts(where: ${'{ and: [{ unknown: 1 }, '.repeat(700)}` },
    reason: 'depth',
  },
  'selections of unknown fields in each other': { body: { query: '{ unknown '.repeat(70) }, reason: 'depth' },
  'lists in lists in lists': {
    body: { query: `{ program(x: ${'['.repeat(1_400)}${']'.repeat(1_400)}) { id } }` },
    reason: 'depth',
  },
  '2,900 unknown fields': { body: { query: `{ ${repeated(2_900, (n) => `aFieldThatNoTypeHas${n}`)} }` } },
  'unknown fields with long names': {
    body: { query: `{ ${repeated(90, (n) => `${'x'.repeat(1_000)}${n}`)} }` },
    reason: 'characters',
  },
  'the same argument 900 times': { body: { query: `{ payouts(${'first: 1 '.repeat(900)}) { nodes { id } } }` } },
  '700 variables': { body: { query: `query (${repeated(700, (n) => `$v${n}: Int`)}) { __typename }` } },
  'the same field 2,900 times': { body: { query: `{ program { ${'id '.repeat(2_900)} } }` } },
  'a comment of 900 KB': { body: { query: `{ __typename } # ${'x'.repeat(900_000)}` }, reason: 'characters' },
  '100,000 comments': { body: { query: `{ __typename } ${'#\n'.repeat(100_000)}` }, reason: 'characters' },
  'a chain of 700 fields': {
    body: { query: `{ payouts(first: 1) { nodes { ${nestedCommissions(230)} } } }` },
    reason: 'depth',
  },
  'a chain in fragments': {
    body: {
      query: `{ payouts(first: 1) { nodes { ...F0 } } } ${repeated(15, (n) => `fragment F${n} on Payout { commissions { nodes { payout { ...F${n + 1} } } } }`)} fragment F15 on Payout { id }`,
    },
    reason: 'depth',
  },
  'lists in lists': {
    body: { query: `{ payouts(first: 100) { nodes { ${nestedCommissions(4)} } } }` },
    reason: 'cost',
  },
  'the schema 50 times': {
    body: { query: `{ ${repeated(50, (n) => `a${n}: __schema { types { fields { args { type { name } } } } }`)} }` },
    reason: 'introspection',
  },
  'the fields of all types 50 times': {
    body: { query: `{ __schema { types { ${repeated(50, (n) => `a${n}: fields { args { type { name } } }`)} } } }` },
    reason: 'introspection',
  },
  'a variable with 2,000 values': {
    body: { query: 'query ($v: [Int!]) { __typename @include(if: $v) }', variables: { v: times(2_000, () => 'x') } },
  },
}

import { CommissionsDocument } from '../../src/generated/portal/graphql.ts'
import { times } from './hostile.ts'

/** Requests below 1 MiB that are made to keep a server busy. */

export type Attack = { path: string; method: string; contentType?: string; body?: string }

const graphqlJson = (body: object | string): Attack => ({
  path: '/graphql',
  method: 'POST',
  contentType: 'application/json',
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
const graphqlForm = (body: string): Attack => ({
  path: '/graphql',
  method: 'POST',
  contentType: 'application/x-www-form-urlencoded',
  body,
})
const rest = (path: string, body: unknown, method = 'POST'): Attack => ({
  path: `/v1${path}`,
  method,
  contentType: 'application/json',
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

const object = (size: number, name: (index: number) => string, value: (index: number) => unknown = () => 1) =>
  Object.fromEntries(times(size, (index) => [name(index), value(index)]))
const unknown = (size: number) => object(size, (index) => `unknown${index}`)
const nested = (open: string, inside: string, close: string, count: number) =>
  `${open.repeat(count)}${inside}${close.repeat(count)}`

/** Values for a variable of conditions on commissions, as JSON. */
const conditions: Record<string, string> = {
  '3,000 unknown keys': JSON.stringify(unknown(3_000)),
  '40,000 unknown keys': JSON.stringify(unknown(40_000)),
  '200 unknown keys with long values': JSON.stringify(
    object(
      200,
      (n) => `k${n}`,
      () => 'x'.repeat(4_000),
    ),
  ),
  '100 unknown keys with long names': JSON.stringify(object(100, (n) => `${'k'.repeat(8_000)}${n}`)),
  'unknown keys in unknown keys': JSON.stringify(
    object(
      190,
      (n) => `a${n}`,
      () => unknown(40),
    ),
  ),
  'unknown keys in the entries of a list': JSON.stringify({ or: times(190, () => unknown(40)) }),
  'unknown keys in nested conditions': nested('{"not":', JSON.stringify(unknown(3_000)), '}', 20),
  'unknown keys on every level': nested(`{${times(190, (n) => `"u${n}":1`).join()},"not":`, '{}', '}', 30),
  'an or of 20,000': JSON.stringify({ or: times(20_000, () => ({})) }),
  'an or of 90,000': JSON.stringify({ or: times(90_000, () => ({})) }),
  'an or of 2,000': JSON.stringify({ or: times(2_000, () => ({ currency: { equals: 'usd' } })) }),
  'lists of 2,000 in a list': JSON.stringify({ or: times(4, () => ({ or: times(1_900, () => ({})) })) }),
  'a list of 300,000 numbers': `{"amountCents":{"in":[${'1,'.repeat(300_000)}1]}}`,
  'a list of 2,000 invalid values': JSON.stringify({ state: { in: times(2_000, (n) => `NOPE${n}`) } }),
  '1,200 levels': nested('{"and":[', '{}', ']}', 1_200),
  '100,000 levels': nested('{"and":[', '{}', ']}', 90_000),
  '500,000 lists in each other': nested('[', '', ']', 500_000),
  '300,000 empty lists': `{"or":[${'[],'.repeat(300_000)}[]]}`,
  'a string of a megabyte': JSON.stringify({ currency: { equals: 'x'.repeat(1_000_000) } }),
  'an enum value of a megabyte': JSON.stringify({ state: { equals: 'x'.repeat(1_000_000) } }),
  'a number of a megabyte': `{"amountCents":{"gt":${'9'.repeat(1_000_000)}}}`,
  'a time of a megabyte': JSON.stringify({ updatedAt: { gt: '1'.repeat(1_000_000) } }),
  'five long enum values': JSON.stringify({ state: { in: times(5, () => 'x'.repeat(200_000)) } }),
  'a string of escapes': `{"currency":{"equals":"${'\\"'.repeat(450_000)}"}}`,
  'a string of backslashes': `{"currency":{"equals":"${'\\\\'.repeat(450_000)}"}}`,
  'a string that does not end': `{"currency":"${'\\"'.repeat(450_000)}`,
}

const byVariables = (query: string): Record<string, Attack> =>
  Object.fromEntries(
    Object.entries(conditions).map(([name, where]) => [
      `variables: ${name}`,
      graphqlJson(`{"query":${JSON.stringify(query)},"variables":{"where":${where}}}`),
    ]),
  )

const query = `${CommissionsDocument}`
const first = { first: 1 }
const otherAttacks: Record<string, Attack> = {
  '60,000 variables': graphqlJson({ query, variables: unknown(60_000) }),
  'a cursor of a megabyte': graphqlJson({ query, variables: { ...first, after: 'x'.repeat(1_000_000) } }),
  'a cursor of lists': graphqlJson({
    query,
    variables: { ...first, after: Buffer.from(nested('[', '', ']', 350_000)).toString('base64url') },
  }),
  'a cursor of many values': graphqlJson({
    query,
    variables: { ...first, after: Buffer.from(`["x"${',1'.repeat(380_000)}]`).toString('base64url') },
  }),
  '60,000 parameters': graphqlJson(unknown(60_000)),
  'a parameter with a long name': graphqlJson({ query, [`${'x'.repeat(900_000)}`]: 1 }),
  'invalid JSON': graphqlJson(`{"query":"${'x'.repeat(1_000_000)}`),
  whitespace: graphqlJson(`{"query":"{ __typename }"${' '.repeat(1_000_000)}}`),
  'large extensions': graphqlJson({ query, extensions: unknown(60_000) }),
  '110,000 form fields': graphqlForm(`query=${encodeURIComponent(query)}&${'a=1&'.repeat(110_000)}`),
  'deep variables in a form': graphqlForm(
    `query=${encodeURIComponent(query)}&variables=${encodeURIComponent(`{"where":${nested('{"and":[', '{}', ']}', 1_200)}}`)}`,
  ),
  'many parts': {
    path: '/graphql',
    method: 'POST',
    contentType: 'multipart/form-data; boundary=x',
    body: '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'.repeat(18_000),
  },
  'deep variables in the address': {
    path: `/graphql?query=${encodeURIComponent(query)}&variables=${encodeURIComponent(`{"where":${nested('{"and":[', '{}', ']}', 700)}}`)}`,
    method: 'GET',
  },
  'a long document': graphqlJson({ query: `{ __typename } # ${'x'.repeat(1_000_000)}` }),
  'a document of 100,000 characters': graphqlJson({ query: `{ __typename } #${'x'.repeat(99_000)}` }),
  'a document with a long string': graphqlJson({ query: `{ affiliate(id: "${'x'.repeat(99_000)}") { id } }` }),
  'a document as text': {
    path: '/graphql',
    method: 'POST',
    contentType: 'application/graphql',
    body: '{'.repeat(900_000),
  },
  'literals with unknown fields': graphqlJson({
    query: `{ commissions(where: { ${times(900, (n) => `unknown${n}: 1`).join(' ')} }) { totalCount } }`,
  }),
  'literals in each other': graphqlJson({
    query: `{ commissions(where: ${nested('{ and: [', '{}', '] }', 550)}) { totalCount } }`,
  }),
  'literals of 700 levels': graphqlJson({
    query: `{ commissions(where: ${nested('{ and: ', '{}', ' }', 700)}) { totalCount } }`,
  }),
  'an order of 700 levels': graphqlJson({
    query: `{ commissions(orderBy: ${nested('[', '{ createdAt: ASC }', ']', 700)}) { totalCount } }`,
  }),
  'fields of 700 levels': graphqlJson({ query: nested('{ program ', '{ id }', ' }', 700) }),
  'a variable of 700 lists': graphqlJson({
    query: `query ($v: ${nested('[', 'ID', ']', 700)}) { commissions(where: { id: { in: $v } }) { totalCount } }`,
  }),
  'the names of all types': graphqlJson({ query: '{ __schema { types { name } } }' }),
  'the names of all types, beside others, by a variable': graphqlJson({
    query: 'query ($all: Boolean = true) { program { id } __schema { types { name @include(if: $all) } } }',
  }),
  'a simulation': graphqlJson({
    query:
      '{ simulateCampaign(input: { rules: { commissionPercent: 12 }, range: { preset: LAST_12_MONTHS } }) { sales } }',
  }),
  'a plan of 200 rules': graphqlJson({
    query: 'query ($rules: [CreateCommissionRuleInput!]!) { planRules(input: { rules: $rules }) { sales } }',
    variables: { rules: times(200, (n) => ({ campaignId: 'x', name: `Rule ${n}`, reward: { percent: 10 } })) },
  }),
  'a slow mapping of no feed': graphqlJson({
    query: '{ testFeedMapping(feedId: "x", mapping: "$match(x, /^(a+)+$/)") { problem } }',
  }),
  'a slow mapping for no feed': graphqlJson({
    query: 'mutation { updateFeed(input: { id: "x", mapping: "$match(x, /^(a+)+$/)" }) { __typename } }',
  }),
  'a replay to no endpoint': graphqlJson({ query: 'mutation { replayEvents(input: { endpointId: "x" }) { count } }' }),
  'a literal list of 2,900': graphqlJson({
    query: `{ commissions(where: { currency: { in: [${'"a" '.repeat(2_900)}] } }) { totalCount } }`,
  }),
  'literal conditions of 900': graphqlJson({
    query: `{ commissions(where: { or: [${'{} '.repeat(1_400)}] }) { totalCount } }`,
  }),
  'a variable 900 times in a literal': graphqlJson({
    query: `query ($v: CommissionWhere!) { commissions(where: { or: [${'$v '.repeat(900)}] }) { totalCount } }`,
    variables: { v: { or: times(1_900, () => ({})) } },
  }),
  'a variable in 50 aliases': graphqlJson({
    query: `query ($v: CommissionWhere!) { ${times(50, (n) => `a${n}: commissions(where: $v) { totalCount }`).join(' ')} }`,
    variables: { v: { or: times(1_900, () => ({})) } },
  }),
  '700 declared variables': graphqlJson({
    query: `query (${times(700, (n) => `$v${n}: CommissionWhere`).join(' ')}) { __typename }`,
    variables: unknown(700),
  }),
  '1 MiB of CSV lines': graphqlJson({
    query: 'mutation ($csv: String!) { importAffiliates(input: { csv: $csv, dryRun: true }) { failed } }',
    variables: { csv: `email\n${'a\n'.repeat(300_000)}` },
  }),
  'empty CSV lines': graphqlJson({
    query: 'mutation ($csv: String!) { importAffiliates(input: { csv: $csv, dryRun: true }) { failed } }',
    variables: { csv: `email\n${'\n'.repeat(500_000)}` },
  }),
  'CSV columns': graphqlJson({
    query: 'mutation ($csv: String!) { importAffiliates(input: { csv: $csv, dryRun: true }) { failed } }',
    variables: { csv: 'a,'.repeat(400_000) },
  }),
  'CSV lines of commas': graphqlJson({
    query: 'mutation ($csv: String!) { importAffiliates(input: { csv: $csv, dryRun: true }) { failed } }',
    variables: { csv: `email\n${`${','.repeat(8_900)}\n`.repeat(100)}` },
  }),
  'a CSV value that does not end': graphqlJson({
    query: 'mutation ($csv: String!) { importAffiliates(input: { csv: $csv, dryRun: true }) { failed } }',
    variables: { csv: `email\n"${'x\n'.repeat(300_000)}` },
  }),
  'a CSV line of a megabyte': graphqlJson({
    query: 'mutation ($csv: String!) { importAffiliates(input: { csv: $csv, dryRun: true }) { failed } }',
    variables: { csv: `email\n${'x'.repeat(1_000_000)}` },
  }),
  '2,000 long CSV lines': graphqlJson({
    query: 'mutation ($csv: String!) { importAffiliates(input: { csv: $csv, dryRun: true }) { failed } }',
    variables: { csv: `email,first_name\n${times(2_000, (n) => `a${n},${'x'.repeat(470)}\n`).join('')}` },
  }),
  '2,000 affiliates at once': graphqlJson({
    query:
      'mutation ($all: [CreateAffiliateInput!]!) { createAffiliates(input: { affiliates: $all }) { affiliates { id } } }',
    variables: { all: times(2_000, (n) => ({ email: `many${n}@example.com` })) },
  }),
  'REST: 60,000 fields': rest('/affiliates', unknown(60_000)),
  'REST: 60,000 fields of an affiliate': rest('/affiliates', { email: 'a@b.co', links: unknown(60_000) }),
  'REST: 500,000 lists in each other': rest('/affiliates', nested('[', '', ']', 500_000)),
  'REST: deep objects': rest('/affiliates', nested('{"email":', '1', '}', 100_000)),
  'REST: a list of 300,000': rest('/affiliates', `{"email":[${'1,'.repeat(300_000)}1]}`),
  'REST: lists for text': rest('/affiliates', { email: times(1_900, () => 'x'.repeat(400)) }),
  'REST: an e-mail of a megabyte': rest('/affiliates', { email: `${'a.'.repeat(300_000)}@${'b.'.repeat(200_000)}` }),
  'REST: an address of a megabyte': rest('/campaigns', { name: 'x', url: `https://${'a.'.repeat(500_000)}` }),
  'REST: texts of a megabyte': rest('/conversions', {
    amount_cents: '9'.repeat(400_000),
    coupon: 'x'.repeat(300_000),
    occurred_at: '2'.repeat(300_000),
  }),
  'REST: a name of spaces': rest('/affiliates', { email: 'a@b.co', first_name: `${' '.repeat(900_000)}x` }),
  'REST: a percentage of zeros': rest('/campaigns', { name: 'x', commission_percent: `1.${'0'.repeat(900_000)}x` }),
  'REST: a field with a long name': rest('/affiliates', { ['_a'.repeat(400_000)]: 1 }),
  'REST: 110,000 form fields': {
    ...rest('/affiliates', times(110_000, (n) => `a${n}=1`).join('&')),
    contentType: 'application/x-www-form-urlencoded',
  },
  'REST: one form field 260,000 times': {
    ...rest('/affiliates', 'a[]=1&'.repeat(170_000)),
    contentType: 'application/x-www-form-urlencoded',
  },
  'REST: brackets in a form': {
    ...rest('/affiliates', `${'['.repeat(900_000)}=1`),
    contentType: 'application/x-www-form-urlencoded',
  },
  'REST: a query of 7,000 fields': { path: `/v1/affiliates?${'a&'.repeat(7_000)}`, method: 'GET' },
  'REST: deep conditions of an export': {
    path: `/v1/exports/affiliates?where=${encodeURIComponent(nested('{"and":[', '{}', ']}', 700))}`,
    method: 'GET',
  },
}

/** By an affiliate. The query is the portal page's own, which is allowed also with persisted operations only. */
export const attacksOfAffiliates: Record<string, Attack> = { ...byVariables(query), ...otherAttacks }

const mutation = (name: string, type: string, input: object) =>
  graphqlJson({
    query: `mutation ($input: ${type}!) { ${name}(input: $input) { __typename } }`,
    variables: { input },
  })
const mapping = (text: string) =>
  mutation('createFeed', 'CreateFeedInput', { kind: 'GENERIC', name: 'A', mapping: text })
const noFeed = '01890a5d-ac96-774b-bcce-b302099a8057'

/** What only keys of a program can do. */
const attacksByWrites: Record<string, Attack> = {
  'createFeed: a mapping of 20,000 parentheses': mapping('('.repeat(20_000)),
  'createFeed: a mapping of 20,000 operators': mapping(`1${'+1'.repeat(9_999)}`),
  'createFeed: a mapping of one long name': mapping('a'.repeat(20_000)),
  'testFeedMapping: a pattern without end': graphqlJson({
    query: `{ testFeedMapping(feedId: "${noFeed}", mapping: "$match('${'a'.repeat(45)}!', /^(a+)+$/)", first: 20) { problem } }`,
  }),
  'pauseFeed: no feed': mutation('pauseFeed', 'PauseFeedInput', { id: noFeed }),
  'resumeFeed: no feed': mutation('resumeFeed', 'ResumeFeedInput', { id: noFeed }),
  'createAsset: a megabyte of blanks': mutation('createAsset', 'CreateAssetInput', {
    kind: 'IMAGE',
    name: 'A',
    content: `A${' '.repeat(900_000)}!`,
  }),
}

export const attacksOfKeys: Record<string, Attack> = {
  ...attacksByWrites,
  ...byVariables('query ($where: CommissionWhere) { commissions(where: $where) { totalCount nodes { id } } }'),
  ...otherAttacks,
}

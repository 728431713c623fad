import { gzipSync } from 'node:zlib'
import { attacksOfKeys } from '../support/attacks.ts'
import { hostileQueries, times } from '../support/hostile.ts'

export type Raw = {
  name: string
  parts: (secret: string) => Iterable<string | Buffer>
  /** Where a request is not an attack on this server: it is answered, but not refused. */
  isHarmless?: boolean
}

type Fields = { method?: string; target?: string; headers?: string[]; body?: string | Buffer; type?: string }

/** The bytes of a request that the server ends after its answer. */
const http = (secret: string, { method = 'POST', target = '/graphql', headers = [], body = '', type }: Fields) => [
  [
    `${method} ${target} HTTP/1.1`,
    ...(headers.some((line) => /^host:/i.test(line)) ? [] : ['Host: localhost']),
    `Authorization: Bearer ${secret}`,
    'Connection: close',
    ...(method === 'GET' ? [] : [`Content-Type: ${type ?? 'application/json'}`]),
    ...(method === 'GET' || headers.some((line) => /^(transfer-encoding|content-length):/i.test(line))
      ? []
      : [`Content-Length: ${Buffer.byteLength(body)}`]),
    ...headers,
    '\r\n',
  ].join('\r\n'),
  body,
]
const request = (name: string, fields: Fields, isHarmless = false): Raw => ({
  name,
  parts: (secret) => http(secret, fields),
  isHarmless,
})
const graphql = (name: string, query: string, variables = '{}') =>
  request(name, { body: `{"query":${JSON.stringify(query)},"variables":${variables}}` })
const rest = (name: string, target: string, body: string, method = 'POST') =>
  request(name, { method, target: `/v1${target}`, body })
const read = (name: string, target: string, headers: string[] = []) => request(name, { method: 'GET', target, headers })
const nested = (open: string, inside: string, close: string, count: number) =>
  `${open.repeat(count)}${inside}${close.repeat(count)}`

const depths = [50, 500, 5_000, 50_000].flatMap((depth) => [
  graphql(`fields ${depth} deep`, nested('{ affiliate ', '{ id }', '}', depth)),
  graphql(`a list literal ${depth} deep`, `{ payouts(first: ${nested('[', '', ']', depth)}) { totalCount } }`),
  graphql(`an open list ${depth} deep`, `{ payouts(first: ${'['.repeat(depth)}`),
  graphql(`an object literal ${depth} deep`, `{ payouts(where: ${nested('{ not: ', '{}', '}', depth)}) { nope } }`),
  graphql(`inline fragments ${depth} deep`, `{ ${nested('... { ', 'id', '}', depth)} }`),
  graphql(`a list type ${depth} deep`, `query ($v: ${nested('[', 'ID', ']', depth)}) { program { id } }`),
  graphql(
    `variables ${depth} deep`,
    'query ($v: CommissionWhere) { commissions(where: $v) { totalCount } }',
    nested('{"v":', '{}', '}', depth),
  ),
  rest(`JSON lists ${depth} deep`, '/affiliates', nested('[', '', ']', depth)),
  rest(`JSON objects ${depth} deep`, '/affiliates', nested('{"email":', '1', '}', depth)),
  rest(`open JSON lists ${depth} deep`, '/affiliates', '['.repeat(depth)),
])

const fragments = (count: number, next: (index: number) => string) =>
  times(count, (n) => `fragment F${n} on Program { ${next(n)} }`).join(' ')
const documents = [
  graphql('a fragment of itself', `{ program { ...F } } fragment F on Program { ...F }`),
  graphql('two fragments of each other', `{ program { ...F0 } } ${fragments(2, (n) => `...F${1 - n}`)}`),
  graphql('a ring of 300 fragments', `{ program { ...F0 } } ${fragments(300, (n) => `...F${(n + 1) % 300}`)}`),
  graphql('unused fragments', `{ program { id } } ${fragments(250, () => 'id')}`),
  graphql(
    'fragments that repeat 3 to the 12',
    `{ program { ...F0 } } ${fragments(12, (n) => `...F${n + 1} `.repeat(3))}`,
  ),
  graphql('60 aliases of a list', `{ ${times(60, (n) => `a${n}: affiliates { nodes { id } }`).join(' ')} }`),
  graphql('5,000 aliases', `{ ${times(5_000, (n) => `a${n}: __typename`).join(' ')} }`),
  graphql('a field 10,000 times', `{ program { ${'id '.repeat(10_000)} } }`),
  graphql('a directive 60 times', `{ program { id ${'@include(if: true) '.repeat(60)} } }`),
  graphql('unknown directives', `{ program { id ${times(900, (n) => `@d${n}`).join(' ')} } }`),
  graphql('circular introspection', `{ __schema { types { ${nested('fields { type { ', 'name', '} }', 8)} } } }`),
  graphql(
    'a type and its fields 12 times',
    `{ ${times(12, (n) => `a${n}: __type(name: "Sale") { name }`).join(' ')} }`,
  ),
  graphql('NUL in a name', '{ program { i\u0000d } }'),
  graphql('only comments', '#'.repeat(50_000)),
  graphql('a block string without end', `{ affiliate(id: """${'x'.repeat(50_000)}`),
  graphql('escapes of half a character', `{ affiliate(id: "\\ud800") { nope } }`),
  graphql('a number of 50,000 digits', `{ payouts(first: ${'9'.repeat(50_000)}) { totalCount } }`),
  graphql('an exponent', '{ payouts(first: 1e400) { totalCount } }'),
  graphql('a prototype as type', '{ __type(name: "__proto__") { nope } }'),
  graphql('a prototype as field', '{ __proto__ { id } constructor { id } }'),
]

const big = '9007199254740993'
const values = [
  rest('an amount above 2^53', '/conversions', `{"amount_cents":${big},"coupon":"x"}`),
  rest('an external id above 2^53', '/conversions', `{"amount_cents":1,"coupon":"x","external_id":${big}}`),
  rest('a negative amount', '/conversions', '{"amount_cents":-1,"coupon":"x"}'),
  rest('an infinite amount', '/conversions', '{"amount_cents":1e999,"coupon":"x"}'),
  rest('a fraction of a cent', '/conversions', '{"amount_cents":0.5,"coupon":"x"}'),
  rest('an amount of 400,000 digits', '/conversions', `{"amount_cents":${'9'.repeat(400_000)},"coupon":"x"}`),
  rest('NUL in an e-mail', '/affiliates', '{"email":"a\\u0000@example.com"}'),
  rest('NUL in a token', '/affiliates', '{"email":"nul@example.com","token":"a\\u0000b"}'),
  rest('half a character in a token', '/affiliates', '{"email":"half@example.com","token":"a\\ud800b"}'),
  rest('half a character in a name', '/campaigns', '{"name":"\\udfff","commission_percent":1}'),
  rest('bytes that are no UTF-8', '/affiliates', '{"email":"\xff\xfe'),
  rest('__proto__ alone', '/affiliates', '{"__proto__":{"email":"proto@example.com"}}'),
  rest('constructor.prototype', '/affiliates', '{"constructor":{"prototype":{"email":"proto@example.com"}}}'),
  rest('__proto__ for text', '/affiliates', '{"email":{"__proto__":"a@example.com"}}'),
  rest('toString for a state', '/affiliates', '{"email":"state@example.com","state":"toString"}'),
  rest('null', '/affiliates', 'null'),
  rest('a number', '/affiliates', '1'),
  rest('nothing', '/affiliates', ''),
  rest('two documents', '/affiliates', '{"email":1}{"email":2}'),
  graphql(
    'prototype keys in variables',
    'query ($v: CommissionWhere) { commissions(where: $v) { totalCount } }',
    '{"v":{"__proto__":{"id":{"equals":"x"}},"constructor":{}}}',
  ),
  graphql('a number above 2^53 in a variable', 'query ($v: Int) { payouts(first: $v) { totalCount } }', `{"v":${big}}`),
]

const form = 'application/x-www-form-urlencoded'
const bodies = [
  request('a form with a prototype', { target: '/v1/affiliates', type: form, body: '__proto__[email]=a@example.com' }),
  request('a form that nests', { target: '/v1/affiliates', type: form, body: `email${'[a]'.repeat(5_000)}=1` }),
  request('a form that is no UTF-8', { target: '/v1/affiliates', type: form, body: 'email=%ff%fe' }),
  ...['/graphql', '/v1/affiliates'].flatMap((target) => [
    request(`${target}: gzip`, { target, headers: ['Content-Encoding: gzip'], body: gzipSync('x'.repeat(5_000_000)) }),
    request(`${target}: broken gzip`, { target, headers: ['Content-Encoding: gzip'], body: 'no gzip' }),
    request(`${target}: multipart`, {
      target,
      type: 'multipart/form-data; boundary=x',
      body: `--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n`.repeat(5_000),
    }),
    request(`${target}: 2 MiB`, { target, body: `"${'x'.repeat(2 * 1024 * 1024)}"` }),
    request(`${target}: a length of 10 GB`, { target, headers: ['Content-Length: 10000000000'], body: '{}' }),
    {
      name: `${target}: 2 MiB in chunks`,
      parts: (secret: string) => [
        http(secret, { target, headers: ['Transfer-Encoding: chunked'] })[0] as string,
        ...Array(32).fill(`10000\r\n${' '.repeat(65_536)}\r\n`),
        '0\r\n\r\n',
      ],
    },
    request(`${target}: broken chunks`, { target, headers: ['Transfer-Encoding: chunked'], body: 'zz\r\n' }),
    request(`${target}: chunks and a length`, {
      target,
      headers: ['Transfer-Encoding: chunked', 'Content-Length: 3'],
      body: '0\r\n\r\n',
    }),
    request(`${target}: two lengths`, { target, headers: ['Content-Length: 1', 'Content-Length: 2'], body: '{}' }),
    request(`${target}: a negative length`, { target, headers: ['Content-Length: -1'], body: '{}' }),
  ]),
]

const lines = [
  read('a header of 20 KB', '/v1/affiliates', [`X: ${'x'.repeat(20_000)}`]),
  read(
    '3,000 headers',
    '/v1/affiliates',
    times(3_000, (n) => `X-${n}: 1`),
  ),
  read('a query of 20 KB', `/v1/affiliates?x=${'x'.repeat(20_000)}`),
  read('two Hosts', '/v1/affiliates', ['Host: a', 'Host: b']),
  read('a Host with a space', '/v1/affiliates', ['Host: a b']),
  read('a Host with a path', '/v1/affiliates', ['Host: a/b@c:d']),
  read('a Host with an invalid port', '/v1/affiliates', ['Host: a:99999']),
  read('an absolute target', 'http://example.com/v1/affiliates'),
  read('a target of another scheme', 'file:///etc/passwd'),
  read('an authority as target', 'localhost:80'),
  read('a lone carriage return in a header', '/v1/affiliates', ['X: a\rb']),
  read('a line folded into the next', '/v1/affiliates', ['X: a\r\n b']),
  read('NUL in a header', '/v1/affiliates', ['X: a\u0000b']),
  read('a space before the colon', '/v1/affiliates', ['X : a']),
  read('dot segments', '/v1/../../../etc/passwd'),
  read('encoded dot segments', '/docs/%2e%2e/%2e%2e/package.json'),
  read('dots and a backslash', '/docs/..\\..\\package.json'),
  read('an encoded slash', '/v1/affiliates%2f..%2fcampaigns'),
  read('an encoded slash in a page', '/dashboard%2fpage.js'),
  read('a doubled slash', '//v1//affiliates'),
  read('NUL in a path', '/v1/affiliates/%00'),
  read('half an escape', '/v1/affiliates/%'),
  read('escapes that are no UTF-8', '/v1/affiliates/%ff%fe'),
  read('half a character in a path', '/v1/affiliates/%ed%a0%80'),
  read('a prototype as id', '/v1/affiliates/__proto__'),
  read('a prototype as page', '/docs/constructor'),
  read('an id with quotes', "/v1/affiliates/'%20or%201=1--"),
  request('a filter with NUL, which no id has', { method: 'GET', target: '/v1/affiliates?campaign_id=%00' }, true),
  read('a page past 2^53', `/v1/affiliates?page=${big}`),
  read('a negative page', '/v1/affiliates?page=-1'),
  read('an infinite limit', '/v1/affiliates?limit=1e999'),
  read('an unknown state', '/v1/affiliates?state=__proto__'),
  read('a link that leads nowhere', '/r/%00/%0d%0aLocation:x'),
  request('an unknown method', { method: 'TRACE', target: '/v1/affiliates' }),
  request('CONNECT', { method: 'CONNECT', target: 'example.com:443' }),
  { name: 'HTTP/9.9', parts: () => ['GET / HTTP/9.9\r\nHost: a\r\n\r\n'] },
  { name: 'no HTTP', parts: () => ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'] },
  { name: 'HTTP/2 without an upgrade', parts: () => ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'] },
]

/** Attacks that are answered as ordinary requests: the server reads no more than it needs of them. */
const known = Object.entries(attacksOfKeys).map(([name, { path, method, contentType, body }]) =>
  request(name, { method, target: path, ...(contentType && { type: contentType }), ...(body && { body }) }, true),
)
const hostile = Object.entries(hostileQueries).map(([name, { body }]) => request(name, { body: JSON.stringify(body) }))

export const battery: Raw[] = [...depths, ...documents, ...values, ...bodies, ...lines, ...hostile, ...known]

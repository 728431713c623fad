import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { ViewerDocument } from '../../src/generated/dashboard/session/graphql.ts'
import { readPersistedOperations } from '../../src/server/graphql/persisted-operations.ts'
import { adminToken, createTestApp } from '../support/app.ts'
import { addMember, setUpOperator } from '../support/people.ts'

const folder = await mkdtemp(join(tmpdir(), 'tributary-operations-'))
afterAll(() => rm(folder, { recursive: true }))
const write = async (content: unknown) => {
  const file = join(folder, `${Math.random()}.json`)
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

const hash = 'ecf4edb46db40b5132295c0291d62fb65d6759a9eedfa4d5d612dd5ec54a6b38'
const documents = await readPersistedOperations(
  await write({ [hash]: 'query Own { program { name } }', lookup: 'query ($id: ID!) { affiliate(id: $id) { id } }' }),
)
const open = await createTestApp({ persistedOperations: { documents, only: false } })
const closed = await createTestApp({ persistedOperations: { documents, only: true } })
const plain = await createTestApp()

const send = async ({ app }: typeof open, secret: string, body: unknown) => {
  const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify(body) }
  const response = await app.fetch(new Request('http://localhost:4000/graphql', init))
  return { status: response.status, answer: (await response.json()) as any }
}
const persistedQuery = (sha256Hash: string) => ({ extensions: { persistedQuery: { version: 1, sha256Hash } } })

describe.each([
  ['other operations allowed', open],
  ['other operations rejected', closed],
])('persisted operations, %s', (_, on) => {
  it.each([
    ['by sha256Hash, as Apollo sends it', persistedQuery(hash)],
    ['by documentId', { documentId: hash }],
  ])('run %s', async (_, body) => {
    const { secret } = await on.createProgram()
    expect(await send(on, secret, body)).toMatchObject({ status: 200, answer: { data: { program: { name: 'Acme' } } } })
  })

  it('accept variables', async () => {
    const { secret } = await on.createProgram()
    const id = '018f0000-0000-7000-8000-000000000000'
    const { answer } = await send(on, secret, { documentId: 'lookup', variables: { id } })
    expect(answer).toMatchObject({ data: { affiliate: null } })
  })

  it('run by GET', async () => {
    const { secret } = await on.createProgram()
    const extensions = encodeURIComponent(JSON.stringify(persistedQuery(hash).extensions))
    const headers = { Authorization: `Bearer ${secret}` }
    const response = await on.app.fetch(
      new Request(`http://localhost:4000/graphql?extensions=${extensions}`, { headers }),
    )
    expect(await response.json()).toMatchObject({ data: { program: { name: 'Acme' } } })
  })

  it('return 400 PERSISTED_QUERY_NOT_FOUND for an unknown id, with the message that clients know', async () => {
    const { secret } = await on.createProgram()
    for (const body of [persistedQuery('0'.repeat(64)), { documentId: '__proto__' }])
      expect(await send(on, secret, body)).toMatchObject({
        status: 400,
        answer: { errors: [{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }] },
      })
  })

  it.each([[{}], [{ query: '' }], [null], ['query'], [[]]])('reject a body without an operation: %j', async (body) => {
    const { secret } = await on.createProgram()
    const { status, answer } = await send(on, secret, body)
    expect([400, 403]).toContain(status)
    expect(answer.errors[0].extensions.code).toMatch(/^(BAD_REQUEST|FORBIDDEN)$/)
  })

  it('do not restrict the operator', async () => {
    expect(await send(on, adminToken, { query: '{ __typename }' })).toMatchObject({ status: 200 })
  })

  it('do not restrict people who are signed in: the dashboard sends its own queries', async () => {
    const { id } = await on.createProgram()
    const operator = await setUpOperator(on, `${id}@example.com`)
    const manager = await addMember(on, operator, id, { email: `m-${id}@example.com`, role: 'MANAGER' })
    const session = `${ViewerDocument}`
    expect(await manager.graphql()(session)).toMatchObject({ viewer: { programs: [{ program: { id } }] } })
    const rename = `mutation ($input: UpdateProgramInput!) { updateProgram(input: $input) { program { name } } }`
    expect(await manager.graphql(id)(rename, { input: { id, name: 'Renamed' } })).toMatchObject({
      updateProgram: { program: { name: 'Renamed' } },
    })
  })
})

describe('an API key with an operation that is not persisted', () => {
  const body = { query: 'query Own { program { id } }', ...persistedQuery(hash) }

  it('runs when other operations are allowed', async () => {
    const { secret, id } = await open.createProgram()
    expect(await send(open, secret, body)).toMatchObject({ answer: { data: { program: { id } } } })
  })

  it('returns 403 when other operations are rejected, also with the hash of a persisted one', async () => {
    const { secret } = await closed.createProgram()
    const { status, answer } = await send(closed, secret, body)
    expect(status).toBe(403)
    expect(answer).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] })
    expect(answer.data ?? null).toBeNull()
  })
})

describe('an invalid file fails the start', () => {
  const refusal = (file: string) =>
    readPersistedOperations(file).then(
      () => '',
      (error: Error) => `${error.name} ${error.message}`,
    )

  it('when it does not exist', async () => {
    expect(await refusal('/nowhere.json')).toMatch(
      /^OperatorError .*\/nowhere\.json[\s\S]*ENOENT.*PERSISTED_OPERATIONS/,
    )
  })

  it.each(['{', '[]', '"x"', 'null', '3'])('when it is not a JSON object: %s', async (text) => {
    expect(await refusal(await write(text))).toContain('must be JSON')
  })

  it('when documents are invalid, naming each of them', async () => {
    const message = await refusal(
      await write({
        fine: '{ __typename }',
        gone: '{ program { nonsense } nonsense }',
        broken: '{',
        number: 3,
        turns: `{ ...A } fragment A on Query { ...A }`,
      }),
    )
    expect(message.match(/^ {2}- (\w+): /gm)).toEqual(
      ['gone', 'gone', 'broken', 'number', 'turns'].map((id) => `  - ${id}: `),
    )
  })
})

describe('automatic persisted queries', () => {
  const query = 'query Registered { program { name } }'
  const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
  const found = { status: 200, answer: { data: { program: { name: 'Acme' } } } }

  it('are registered by the query with its hash, and then run by the hash alone', async () => {
    const { secret } = await plain.createProgram()
    const registered = persistedQuery(hashOf(query))
    expect(await send(plain, secret, registered)).toMatchObject({
      status: 400,
      answer: { errors: [{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }] },
    })
    expect(await send(plain, secret, { query, ...registered })).toMatchObject(found)
    expect(await send(plain, secret, registered)).toMatchObject(found)
  })

  it('are not registered under the hash of another query', async () => {
    const { secret } = await plain.createProgram()
    const other = persistedQuery(hashOf('{ program { id } }'))
    expect(await send(plain, secret, { query, ...other })).toMatchObject(found)
    expect(await send(plain, secret, other)).toMatchObject({ status: 400 })
  })

  it('are not registered by callers that may only read, which are told to send whole queries', async () => {
    const { id } = await plain.createProgram()
    const { answer } = await send(plain, adminToken, {
      query: 'mutation ($id: ID!) { createApiKey(input: { programId: $id, name: "Read", access: READ }) { secret } }',
      variables: { id },
    })
    const { secret } = answer.data.createApiKey
    const own = 'query Unregistered { program { name } }'
    expect(await send(plain, secret, { query: own, ...persistedQuery(hashOf(own)) })).toMatchObject(found)
    expect(await send(plain, secret, persistedQuery(hashOf(own)))).toMatchObject({
      status: 400,
      answer: { errors: [{ message: 'PersistedQueryNotSupported' }] },
    })
  })
})

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readPersistedOperations } from '../../src/server/persisted-operations.ts'
import { adminToken, createTestApp } from '../support/app.ts'

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
  ['beside others', open],
  ['alone', closed],
])('operations of the list, %s', (_, on) => {
  it.each([
    ['as Apollo names them', persistedQuery(hash)],
    ['by documentId', { documentId: hash }],
  ])('run %s', async (_, body) => {
    const { secret } = await on.createProgram()
    expect(await send(on, secret, body)).toMatchObject({ status: 200, answer: { data: { program: { name: 'Acme' } } } })
  })

  it('take variables', async () => {
    const { secret } = await on.createProgram()
    const id = '018f0000-0000-7000-8000-000000000000'
    const { answer } = await send(on, secret, { documentId: 'lookup', variables: { id } })
    expect(answer.errors).toMatchObject([{ message: `Affiliate not found: ${id}`, extensions: { code: 'NOT_FOUND' } }])
  })

  it('run by GET too', async () => {
    const { secret } = await on.createProgram()
    const extensions = encodeURIComponent(JSON.stringify(persistedQuery(hash).extensions))
    const headers = { Authorization: `Bearer ${secret}` }
    const response = await on.app.fetch(
      new Request(`http://localhost:4000/graphql?extensions=${extensions}`, { headers }),
    )
    expect(await response.json()).toMatchObject({ data: { program: { name: 'Acme' } } })
  })

  it('400 PERSISTED_QUERY_NOT_FOUND for one that is not in it, in the word that clients know', async () => {
    const { secret } = await on.createProgram()
    for (const body of [persistedQuery('0'.repeat(64)), { documentId: '__proto__' }])
      expect(await send(on, secret, body)).toMatchObject({
        status: 400,
        answer: { errors: [{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }] },
      })
  })

  it.each([[{}], [{ query: '' }], [null], ['query'], [[]]])('a body that names none is refused: %j', async (body) => {
    const { secret } = await on.createProgram()
    const { status, answer } = await send(on, secret, body)
    expect([400, 403]).toContain(status)
    expect(answer.errors[0].extensions.code).toMatch(/^(BAD_REQUEST|FORBIDDEN)$/)
  })

  it('the operator runs any other', async () => {
    expect(await send(on, adminToken, { query: '{ __typename }' })).toMatchObject({ status: 200 })
  })
})

describe('another operation of a key', () => {
  const body = { query: 'query Own { program { id } }', ...persistedQuery(hash) }

  it('runs where the list is beside others', async () => {
    const { secret, id } = await open.createProgram()
    expect(await send(open, secret, body)).toMatchObject({ answer: { data: { program: { id } } } })
  })

  it('403 where nothing else runs, whatever hash it has', async () => {
    const { secret } = await closed.createProgram()
    const { status, answer } = await send(closed, secret, body)
    expect(status).toBe(403)
    expect(answer).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] })
    expect(answer.data ?? null).toBeNull()
  })
})

it('without a list a hash is no query', async () => {
  const { secret } = await plain.createProgram()
  for (const body of [persistedQuery(hash), { documentId: hash }]) {
    const { answer } = await send(plain, secret, body)
    expect(answer).toEqual({ errors: [expect.objectContaining({ message: 'Must provide query string.' })] })
  }
})

describe('a list that can not be used is refused at the start', () => {
  const refusal = (file: string) =>
    readPersistedOperations(file).then(
      () => '',
      (error: Error) => `${error.name} ${error.message}`,
    )

  it('because it is not there', async () => {
    expect(await refusal('/nowhere.json')).toMatch(
      /^OperatorError .*\/nowhere\.json[\s\S]*ENOENT.*PERSISTED_OPERATIONS/,
    )
  })

  it.each(['{', '[]', '"x"', 'null', '3'])('because it is no such JSON: %s', async (text) => {
    expect(await refusal(await write(text))).toContain('has to be JSON')
  })

  it('because of documents in it, each of which is told', async () => {
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

import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createTestApp, restClient } from '../../../support/app.ts'
import { unknownId } from '../../../support/factories.ts'

const app = await createTestApp()
const fields = 'id programId name prefix lastFour createdAt lastUsedAt revokedAt'
const keysOf = async (programId: string) => {
  const query = `query ($programId: ID!) { apiKeys(programId: $programId) { ${fields} } }`
  return (await app.operator(query, { programId })).apiKeys
}
const createKey = async (programId: string, name = 'Billing') => {
  const query = `mutation ($programId: ID!, $name: String!) {
    createApiKey(input: { programId: $programId, name: $name }) { secret apiKey { ${fields} } }
  }`
  return (await app.operator(query, { programId, name })).createApiKey
}
const revoke = async (id: string) =>
  (await app.operator(`mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { apiKey { ${fields} } } }`, { id }))
    .revokeApiKey.apiKey
const statusWith = async (secret: string) =>
  (await restClient(app.app.fetch, { Authorization: `Bearer ${secret}` }).get('/affiliates')).status

describe('a new key', () => {
  it('is returned with its secret, which is never shown again', async () => {
    const program = await app.createProgram()
    const { secret, apiKey } = await createKey(program.id)
    expect(apiKey).toEqual({
      id: expect.any(String),
      programId: program.id,
      name: 'Billing',
      prefix: 'trib_sk_',
      lastFour: secret.slice(-4),
      createdAt: '2026-03-10T12:00:00.000Z',
      lastUsedAt: null,
      revokedAt: null,
    })
    const keys = await keysOf(program.id)
    expect(keys).toHaveLength(2)
    expect(keys[0]).toEqual(apiKey)
    expect(JSON.stringify(keys)).not.toContain(secret)
    expect(await statusWith(secret)).toBe(200)
  })

  it('is stored only as a SHA-256 hash', async () => {
    const program = await app.createProgram()
    const { secret, apiKey } = await createKey(program.id)
    const [row] = await app.database.db.$queryRaw<object[]>`select * from api_keys where id = ${apiKey.id}::uuid`
    expect(row).toMatchObject({ secret_hash: createHash('sha256').update(secret).digest('hex') })
    expect(JSON.stringify(row)).not.toContain(secret.slice('trib_sk_'.length, -4))
  })

  it('needs a name and a program that exists', async () => {
    const program = await app.createProgram()
    await expect(createKey(program.id, ' ')).rejects.toThrow("Name can't be blank")
    await expect(createKey(unknownId)).rejects.toThrow('Program not found')
    await expect(createKey('nonsense')).rejects.toThrow('Program not found')
  })
})

describe('a revoked key', () => {
  it('is rejected immediately, and other keys still work', async () => {
    const program = await app.createProgram()
    const { secret, apiKey } = await createKey(program.id)
    expect(await statusWith(secret)).toBe(200)
    const revoked = await revoke(apiKey.id)
    expect(revoked.revokedAt).toBe(app.clock.now.toISOString())
    expect(await statusWith(secret)).toBe(401)
    expect(await statusWith(program.secret)).toBe(200)
    const response = await app.app.fetch(
      new Request('http://localhost:4000/graphql', {
        method: 'POST',
        headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
        body: '{"query":"{ program { id } }"}',
      }),
    )
    expect(response.status).toBe(401)
  })

  it('stays listed, and keeps its time of revocation when it is revoked again', async () => {
    const program = await app.createProgram()
    const first = await revoke(program.keyId)
    app.clock.advanceDays(1)
    expect(await revoke(program.keyId)).toEqual(first)
    expect(await keysOf(program.id)).toEqual([first])
  })

  it.each([unknownId, 'nonsense'])('must exist: %s', async (id) => {
    await expect(revoke(id)).rejects.toThrow(`API key not found: ${id}`)
  })
})

describe('the last use', () => {
  it('is written once for many requests', async () => {
    const program = await app.createProgram()
    const lastUsedAt = async () => (await keysOf(program.id))[0].lastUsedAt
    for (let i = 0; i < 3; i++) {
      app.clock.advanceDays(1)
      await program.get('/affiliates')
    }
    expect(await lastUsedAt()).toBeNull()
    await app.app.flush()
    expect(await lastUsedAt()).toBe(app.clock.now.toISOString())
  })

  it('is not changed by a rejected request', async () => {
    const program = await app.createProgram()
    await revoke(program.keyId)
    await program.get('/affiliates')
    await app.app.flush()
    expect((await keysOf(program.id))[0].lastUsedAt).toBeNull()
  })
})

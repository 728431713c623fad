import { expect, it } from 'vitest'
import { isKeyOfDatabase, replaceLostKey } from '../../../src/modules/webhooks/key-check.ts'
import { createTestApp, testKey } from '../../support/app.ts'
import { makeDataDir, startAndStop, startChild } from '../../support/data-directory.ts'
import { createAffiliate } from '../../support/factories.ts'
import { createEndpoint } from '../../support/webhooks.ts'

const otherKey = Buffer.alloc(32, 9)
const { database, createProgram, clock } = await createTestApp()
const program = await createProgram()
const { id: affiliateId } = await createAffiliate(program)
const makeToken = () =>
  program.graphql('mutation ($id: ID!) { createAffiliateToken(input: { affiliateId: $id }) { token } }', {
    id: affiliateId,
  })

it('the key of the first start is the key of the database, also for a database of an earlier version', async () => {
  const { db } = database
  await makeToken()
  await createEndpoint(program, 'http://127.0.0.1:9/hook')
  expect(await isKeyOfDatabase(db, otherKey, clock.now)).toBe(false)
  expect(await db.encryptionCheck.count()).toBe(0)
  expect(await isKeyOfDatabase(db, testKey, clock.now)).toBe(true)
  expect(await isKeyOfDatabase(db, testKey, clock.now)).toBe(true)
  expect(await isKeyOfDatabase(db, otherKey, clock.now)).toBe(false)
})

it('a lost key is replaced: what only it could read is gone, and new secrets can be made', async () => {
  const { db } = database
  expect(await replaceLostKey(db, otherKey, clock.now)).toEqual({ programs: 1, people: 0, endpoints: 1 })
  expect(await isKeyOfDatabase(db, otherKey, clock.now)).toBe(true)
  expect(await isKeyOfDatabase(db, testKey, clock.now)).toBe(false)
  expect(await db.affiliateTokenSecret.count()).toBe(0)
  await replaceLostKey(db, testKey, clock.now)
  expect((await makeToken()).createAffiliateToken.token).toMatch(/^trib_at_/)
})

it('a start with another key is refused, until the operator says that the old one is lost', async () => {
  const env = { DATA_DIR: await makeDataDir(), NODE_ENV: 'production' }
  const other = { ...env, WEBHOOK_KEY: 'another-key-of-the-installation' }
  const command = async (...args: string[]) =>
    startChild('src/cli/tributary.ts', ['replace-webhook-key', ...args], other).exited
  await startAndStop({ env })
  const refused = await startChild('src/main.ts', [], { PORT: '0', ...other }).exited
  expect(refused.code).toBe(1)
  expect(refused.output).toContain('WEBHOOK_KEY is not the key with which the secrets in this database were encrypted.')
  expect(refused.output).toContain('npx tributary replace-webhook-key')
  expect(await command()).toMatchObject({ code: 1, output: expect.stringContaining('--yes') })
  expect(await command('--yes')).toMatchObject({
    code: 0,
    output: expect.stringContaining('The database has the new key'),
  })
  await startAndStop({ env: other })
}, 600_000)

import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import {
  encryptStoredSecrets,
  secretOf,
  secretOfRow,
} from '../../../../src/modules/access/affiliate-tokens/signing-secret.ts'
import { affiliateToken, signToken, timesOf } from '../../../../src/modules/access/affiliate-tokens/token.ts'
import { createTestApp, graphqlClient, testKey } from '../../../support/app.ts'
import { createAffiliate } from '../../../support/factories.ts'

const test = await createTestApp()
const { db } = test.database
const otherKey = Buffer.alloc(32, 8)

it('secrets of earlier versions are encrypted at start, and their tokens stay valid', async () => {
  const program = await test.createProgram()
  const { id } = await createAffiliate(program, { email: 'ada@example.com' })
  const secret = randomBytes(32).toString('base64url')
  const where = { programId: program.id }
  await db.affiliateTokenSecret.create({ data: { ...where, secret, createdAt: test.clock.now } })
  const claims = { programId: program.id, affiliateId: id }
  const token = await signToken(affiliateToken, claims, secret, timesOf(test.clock.now, 600))
  const me = graphqlClient(test.app.fetch, { Authorization: `Bearer ${token}` })
  const read = async () => (await me('{ me { email } }')).me.email
  expect(await read()).toBe('ada@example.com')

  expect(await encryptStoredSecrets(db, testKey)).toBe(1)
  const row = await db.affiliateTokenSecret.findUniqueOrThrow({ where })
  expect(row.secret).not.toContain(secret)
  expect(secretOfRow({ key: testKey }, row)).toBe(secret)
  expect(await read()).toBe('ada@example.com')
  // Again at the next start: nothing is left to do.
  expect(await encryptStoredSecrets(db, testKey)).toBe(0)
})

it('with another key, tokens are invalid, and a new one is refused with what to do', async () => {
  const program = await test.createProgram()
  const ctx = (key: Buffer) => ({ db, now: () => test.clock.now, webhooks: { key } })
  const secret = await secretOf(ctx(testKey), program.id)
  expect(await secretOf(ctx(testKey), program.id)).toBe(secret)
  const row = await db.affiliateTokenSecret.findUniqueOrThrow({ where: { programId: program.id } })
  expect(secretOfRow({ key: otherKey }, row)).toBeNull()
  await expect(secretOf(ctx(otherKey), program.id)).rejects.toThrow(/Restore WEBHOOK_KEY .* or .*revokeAffiliateTokens/)
})

it('a secret cannot be used as that of another program', async () => {
  const [one, other] = [await test.createProgram(), await test.createProgram()]
  const ctx = { db, now: () => test.clock.now, webhooks: { key: testKey } }
  await secretOf(ctx, one.id)
  const row = await db.affiliateTokenSecret.findUniqueOrThrow({ where: { programId: one.id } })
  expect(secretOfRow({ key: testKey }, { ...row, programId: other.id })).toBeNull()
})

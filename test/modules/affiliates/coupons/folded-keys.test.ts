import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createTestApp } from '../../../support/app.ts'
import { createAffiliate, createCoupon } from '../../../support/factories.ts'

const app = await createTestApp()
const migration = readFileSync('prisma/migrations/20261127210500_coupon_keys_case_folding/migration.sql', 'utf8')

it('codes that are stored by an earlier key are found, and of two with one new key the one that has it', async () => {
  const program = await app.createProgram()
  const { db } = app.database
  const codes = ['GROẞ10', 'İZMİR', 'GROSS20', 'other', 'PLAIN']
  for (const code of codes) await createCoupon(program, (await createAffiliate(program)).id, code)
  const old = { groß10: 'gross10', 'i\u0307zmi\u0307r': 'izmir', groß20: 'other' }
  for (const [before, now] of Object.entries(old))
    await db.affiliateCoupon.updateMany({ where: { programId: program.id, tokenKey: now }, data: { tokenKey: before } })
  await db.$executeRawUnsafe(migration)
  await db.$executeRawUnsafe(migration)
  const rows = await db.affiliateCoupon.findMany({ where: { programId: program.id }, orderBy: { id: 'asc' } })
  expect(rows.map(({ token, tokenKey }) => [token, tokenKey])).toEqual([
    ['GROẞ10', 'gross10'],
    ['İZMİR', 'izmir'],
    ['GROSS20', 'gross20'],
    ['other', 'groß20'],
    ['PLAIN', 'plain'],
  ])
})

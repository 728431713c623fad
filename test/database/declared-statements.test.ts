import { readdirSync } from 'node:fs'
import { expect, it, vi } from 'vitest'
import { createTestDatabase } from '../support/database.ts'

const texts = vi.hoisted(() => new Set<string>())

vi.mock('../../src/database/client/sql.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../src/database/client/sql.ts')>()
  const noted =
    <S>(declare: (text: string) => S) =>
    (text: string) => {
      texts.add(text)
      return declare(text)
    }
  return { ...original, statement: noted(original.statement), plannedOnce: noted(original.plannedOnce) }
})

it('every statement that a module declares is valid on the migrated database', async () => {
  for (const folder of ['modules', 'listing', 'server'])
    for (const file of readdirSync(`src/${folder}`, { recursive: true, encoding: 'utf8' }))
      if (file.endsWith('.ts')) await import(`${process.cwd()}/src/${folder}/${file}`)
  const { db } = await createTestDatabase()
  expect(texts.size).toBeGreaterThan(50)
  const failures: string[] = []
  // The commands of a transaction cannot be prepared.
  for (const text of [...texts].filter((one) => !/^(begin|commit|rollback)/i.test(one))) {
    const prepared = db.$transaction(async (tx) => {
      await tx.$executeRawUnsafe(`prepare declared as ${text}`)
      await tx.$executeRawUnsafe('deallocate declared')
    })
    await prepared.catch((error: Error) => failures.push(`${error.message}\n${text}`))
  }
  expect(failures).toEqual([])
})

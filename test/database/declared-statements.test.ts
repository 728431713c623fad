import { readdirSync, readFileSync } from 'node:fs'
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
  expect(texts.size).toBeGreaterThan(50)
  // The commands of a transaction cannot be prepared.
  expect(await failuresOf([...texts].filter((one) => !/^(begin|commit|rollback)/i.test(one)))).toEqual([])
})

it('every template of a query is valid on the migrated database, unless it is composed', async () => {
  const found = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('generated'))
    .flatMap((file) => templatesIn(readFileSync(`src/${file}`, 'utf8')))
  const prepared = found.filter((text) => !/^\s*(analyze|discard)\b/i.test(text))
  const failures = await failuresOf(prepared)
  // A part of SQL cannot be a parameter, so what is composed of parts is only prepared where a test runs it.
  const isComposed = (failure: string) => /syntax error at or near "\$\d+"/.test(failure)
  expect(failures.filter((failure) => !isComposed(failure))).toEqual([])
  expect(prepared.length - failures.length).toBeGreaterThan(150)
})

/** The templates of `$queryRaw` and `$executeRaw`, with a parameter for each value. */
function templatesIn(source: string): string[] {
  return [...source.matchAll(/\.\$(?:query|execute)Raw(?:<[^`]*?>)?`/g)].map((start) => {
    let text = ''
    let values = 0
    for (let at = start.index + start[0].length; source[at] !== '`'; at += 1) {
      if (!source.startsWith('${', at)) text += source[at]
      else {
        values += 1
        text += `$${values}`
        at = endOfValue(source, at + 2)
      }
    }
    return text
  })
}

function endOfValue(source: string, from: number): number {
  let at = from
  for (let depth = 1; depth > 0; at += 1) depth += source[at] === '{' ? 1 : source[at] === '}' ? -1 : 0
  return at - 1
}

async function failuresOf(statements: readonly string[]): Promise<string[]> {
  const { db } = await createTestDatabase()
  const failures: string[] = []
  for (const text of statements) {
    const prepared = db.$transaction(async (tx) => {
      await tx.$executeRawUnsafe(`prepare declared as ${text}`)
      await tx.$executeRawUnsafe('deallocate declared')
    })
    await prepared.catch((error: Error) => failures.push(`${error.message}\n${text}`))
  }
  return failures
}

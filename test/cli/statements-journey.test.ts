import { execFile } from 'node:child_process'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { statementsIn, verifyStatements } from '../../clients/verifier/src/index.ts'
import { exportProgram } from '../../src/cli/program-file/export.ts'
import { importProgramFile } from '../../src/cli/program-file/import.ts'
import { restoreDatabase } from '../../src/database/backup/restore.ts'
import { backUpNow } from '../../src/database/backup/schedule.ts'
import { moveToPostgres } from '../../src/database/move/open.ts'
import { examine } from '../../src/modules/doctor/service.ts'
import type { Jwk } from '../../src/modules/statements/keys.ts'
import { createTestProgram, graphqlClient, restClient } from '../support/app.ts'
import { makeTemporaryFolder } from '../support/data-directory.ts'
import { createPostgresClone, silentLog as log } from '../support/database.ts'
import { createSeller, made } from '../support/factories.ts'
import { createInstallation, type Installation, serving, within } from '../support/installations.ts'
import { closeMonth } from '../support/statements.ts'

const needsPostgres = !inject('databases').postgres

type Program = { id: string; slug: string; secret: string; coupon: string }

/** Runs `tributary verify`. */
const verify = (...args: string[]) =>
  new Promise<{ code: number; out: string }>((done) => {
    execFile(
      process.execPath,
      ['--import', 'tsx', 'src/cli/tributary.ts', 'verify', ...args],
      (error, stdout, stderr) => done({ code: (error?.code as unknown as number) ?? 0, out: stdout + stderr }),
    )
  })

/** The files of all months, in order, and the published keys. */
type Proofs = { files: string[]; keys: { keys: Jwk[] } }

/** Reports a sale in a month, closes it once it is over, verifies all months since the first, and rotates the key. */
async function liveThrough(installation: Installation, { secret, coupon }: Program, month: string): Promise<Proofs> {
  let now = new Date(`${month}-15T12:00:00Z`)
  return serving(
    installation,
    async (service) => {
      const headers = { Authorization: `Bearer ${secret}` }
      const graphql = graphqlClient(service.app.fetch, headers)
      const { post } = restClient(service.app.fetch, headers)
      await made(post('/conversions', { coupon, external_id: `sale-of-${month}`, amount_cents: 4_900 }))
      now = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 1, 12))
      await closeMonth({ graphql }, month)
      expect(await examine(service)).toEqual([])
      const { statements } = await graphql('{ statements(first: 20) { nodes { json } } }')
      const files: string[] = statements.nodes.map(({ json }: { json: string }) => json).reverse()
      const published = await service.app.fetch(new Request('http://localhost:4000/.well-known/jwks.json'))
      const keys = (await published.json()) as { keys: Jwk[] }
      const parsed = files.map((json) => JSON.parse(json))
      expect((await verifyStatements(statementsIn('file', parsed), keys)).findings).toEqual([])
      await graphql('mutation { rotateStatementKey(input: { reason: "Monthly" }) { keyId } }')
      return { files, keys }
    },
    () => now,
  )
}

/** What a closed month says stays as it was, wherever the program goes. One more month follows. */
function expectSame(after: Proofs, before: Proofs): void {
  expect(after.files).toHaveLength(before.files.length + 1)
  expect(after.files.slice(0, -1)).toEqual(before.files)
}

test('closed months survive a restored backup, a move to PostgreSQL and a file of the program', async () => {
  const first = await createInstallation('embedded')
  const program = await makeProgram(first)
  const october = await liveThrough(first, program, '2026-10')
  const folder = await makeTemporaryFolder()
  await backUpNow(first.env.DATA_DIR as string, { folder, keep: 1 }, new Date(), log)

  const restored = await createInstallation('embedded')
  const [archive = ''] = await readdir(folder)
  await restoreDatabase(restored.env.DATA_DIR as string, join(folder, archive), true, new Date())
  const november = await liveThrough(restored, program, '2026-11')
  expectSame(november, october)

  const moved = needsPostgres ? restored : await move(restored)
  const december = await liveThrough(moved, program, '2026-12')
  expectSame(december, november)

  const imported = await createInstallation(
    needsPostgres ? 'embedded' : 'postgres',
    'the-key-of-the-installation-that-imports',
  )
  await carry(moved, imported, program)
  const january = await liveThrough(imported, program, '2027-01')
  expectSame(january, december)
  const seals = january.files.map((json) => JSON.parse(json).seal.split('.')[0])
  expect(new Set(seals).size).toBe(4)
  const proofs = await makeTemporaryFolder()
  const write = async (name: string, content: string) => {
    await writeFile(join(proofs, name), content)
    return join(proofs, name)
  }
  const paths = await Promise.all(january.files.map((json, index) => write(`${index}.json`, json)))
  const keys = await write('jwks.json', JSON.stringify(january.keys))
  const { code, out } = await verify(...paths, '--keys', keys)
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('10 % of 4900 = 490') })
  expect(out).toMatch(/: 4\.90 USD$/m)
})

async function makeProgram(installation: Installation): Promise<Program> {
  return serving(
    installation,
    async ({ app, operator }) => {
      const program = await createTestProgram(app.fetch, operator, {})
      const { coupon } = await createSeller(program)
      return { id: program.id, slug: program.slug, secret: program.secret, coupon }
    },
    () => new Date('2026-10-02T12:00:00Z'),
  )
}

/** Moves an embedded installation to PostgreSQL. */
async function move({ env }: Installation): Promise<Installation> {
  const { url: databaseUrl, drop } = await createPostgresClone({ empty: true })
  onTestFinished(drop)
  const dataDir = env.DATA_DIR as string
  await moveToPostgres({ dataDir, databaseUrl, log, onProgress: () => {}, check: async () => {} })
  return { env: { ...env, DATABASE_URL: databaseUrl } }
}

/** Takes the program to an installation with another key, in a file with a key of its own. */
async function carry(from: Installation, to: Installation, { slug }: Program): Promise<void> {
  const folder = await makeTemporaryFolder()
  const [file, keyFile] = [join(folder, 'program.jsonl.gz'), join(folder, 'key')]
  await writeFile(keyFile, 'a key for this file alone\n')
  await within(from, () => exportProgram({ program: slug, file, keyFile, close: false }))
  const imported = await within(to, () =>
    importProgramFile({ file, keyFile, closed: false, keepAccess: true, yes: true }),
  )
  expect(imported).toContain('Doctor: all invariants hold.')
}

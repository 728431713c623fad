import { createHash } from 'node:crypto'
import { createWriteStream, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip, gunzipSync, gzipSync } from 'node:zlib'
import { expect, inject, test } from 'vitest'
import { exportProgram } from '../../src/cli/program-file/export.ts'
import { importProgramFile } from '../../src/cli/program-file/import.ts'
import { withStore } from '../../src/cli/program-file/session.ts'
import { importProgram } from '../../src/database/program-file/import.ts'
import { inspectProgramFile } from '../../src/database/program-file/inspect.ts'
import { mintId } from '../../src/kernel/ids.ts'
import { createTestProgram, restClient } from '../support/app.ts'
import { makeTemporaryFolder } from '../support/data-directory.ts'
import { createSeller, reportSale } from '../support/factories.ts'
import {
  createInstallation,
  type Installation,
  type Kind,
  type Service,
  serving,
  within,
} from '../support/installations.ts'

const needsPostgres = !inject('databases').postgres
const otherKey = 'the-key-of-the-second-installation'

type Row = Record<string, unknown>
type Table = { name: string; count: number; ranges: number }
type Parts = { header: Row & { tables: Table[]; program: Row }; rows: Map<string, string[]>; end: Row }

/** A file that somebody has written anew, with a checksum that is right. */
function forge(file: string, name: string, edit: (parts: Parts) => void): string {
  const lines = gunzipSync(readFileSync(file)).toString('utf8').trimEnd().split('\n')
  const header = JSON.parse(lines.shift() as string) as Parts['header']
  const { end } = JSON.parse(lines.pop() as string) as { end: Row }
  const rows = new Map(header.tables.map((table) => [table.name, lines.splice(0, table.count + table.ranges)]))
  edit({ header, rows, end })
  const all = [JSON.stringify(header), ...(header.tables ?? []).flatMap((table) => rows.get(table.name) ?? [])]
  const sha256 = createHash('sha256')
    .update(`${all.join('\n')}\n`)
    .digest('hex')
  const path = join(file, '..', name.replace(/\W+/g, '-'))
  writeFileSync(path, gzipSync(`${[...all, JSON.stringify({ end: { ...end, sha256 } })].join('\n')}\n`))
  return path
}

/** Adds a row to a table of a forged file. */
function plant({ header, rows }: Parts, table: string, row: string): void {
  const found = header.tables.find(({ name }) => name === table) as Table
  found.count += 1
  rows.get(table)?.unshift(row)
}

const firstOf = ({ rows }: Parts, table: string): Row => JSON.parse(rows.get(table)?.[0] as string)

/** A program with an owner, an open invitation and a sale. */
async function fill({ app, db, operator }: Service) {
  // Another one has the slug that the first program of each installation gets.
  await createTestProgram(app.fetch, operator, {})
  const program = await createTestProgram(app.fetch, operator, {})
  const { coupon } = await createSeller(program)
  const body = JSON.stringify({ coupon, amount_cents: 100 })
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': 'once' }
  await program.send('/conversions', { method: 'POST', headers, body })
  await reportSale(program, { coupon, amount_cents: 900 })
  const now = new Date()
  const id = mintId(now)
  const times = { createdAt: now, updatedAt: now }
  await db.person.create({ data: { id, name: 'Mallory', email: 'mallory@shop.test', ...times } })
  await db.member.create({ data: { programId: program.id, personId: id, role: 'owner', createdAt: now } })
  await operator(
    `mutation { inviteMember(input: { email: "open@shop.test", role: OWNER }) { url } }`,
    {},
    {
      'X-Program-Id': program.id,
    },
  )
  return program
}

const importing = (file: string, into: Installation, options = {}) =>
  within(into, () => importProgramFile({ file, closed: false, ...options }))

const kinds: Kind[] = needsPostgres ? ['embedded'] : ['embedded', 'postgres']

/** What a forged row names, given a true one of its table. */
const otherRows: [string, string, (row: Row, victim: string) => string][] = [
  ['a key of another program', 'api_keys', (row, victim) => JSON.stringify({ ...row, program_id: victim })],
  ['an owner of another program', 'members', (row, victim) => JSON.stringify({ ...row, program_id: victim })],
  ['an answer of another program', 'idempotency_keys', (row, victim) => JSON.stringify({ ...row, scope: victim })],
  ['an invitation to another program', 'invitations', (row, victim) => JSON.stringify({ ...row, program_id: victim })],
  ['a campaign of another program', 'campaigns', (row, victim) => JSON.stringify({ ...row, program_id: victim })],
  ['a row without a program', 'sales', ({ program_id: _, ...row }) => JSON.stringify(row)],
  [
    'the program in capital letters',
    'sales',
    (row) => JSON.stringify({ ...row, program_id: String(row.program_id).toUpperCase() }),
  ],
  [
    'the name of the column in escapes',
    'api_keys',
    (row, victim) => JSON.stringify({ ...row, other: victim }).replace('"other"', '"program\\u005fid"'),
  ],
  [
    'two rows in a line',
    'api_keys',
    (row, victim) => `${JSON.stringify(row)},${JSON.stringify({ ...row, program_id: victim })}`,
  ],
]

test.each(kinds)('a file with a row of another program is refused, and leaves nothing (%s)', async (kind) => {
  const source = await createInstallation('embedded')
  const target = await createInstallation(kind)
  const file = join(await makeTemporaryFolder(), 'mallory.jsonl.gz')
  const program = await serving(source, fill)
  await within(source, () => exportProgram({ program: program.id, file, close: false }))
  const victim = await serving(target, ({ app, operator }) => createTestProgram(app.fetch, operator, {}))
  for (const [name, table, make] of otherRows) {
    const forged = forge(file, name, (parts) => plant(parts, table, make(firstOf(parts, table), victim.id)))
    await expect(importing(forged, target), name).rejects.toThrow(/Nothing was imported/)
  }
  const second = (parts: Parts) =>
    plant(parts, 'programs', JSON.stringify({ ...firstOf(parts, 'programs'), id: victim.id }))
  await expect(importing(forge(file, 'two programs', second), target)).rejects.toThrow('A file is of one program')
  const renamed = (parts: Parts) => {
    parts.header.program.slug = 'another'
  }
  await expect(importing(forge(file, 'another slug', renamed), target)).rejects.toThrow('names another slug')

  const [base, changes] = [join(file, '..', 'base'), join(file, '..', 'changes')]
  await within(source, () => exportProgram({ program: program.id, file: base, close: false }))
  await importing(base, target, { base: true })
  await within(source, () => exportProgram({ program: program.id, file: changes, close: true, since: base }))
  for (const [name, table, make] of otherRows.filter(([, table]) => table === 'api_keys' || table === 'members')) {
    const forged = forge(changes, `${name} later`, (parts) =>
      plant(parts, table, make(firstOf(parts, table), victim.id)),
    )
    await expect(importing(forged, target), name).rejects.toThrow(/Nothing was imported/)
  }
  await serving(target, async ({ db }) => {
    expect(await db.member.count()).toBe(0)
    expect(await db.apiKey.count({ where: { programId: victim.id } })).toBe(1)
    expect(await db.campaign.count({ where: { programId: victim.id } })).toBe(1)
  })
  // The key of a victim in the attacker's own program would catch the victim's requests.
  const hash = await serving(
    target,
    async ({ db }) => (await db.apiKey.findFirstOrThrow({ where: { programId: victim.id } })).secretHash,
  )
  const caught = forge(changes, 'caught', (parts) =>
    plant(
      parts,
      'api_keys',
      JSON.stringify({ ...firstOf(parts, 'api_keys'), id: mintId(new Date()), secret_hash: hash }),
    ),
  )
  await expect(importing(caught, target)).rejects.toThrow('is one of another program here')
  expect(await importing(changes, target)).toContain('Doctor: all invariants hold.')
})

test.skipIf(needsPostgres)('PostgreSQL refuses a row of another program that the import would write', async () => {
  const [source, target] = [await createInstallation('embedded'), await createInstallation('postgres')]
  const file = join(await makeTemporaryFolder(), 'mallory.jsonl.gz')
  const program = await serving(source, fill)
  await within(source, () => exportProgram({ program: program.id, file, close: false }))
  const victim = await serving(target, ({ app, operator }) => createTestProgram(app.fetch, operator, {}))
  await within(target, () =>
    withStore(async ({ db, query }) => {
      const { programRole: role } = db.sql
      expect(role).not.toBeNull()
      const inspected = await inspectProgramFile(file, async () => {})
      const redirected = (row: string) => JSON.stringify({ ...JSON.parse(row), program_id: victim.id })
      const convert = (table: string) => (table === 'api_keys' ? redirected : null)
      const options = { file, inspected, role, convert, isBase: false, finish: async () => {}, onProgress: () => {} }
      await expect(importProgram(query, options)).rejects.toThrow(/row-level security.*Nothing was imported/)
    }),
  )
})

test.each(kinds)('a foreign file brings no access: its keys are revoked, its members invited (%s)', async (kind) => {
  const source = await createInstallation('embedded')
  const target = await createInstallation(kind, otherKey)
  const folder = await makeTemporaryFolder()
  const [file, keyFile] = [join(folder, 'acme.jsonl.gz'), join(folder, 'key')]
  writeFileSync(keyFile, 'a key for this file alone\n')
  const program = await serving(source, fill)
  await within(source, () => exportProgram({ program: program.id, file, keyFile, close: false }))
  const readsWith = ({ app }: Service) =>
    restClient(app.fetch, { Authorization: `Bearer ${program.secret}` }).get('/affiliates')
  await serving(target, async ({ db }) => {
    const [now, email] = [new Date(), 'mallory@shop.test']
    await db.person.create({ data: { id: mintId(now), name: 'Mallory', email, createdAt: now, updatedAt: now } })
  })
  await expect(importing(file, target, { keyFile, keepAccess: true })).rejects.toThrow(/Nothing was imported.*--yes/)
  const printed = await importing(file, target, { keyFile })
  expect(printed).toMatch(/The file is foreign: its API keys are revoked here, and its 1 members are invited/)
  const link = /mallory@shop\.test \(Mallory\), owner: .*#token=(\S+)/.exec(printed)?.[1]
  await serving(target, async (service) => {
    expect((await readsWith(service)).status).toBe(401)
    expect(await service.db.member.count()).toBe(0)
    // Neither the invitation of the file is valid, only that of its member.
    const open = await service.db.invitation.findMany()
    expect(open.map(({ email, role }) => [email, role])).toEqual([['mallory@shop.test', 'owner']])
    const read = new Request('http://localhost:4000/dashboard/invitation/read', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: 'http://localhost:4000' },
      body: JSON.stringify({ token: link }),
    })
    expect(await (await service.app.fetch(read)).json()).toMatchObject({ role: 'owner', isKnown: true })
    await service.operator(
      `mutation ($id: ID!, $slug: String!) { deleteProgram(input: { id: $id, confirmSlug: $slug, confirmPaidPayouts: true }) { __typename } }`,
      { id: program.id, slug: program.slug },
    )
  })
  expect(await importing(file, target, { keyFile, keepAccess: true, yes: true })).toContain('account here: 1.')
  await serving(target, async (service) => {
    expect((await readsWith(service)).status).toBe(200)
    expect(await service.db.member.count()).toBe(1)
  })
  // What the installation wrote itself is a backup.
  await serving(source, async ({ operator }) => {
    await operator(
      `mutation ($id: ID!, $slug: String!) { deleteProgram(input: { id: $id, confirmSlug: $slug, confirmPaidPayouts: true }) { __typename } }`,
      { id: program.id, slug: program.slug },
    )
  })
  // A person with the key of the file can write it anew, but not as this installation.
  const forged = forge(file, 'forged', () => {})
  const digestsChanged = forge(file, 'digests', ({ end }) => {
    end.digests = { ...(end.digests as Row), nothing: { count: '0', checksum: '0', sums: null } }
  })
  await expect(importing(digestsChanged, source, { keyFile, keepAccess: true })).rejects.toThrow('--yes')
  expect(await importing(forged, source, { keyFile })).toContain('account here: 1.')
  await serving(source, async (service) => expect((await readsWith(service)).status).toBe(200))
})

test('a bomb ends early, in little memory', async () => {
  const { source: file, target } = await smallFile()
  const [header] = gunzipSync(readFileSync(file)).toString('utf8').split('\n', 1) as [string]
  const mebibyte = 'a'.repeat(2 ** 20)
  const row = `${JSON.stringify({ program_id: JSON.parse(header).program.id, name: 'a'.repeat(1_000) })}\n`
  const bombs: [string, string, number, string][] = [
    ['one line of 768 MiB', mebibyte, 768, ''],
    ['a line after the header', mebibyte, 768, `${header}\n`],
    ['many rows', row.repeat(1_000), 700, `${many(header)}\n`],
  ]
  for (const [name, part, times, first] of bombs) {
    const path = join(file, '..', name.replaceAll(' ', '-'))
    const parts = function* () {
      yield first
      for (let n = 0; n < times; n += 1) yield part
    }
    await pipeline(Readable.from(parts()), createGzip(), createWriteStream(path))
    expect(statSync(path).size, name).toBeLessThan(8 * 2 ** 20)
    const before = process.memoryUsage().rss
    await expect(importing(path, target), name).rejects.toThrow(
      /a line has more than 64 MiB|expands to more than 100 times/,
    )
    expect(process.memoryUsage().rss - before, name).toBeLessThan(400 * 2 ** 20)
  }
})

/** The header of a file with as many sales. */
const many = (header: string) => {
  const { tables, ...rest } = JSON.parse(header) as Parts['header']
  const [programs] = tables
  return JSON.stringify({ ...rest, tables: [{ name: 'sales', count: 700_000, ranges: 0 }, programs] })
}

/** A file of a program, and an empty installation with the same key. */
async function smallFile() {
  const [source, target] = [await createInstallation('embedded'), await createInstallation('embedded')]
  const file = join(await makeTemporaryFolder(), 'acme.jsonl.gz')
  const program = await serving(source, ({ app, operator }) => createTestProgram(app.fetch, operator, {}))
  await within(source, () => exportProgram({ program: program.id, file, close: false }))
  return { source: file, target }
}

test('an odd first or last line is refused with what is wrong in it', async () => {
  const { source: file, target } = await smallFile()
  const cases: [string, (parts: Parts) => void, RegExp][] = [
    ['no UUID', ({ header }) => Object.assign(header.program, { id: 'acme' }), /program\.id: must be a UUID/],
    ['SQL in the id', ({ header }) => Object.assign(header.program, { id: "' or true --" }), /program\.id/],
    ['no program', ({ header }) => Object.assign(header, { program: null }), /first line.*program/],
    ['no tables', ({ header }) => Object.assign(header, { tables: undefined }), /first line.*tables/],
    ['a table twice', ({ header }) => header.tables.push(header.tables[0] as Table), /names a table twice/],
    ['10^15 rows', ({ header }) => Object.assign(header.tables[0] as Table, { count: 1e15 }), /has too many rows/],
    ['half a row', ({ header }) => Object.assign(header.tables[0] as Table, { count: 0.5 }), /tables\.0\.count/],
    [
      'a table of people',
      ({ header, rows }) => {
        header.tables.push({ name: 'people', count: 0, ranges: 0 })
        rows.set('people', [])
      },
      /a table that this database has not: people/,
    ],
    ['NUL in the slug', ({ header }) => Object.assign(header.program, { slug: 'a\0b' }), /NUL/],
    ['no checksums', ({ end }) => Object.assign(end, { digests: undefined }), /last line.*digests/],
    [
      'a row that PostgreSQL refuses',
      (parts) => {
        const { rows } = parts
        rows.set('campaigns', [JSON.stringify({ ...firstOf(parts, 'campaigns'), created_at: 'no date' })])
      },
      /The database refuses a row of the file: .*no date/,
    ],
  ]
  for (const [name, edit, message] of cases)
    await expect(importing(forge(file, name, edit), target), name).rejects.toThrow(message)
  await serving(target, async ({ db }) => expect(await db.program.count()).toBe(0))
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { exportProgram, setClosed } from '../../src/cli/program-file/export.ts'
import { importProgramFile } from '../../src/cli/program-file/import.ts'
import { withStore } from '../../src/cli/program-file/session.ts'
import type { Query } from '../../src/database/tables.ts'
import type { AppDb } from '../../src/kernel/db.ts'
import { examine } from '../../src/modules/doctor/service.ts'
import { deleteOldVisits } from '../../src/modules/tracking/retention.ts'
import { createTestProgram, graphqlClient, restClient } from '../support/app.ts'
import { makeTemporaryFolder } from '../support/data-directory.ts'
import {
  createAffiliate,
  createCampaign,
  createLead,
  createSeller,
  made,
  recordVisit,
  reportSale,
} from '../support/factories.ts'
import {
  createInstallation,
  digestsOf,
  type Installation,
  type Kind,
  type Service,
  serving,
  within,
} from '../support/installations.ts'
import { createPage } from '../support/tracking.ts'
import { createEndpoint } from '../support/webhooks.ts'

const needsPostgres = !inject('databases').postgres

/** A program with what is changed later. */
async function fill({ app, db, operator }: Service) {
  const program = await createTestProgram(app.fetch, operator, {})
  const [first, second] = [await createSeller(program), await createSeller(program)]
  const leaving = await createCampaign(program, { name: 'Leaving' })
  const moving = await createAffiliate(program, { campaign_id: leaving.id })
  const lead = await createLead(program, first.link.token, 'erased@shop.test')
  await reportSale(program, { email: lead.email, external_id: 'of-erased' })
  await createPage(app, program).visit(first.link.token)
  for (let n = 0; n < 5; n += 1) await reportSale(program, { coupon: second.coupon, external_id: `before-${n}` })
  await createEndpoint(program, 'http://127.0.0.1:9/hook')
  const { createApiKey } = await operator(
    'mutation ($id: ID!) { createApiKey(input: { programId: $id, name: "Later revoked" }) { secret apiKey { id } } }',
    { id: program.id },
  )
  await addCustomers(db, program.id, [100, 150])
  return { program, first, second, leaving, moving, key: createApiKey }
}

/** Adds every second of the customers with these numbers, in the order of which their ids are. */
async function addCustomers(db: AppDb, programId: string, [from, before]: [number, number]) {
  await db.$executeRaw`
    insert into customers (program_id, id, email, email_key, created_at, updated_at)
    select ${programId}::uuid, ('01000000-0000-7000-8000-000000000' || n)::uuid, n || '@shop.test', n || '@shop.test', now(), now()
    from generate_series(${from}::int, ${before - 1}::int, 2) n`
}

async function deleteCustomers(db: AppDb, programId: string, [from, before]: [number, number]) {
  await db.$executeRaw`
    delete from customers where program_id = ${programId}::uuid
      and email = any(select n || '@shop.test' from generate_series(${from}::int, ${before - 1}::int) n)`
}

type Filled = Awaited<ReturnType<typeof fill>>

/** The program at another start of its installation. */
function servedBy({ fetch }: Service['app'], program: Filled['program']): Filled['program'] {
  const headers = { Authorization: `Bearer ${program.secret}` }
  return { ...program, ...restClient(fetch, headers), graphql: graphqlClient(fetch, headers) }
}

/** Inserts, updates and deletes rows, within ranges and outside of them. */
async function changeFirst({ app, db }: Service, { program, second }: Filled) {
  await reportSale(servedBy(app, program), { coupon: second.coupon, external_id: 'at-first' })
  await addCustomers(db, program.id, [111, 121])
  await addCustomers(db, program.id, [200, 220])
  await deleteCustomers(db, program.id, [126, 131])
}

/** Inserts, updates and deletes rows of many tables. */
async function change({ app, db, operator }: Service, filled: Filled) {
  const program = servedBy(app, filled.program)
  const { first, second, leaving, moving, key } = filled
  await reportSale(program, { coupon: second.coupon, external_id: 'meanwhile' })
  await recordVisit(program, second.link.token)
  await createAffiliate(program)
  // Two affiliates exchange a unique value, and so do two sales.
  for (const [table, column, one, other] of [
    ['affiliates', 'email_key', 'id', [first.affiliate.id, second.affiliate.id]],
    ['sales', 'external_id', 'external_id', ['before-1', 'before-2']],
  ] as const) {
    const where = `program_id = '${program.id}' and ${one}::text`
    const values = await db.$queryRawUnsafe<{ key: string; value: string }[]>(
      `select id::text as key, ${column} as value from ${table} where ${where} = any($1::text[])`,
      [...other],
    )
    await db.$executeRawUnsafe(`update ${table} set ${column} = id::text where ${where} = any($1::text[])`, [...other])
    for (const [n, { key }] of values.entries())
      await db.$executeRawUnsafe(
        `update ${table} set ${column} = $1 where program_id = '${program.id}' and id = $2::uuid`,
        values[1 - n]?.value,
        key,
      )
  }
  // All of a range, and what the first change brought.
  await deleteCustomers(db, program.id, [117, 141])
  await addCustomers(db, program.id, [101, 103])
  // A campaign loses its last affiliate, and is deleted.
  await made(program.put(`/affiliates/${moving.id}`, { campaign_id: first.campaign.id }))
  await program.graphql('mutation ($id: ID!) { deleteCampaign(input: { id: $id }) { __typename } }', {
    id: leaving.id,
  })
  await program.graphql('mutation { erasePerson(input: { email: "erased@shop.test" }) { erasedCustomerId } }')
  await operator('mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { __typename } }', { id: key.apiKey.id })
  expect(await deleteOldVisits(db, new Date(Date.now() + 86_400_000), 0)).toBeGreaterThan(0)
}

const inStore = <T>(installation: Installation, run: (query: Query) => Promise<T>) =>
  within(installation, () => withStore(({ query }) => run(query)))

test.each<[Kind, Kind]>([
  ['embedded', 'embedded'],
  ['postgres', 'postgres'],
])('a program goes from %s to %s ahead of its move, and what changed since follows', async (from, to) => {
  if (needsPostgres && from === 'postgres') return
  const source = await createInstallation(from)
  const target = await createInstallation(to, 'the-key-of-the-second-installation')
  const folder = await makeTemporaryFolder()
  const [base, otherBase, first, nothing, changes, wrong, keyFile] = [
    ...['base', 'other', 'first', 'nothing', 'changes', 'wrong', 'key'],
  ].map((name) => join(folder, name)) as [string, string, string, string, string, string, string]
  writeFileSync(keyFile, 'a key for these files alone\n')
  const filled = await serving(source, fill)
  const { program, second, key } = filled
  const exporting = (file: string, { since, close = false }: { since?: string; close?: boolean } = {}) =>
    // Ranges of a few rows, so that every table has several.
    within(source, () =>
      exportProgram({ program: program.id, file, keyFile, close, rangeRows: 3, ...(since && { since }) }),
    )
  const importing = (file: string, isBase = false) =>
    within(target, () => importProgramFile({ file, keyFile, closed: false, base: isBase, keepAccess: true, yes: true }))

  await exporting(otherBase)
  await exporting(base)
  expect(await importing(base, true)).toContain('waits for what changes at its source')
  await serving(source, (service) => changeFirst(service, filled))
  expect(await exporting(first, { since: base })).toContain('The program goes on here')
  expect(await importing(first)).toContain('waits for what changes at its source')
  await expect(importing(first)).rejects.toThrow('waits for the changes since another file')
  await exporting(nothing, { since: first })
  await serving(source, (service) => change(service, filled))
  await serving(target, async (service) => {
    const { get, post } = restClient(service.app.fetch, { Authorization: `Bearer ${program.secret}` })
    expect((await post('/conversions', { coupon: second.coupon, amount_cents: 100 })).status).toBe(503)
    expect((await get('/commissions')).status).toBe(200)
    // What the service does by itself leaves a base as it is.
    expect(await deleteOldVisits(service.db, new Date(Date.now() + 86_400_000), 0)).toBe(0)
    const data = { id: program.id, name: 'Acme' }
    const query = ((text: string) => service.db.$queryRawUnsafe(text)) as Query
    await expect(setClosed({ db: service.db, query }, data, false)).rejects.toThrow('programs_with_a_base_are_closed')
  })

  await exporting(wrong, { since: otherBase, close: true })
  expect(await exporting(changes, { since: nothing, close: true })).toContain('Exported what changed')
  await expect(exporting(join(folder, 'none'), { since: changes })).rejects.toThrow('Name the file that was imported')
  await expect(importing(wrong)).rejects.toThrow('waits for the changes since another file')
  await expect(importing(changes)).rejects.toThrow('waits for the changes since another file')
  await importing(nothing)
  await expect(importing(changes, true)).rejects.toThrow('Only a file with all of it')
  const digests = await digestsOf(source, program.id)

  // An import that fails at its end leaves the base as it was.
  const before = await digestsOf(target, program.id)
  const alter = (verb: string) =>
    inStore(target, (query) =>
      query(`alter table money_events ${verb} constraint breaks ${verb === 'add' ? 'check (false) not valid' : ''}`),
    )
  await alter('add')
  await expect(importing(changes)).rejects.toThrow('breaks')
  expect(await digestsOf(target, program.id)).toEqual(before)
  await alter('drop')

  const imported = await importing(changes)
  expect(imported).toContain('Doctor: all invariants hold.')
  expect(await digestsOf(target, program.id)).toEqual(digests)
  await expect(importing(changes)).rejects.toThrow('does not wait for changes here')
  await serving(target, async (service) => {
    const { post } = restClient(service.app.fetch, { Authorization: `Bearer ${program.secret}` })
    const sale = { coupon: second.coupon, amount_cents: 100 }
    expect((await post('/conversions', sale)).status).toBe(201)
    expect((await post('/conversions', { ...sale, amount_cents: 200, external_id: 'of-erased' })).status).toBeLessThan(
      500,
    )
    const revoked = restClient(service.app.fetch, { Authorization: `Bearer ${key.secret}` })
    expect((await revoked.get('/commissions')).status).toBe(401)
    expect(await examine(service, { programId: program.id })).toEqual([])
  })
})

test('changes are imported only onto their own base, if it is unchanged', async () => {
  const source = await createInstallation('embedded')
  const [target, empty] = [await createInstallation('embedded'), await createInstallation('embedded')]
  const folder = await makeTemporaryFolder()
  const [base, changes] = [join(folder, 'base'), join(folder, 'changes')]
  const { program, other } = await serving(source, async (service) => ({
    ...(await fill(service)),
    other: await createTestProgram(service.app.fetch, service.operator, {}),
  }))
  const importing = (file: string, into: Installation, isBase = false) =>
    within(into, () => importProgramFile({ file, closed: false, base: isBase }))
  await within(source, () => exportProgram({ program: program.id, file: base, close: false }))
  await importing(base, target, true)
  await expect(
    within(source, () => exportProgram({ program: other.id, file: changes, close: true, since: base })),
  ).rejects.toThrow(`is of the program ${program.slug}`)
  await within(source, () => exportProgram({ program: program.id, file: changes, close: true, since: base }))
  await expect(importing(changes, empty)).rejects.toThrow('a base, which is not here')
  await expect(
    within(target, () => exportProgram({ program: program.id, file: join(folder, 'x'), close: false })),
  ).rejects.toThrow('waits for changes from its source')
  await within(empty, () => importProgramFile({ file: base, closed: true }))
  await expect(
    within(empty, () => exportProgram({ program: program.id, file: join(folder, 'x'), close: false, since: base })),
  ).rejects.toThrow('was written from another database')
  await inStore(target, (query) => query(`update sales set updated_at = now() where external_id = 'before-0'`))
  await expect(importing(changes, target)).rejects.toThrow('The copy of sales is not that of the source')
})

test.skipIf(needsPostgres)(
  'rows that were committed while a transaction ran are in the base and in the changes (PostgreSQL, which runs two at once)',
  async () => {
    const [source, target] = [await createInstallation('postgres'), await createInstallation('postgres')]
    const folder = await makeTemporaryFolder()
    const [base, changes] = [join(folder, 'base'), join(folder, 'changes')]
    const running = new pg.Client(source.env.DATABASE_URL)
    await running.connect()
    const program = await serving(source, async ({ app, operator }) => {
      const program = await createTestProgram(app.fetch, operator, {})
      const { coupon } = await createSeller(program)
      await running.query('begin')
      await running.query('select pg_current_xact_id()')
      await reportSale(program, { coupon })
      return program
    })
    await within(source, () => exportProgram({ program: program.id, file: base, close: false }))
    await running.end()
    await within(target, () => importProgramFile({ file: base, closed: false, base: true }))
    await within(source, () => exportProgram({ program: program.id, file: changes, close: true, since: base }))
    // Money events are append-only: an update of one is rejected, even if it changes nothing.
    expect(await within(target, () => importProgramFile({ file: changes, closed: false }))).toMatch(
      /money_events: \d+ rows/,
    )
    expect(await digestsOf(target, program.id)).toEqual(await digestsOf(source, program.id))
  },
)

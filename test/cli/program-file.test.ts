import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { Webhook } from 'standardwebhooks'
import { expect, inject, onTestFinished, test } from 'vitest'
import { exportProgram, setClosed } from '../../src/cli/program-file/export.ts'
import { importProgramFile } from '../../src/cli/program-file/import.ts'
import { type Session, withStore } from '../../src/cli/program-file/session.ts'
import { closeProgram } from '../../src/database/program-file/close.ts'
import { notExported, readProgramTables } from '../../src/database/program-file/tables.ts'
import { notExchanged, parked } from '../../src/database/program-file/unique-values.ts'
import { mintId } from '../../src/kernel/ids.ts'
import { makeDemoProgram } from '../../src/modules/demo/service.ts'
import { examine } from '../../src/modules/doctor/service.ts'
import { encryptedColumns } from '../../src/modules/program-files/secrets.ts'
import { createTestProgram, graphqlClient, restClient, type TestProgram } from '../support/app.ts'
import { makeTemporaryFolder } from '../support/data-directory.ts'
import { createAffiliate, createCoupon, createSeller, recordVisit, reportSale } from '../support/factories.ts'
import {
  createInstallation,
  digestsOf,
  type Installation,
  type Kind,
  type Service,
  serving,
  within,
} from '../support/installations.ts'
import { createReceiver } from '../support/receiver.ts'
import { createPage } from '../support/tracking.ts'
import { createEndpoint } from '../support/webhooks.ts'
import { withhold, withholdFrom } from '../support/withholding.ts'

/** The amounts of the demo differ from day to day: from now on, each payout reaches the minimum. */
async function reachMinimum({ graphql }: Pick<TestProgram, 'graphql'>, campaigns: { id: string }[]) {
  for (const { id } of campaigns)
    await graphql('mutation ($input: UpdateCampaignInput!) { updateCampaign(input: $input) { campaign { id } } }', {
      input: { id, minimumPayoutCents: 0, minimumPayouts: [] },
    })
}

/** The demo program with rows in tables that a demo leaves empty. */
async function fill({ app, db, operator }: Service, receiver: string) {
  const demo = await makeDemoProgram(db, { now: new Date(), asked: true, months: 2, events: true })
  if (!demo) throw new Error('There is a demo program already.')
  const { id } = demo.program
  const headers = { Authorization: `Bearer ${demo.secret}` }
  const program = { id, ...restClient(app.fetch, headers), graphql: graphqlClient(app.fetch, headers) }
  const endpoint = await createEndpoint(program, receiver, 'eventTypes: ["sale.created"]')
  const { affiliates, campaigns } = await program.graphql(
    '{ affiliates(first: 1, where: { state: { equals: ACTIVE } }) { nodes { id } } campaigns { nodes { id } } }',
  )
  const { nodes } = affiliates
  const { createAffiliateToken } = await program.graphql(
    'mutation ($id: ID!) { createAffiliateToken(input: { affiliateId: $id }) { token } }',
    { id: nodes[0].id },
  )
  const sale = { coupon: demo.coupon, amount_cents: 4_900, external_id: 'in-2^53', email: 'buyer@shop.test' }
  const body = JSON.stringify(sale)
  const keyed = { 'Content-Type': 'application/json', 'Idempotency-Key': 'once' }
  expect((await program.send('/conversions', { method: 'POST', headers: keyed, body })).status).toBe(201)
  await withhold(program, 1_500)
  await withholdFrom(program, nodes[0].id, 2_000)
  await reachMinimum(program, campaigns.nodes)
  const { payouts } = await program.graphql(
    '{ payouts(first: 1, where: { isPayable: { equals: true } }) { nodes { id } } }',
  )
  expect((await program.post(`/payouts/${payouts.nodes[0].id}/pay`)).status).toBe(200)
  const now = new Date()
  for (const [email, role] of [
    ['here@shop.test', 'owner'],
    ['away@shop.test', 'analyst'],
  ] as const) {
    const person = await db.person.create({
      data: { id: mintId(now), name: email, email, createdAt: now, updatedAt: now },
    })
    await db.member.create({ data: { programId: id, personId: person.id, role, createdAt: now } })
  }
  await operator(`mutation ($id: ID!) { createApiKey(input: { programId: $id, name: "Second" }) { secret } }`, { id })
  return { ...demo, id, endpoint, affiliateToken: createAffiliateToken.token as string, body, keyed }
}

/** What clients read of the program. */
const answers = async ({ app }: Service, secret: string) => {
  const headers = { Authorization: `Bearer ${secret}` }
  const { get } = restClient(app.fetch, headers)
  const graphql = graphqlClient(app.fetch, headers)
  return [
    await graphql(
      `{ sales(first: 3) { totalCount nodes { id amountCents } } commissions { totalCount } events { totalCount } }`,
    ),
    await graphql(
      `{ analytics(range: { preset: THIS_YEAR }) { funnel { visitors leads conversions sales } liability { currency } } }`,
    ),
    (await get('/payouts?limit=100')).body,
    (await get('/affiliates?limit=100')).body,
  ]
}

const needsPostgres = !inject('databases').postgres

test.each<[Kind, Kind]>([
  ['embedded', 'embedded'],
  ['embedded', 'postgres'],
  ['postgres', 'embedded'],
])('a program goes from %s to %s with all that it has, to another key of the installation', async (from, to) => {
  if (needsPostgres && (from === 'postgres' || to === 'postgres')) return
  const receiver = await createReceiver()
  onTestFinished(receiver.close)
  const source = await createInstallation(from)
  const target = await createInstallation(to, 'the-key-of-the-second-installation')
  const folder = await makeTemporaryFolder()
  const [file, keyFile] = [join(folder, 'demo.jsonl.gz'), join(folder, 'key')]
  writeFileSync(keyFile, 'a key for this file alone\n')
  const { filled, before, otherIds } = await serving(source, async (service) => {
    const filled = await fill(service, receiver.url)
    const other = await createTestProgram(service.app.fetch, service.operator, {})
    const { coupon, affiliate } = await createSeller(other)
    await reportSale(other, { coupon, amount_cents: 100 })
    const before = await answers(service, filled.secret)
    return { filled, before, otherIds: [other.id, affiliate.id as string] }
  })
  const digests = await digestsOf(source, filled.id)
  const exported = await within(source, () => exportProgram({ program: filled.id, file, keyFile, close: false }))
  expect(exported).toContain('Exported the program')
  const text = gunzipSync(readFileSync(file)).toString('utf8')
  for (const id of otherIds) expect(text).not.toContain(id)
  expect(text).toContain('away@shop.test')

  await serving(target, async ({ db, operator, app }) => {
    const now = new Date()
    const data = { id: mintId(now), name: 'Here', email: 'here@shop.test', createdAt: now, updatedAt: now }
    await db.person.create({ data })
    // Rows of another program get numbers that those of the file have too.
    const other = await createTestProgram(app.fetch, operator, {})
    for (let n = 0; n < 5; n += 1) await createAffiliate(other)
  })
  const imported = await within(target, () =>
    importProgramFile({ file, keyFile, closed: false, keepAccess: true, yes: true }),
  )
  expect(imported).toContain('Doctor: all invariants hold.')
  expect(imported).toContain('Members with an account here: 1. Members to be invited: 1')
  expect(imported).toContain('away@shop.test (away@shop.test), analyst')
  expect(await digestsOf(target, filled.id)).toEqual(digests)

  await serving(target, async (service) => {
    expect(await answers(service, filled.secret)).toEqual(before)
    const { get, send } = restClient(service.app.fetch, { Authorization: `Bearer ${filled.secret}` })
    const again = await send('/conversions', { method: 'POST', headers: filled.keyed, body: filled.body })
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
    const affiliate = graphqlClient(service.app.fetch, { Authorization: `Bearer ${filled.affiliateToken}` })
    expect((await affiliate('{ me { id } }')).me.id).toBeTruthy()
    receiver.clear()
    const sale = JSON.stringify({ coupon: filled.coupon, amount_cents: 1_000, external_id: 'after the import' })
    const headers = { 'Content-Type': 'application/json' }
    expect((await send('/conversions', { method: 'POST', headers, body: sale })).status).toBe(201)
    expect((await get('/commissions?limit=1')).status).toBe(200)
    await expect.poll(() => receiver.received.length).toBeGreaterThan(0)
    for (const { body, headers } of receiver.received)
      new Webhook(filled.endpoint.secret).verify(body, headers as Record<string, string>)
    expect(await examine(service, { programId: filled.id })).toEqual([])
    const members = await service.db.member.findMany({ where: { programId: filled.id }, include: { person: true } })
    expect(members.map(({ role, person }) => [role, person.email])).toEqual([['owner', 'here@shop.test']])
  })
})

/** A file of a small program, and the installation that it is of. */
async function createFile() {
  const source = await createInstallation('embedded')
  const file = join(await makeTemporaryFolder(), 'acme.jsonl.gz')
  const program = await serving(source, async ({ app, operator }) => {
    const program = await createTestProgram(app.fetch, operator, {})
    const { coupon, affiliate } = await createSeller(program)
    await createEndpoint(program, 'http://127.0.0.1:9/hook')
    for (let n = 0; n < 30; n += 1) await reportSale(program, { coupon, amount_cents: 100 + n })
    return { ...program, coupon, token: affiliate.links[0].token as string }
  })
  await within(source, () => exportProgram({ program: program.slug, file, close: false }))
  return { source, file, program }
}

test('what cannot be imported is rejected with what to do, and leaves nothing', async () => {
  const { source, file, program } = await createFile()
  // To open the embedded database for each file takes most of the time.
  const kind = needsPostgres ? 'embedded' : 'postgres'
  const target = await createInstallation(kind)
  const bytes = readFileSync(file)
  const lines = gunzipSync(bytes).toString('utf8').trimEnd().split('\n')
  const changed = (name: string, content: Buffer | string) => {
    const path = join(file, '..', name)
    writeFileSync(path, content)
    return path
  }
  const saleLine = lines.findIndex((line) => line.includes('"amount_cents": 107'))
  const zip = (all: string[]) => gzipSync(`${all.join('\n')}\n`)
  /** The file with another header, as another version would have written it. */
  const withHeader = (change: object) => {
    const rest = [JSON.stringify({ ...JSON.parse(lines[0] as string), ...change }), ...lines.slice(1, -1)]
    const { end } = JSON.parse(lines.at(-1) as string)
    const sha256 = createHash('sha256')
      .update(`${rest.join('\n')}\n`)
      .digest('hex')
    return zip([...rest, JSON.stringify({ end: { ...end, sha256 } })])
  }
  const otherKey = changed('key', 'the key of some other file')
  const importing = (path: string, { keyFile, into = target }: { keyFile?: string; into?: Installation } = {}) =>
    within(into, () => importProgramFile({ file: path, closed: false, ...(keyFile && { keyFile }) }))
  const cases: [string, Promise<string> | (() => Promise<string>), RegExp][] = [
    ['truncated', () => importing(changed('truncated', bytes.subarray(0, bytes.length - 400))), /its end is missing/],
    ['cut at a line', () => importing(changed('cut', zip(lines.slice(0, -3)))), /its end is missing/],
    [
      'a changed amount',
      () => importing(changed('amount', zip(lines.with(saleLine, (lines[saleLine] as string).replace('107', '901'))))),
      /its checksum is not that of its rows/,
    ],
    [
      'damaged',
      () =>
        importing(
          // In the rows, behind the header.
          changed('damaged', Buffer.concat([bytes.subarray(0, -900), Buffer.alloc(50, 1), bytes.subarray(-850)])),
        ),
      /The file is damaged/,
    ],
    [
      'another schema',
      () => importing(changed('schema', withHeader({ schema: '20200101000000_old' }))),
      /Update the installation that exports/,
    ],
    [
      'a newer schema',
      () => importing(changed('newer', withHeader({ schema: '20990101000000_new' }))),
      /Update this installation first/,
    ],
    ['a newer format', () => importing(changed('format', withHeader({ format: 99 }))), /has format 99/],
    ['no file of a program', () => importing(changed('none', gzipSync('hello\n'))), /is not the file of a program/],
    ['a missing file', () => importing(join(file, '..', 'nowhere')), /There is no file/],
    ['a key that it has not', () => importing(file, { keyFile: otherKey }), /The file has no key of its own/],
    ['an existing program', () => importing(file, { into: source }), /exists here.*delete-program/s],
  ]
  for (const [name, run, message] of cases)
    await expect(typeof run === 'function' ? run() : run, name).rejects.toThrow(message)
  await serving(target, async ({ db }) => {
    expect(await db.program.count()).toBe(0)
    expect(await db.sale.count()).toBe(0)
  })
  const other = await createInstallation(kind, 'the-key-of-a-third-installation')
  await expect(importing(file, { into: other })).rejects.toThrow('Export it with --key-file')
  // What is whole is imported after all of that.
  expect(await importing(file)).toContain(program.id)
})

test('a closed program answers writes with 503 on all instances, reads go on, and other programs too', async () => {
  const installation = await createInstallation(needsPostgres ? 'embedded' : 'postgres')
  await serving(installation, async (service) => {
    const { app, operator, db } = service
    const program = await createTestProgram(app.fetch, operator, {})
    const other = await createTestProgram(app.fetch, operator, {})
    const { coupon, affiliate } = await createSeller(program)
    const elsewhere = await createSeller(other)
    const token = affiliate.links[0].token as string
    await recordVisit(program, token)
    const unvisited = (await createSeller(program)).affiliate.links[0].token as string
    const sale = { coupon, amount_cents: 500 }
    expect((await program.post('/conversions', sale)).status).toBe(201)
    await setClosedOn(service, program.id, true)
    const changes = await db.change.count({ where: { programId: program.id } })
    const writes = [
      await program.post('/conversions', sale),
      await program.post('/conversions', { email: 'nobody@x.test', amount_cents: 1 }),
      await program.send('/conversions', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'closed' },
        body: JSON.stringify(sale),
      }),
      await program.post('/affiliates', { email: 'new@x.test', first_name: 'New', last_name: 'One' }),
      await program.put(`/affiliates/${affiliate.id}`, { first_name: 'Changed' }),
    ]
    for (const { status, headers } of writes) expect([status, headers.get('retry-after')]).toEqual([503, '1'])
    expect(JSON.stringify(writes[0]?.body)).toContain('closed to writes')
    const [closed, open] = await Promise.all([
      createPage(app, program).visit(unvisited),
      createPage(app, other).visit(elsewhere.affiliate.links[0].token),
    ])
    expect([closed.status, open.status]).toEqual([503, 201])
    expect(await db.change.count({ where: { programId: program.id } })).toBe(changes)
    for (const path of ['/payouts', '/commissions', '/affiliates']) expect((await program.get(path)).status).toBe(200)
    expect((await other.post('/conversions', { coupon: elsewhere.coupon, amount_cents: 5 })).status).toBe(201)
    await expect(
      program.graphql('mutation { createAffiliate(input: { email: "q@x.test" }) { affiliate { id } } }'),
    ).rejects.toThrow(/closed to writes/)
    await setClosedOn(service, program.id, false)
    expect((await program.post('/conversions', sale)).status).toBe(201)
    expect((await createCoupon(program, (await createAffiliate(program)).id)).id).toBeTruthy()
  })
})

test.skipIf(needsPostgres)(
  'closing waits for a transaction that has begun to write, and later ones are rejected',
  async () => {
    const { env } = await createInstallation('postgres')
    await serving({ env }, async ({ app, operator }) => {
      const program = await createTestProgram(app.fetch, operator, {})
      const { coupon } = await createSeller(program)
      const [writer, closer] = [new pg.Client(env.DATABASE_URL), new pg.Client(env.DATABASE_URL)]
      await Promise.all([writer.connect(), closer.connect()])
      try {
        await writer.query('begin')
        await writer.query('select require_open_program($1)', [program.id])
        let isClosed = false
        const closing = closeProgram((async (text) => (await closer.query(text)).rows) as Session['query'], program.id)
        const closed = closing.then(() => {
          isClosed = true
        })
        const report = () => program.post('/conversions', { coupon, amount_cents: 100 })
        await expect.poll(async () => (await report()).status).toBe(503)
        expect(isClosed).toBe(false)
        await writer.query('commit')
        await closed
        expect((await report()).status).toBe(503)
      } finally {
        await Promise.all([writer.end(), closer.end()])
      }
    })
  },
)

/** Closes or opens a program of a running service, as the commands do on a connection of their own. */
const setClosedOn = ({ db }: Service, id: string, isClosed: boolean) =>
  setClosed(
    { db, query: ((text: string) => db.$queryRawUnsafe(text)) as Session['query'] },
    { id, name: 'Acme' },
    isClosed,
  )

test('every table is exported, every encrypted column is encrypted anew, and rows can exchange unique values, or the reason is named', async () => {
  const installation = await createInstallation('embedded')
  await within(installation, () =>
    withStore(async ({ query }) => {
      const tables = await readProgramTables(query)
      const all = await query<{ name: string }>(
        `select relname::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
          and not relispartition and relname <> '_prisma_migrations'`,
      )
      const known = [...tables.map(({ name }) => name), ...Object.keys(notExported)]
      expect(known.sort()).toEqual(all.map(({ name }) => name).sort())
      for (const [table, columns] of Object.entries(encryptedColumns))
        expect(tables.find(({ name }) => name === table)?.own).toEqual(expect.arrayContaining([...columns]))
      const indexes = await query<{ name: string; table: string; columns: string[] }>(
        `select c.relname::text as name, t.relname::text as "table", (select json_agg(attname) from pg_attribute
            where attrelid = t.oid and (attnum = any(i.indkey) or i.indpred::text like '%:varattno ' || attnum || ' %')) as columns
          from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
          where i.indisunique and not i.indisprimary and t.relnamespace = 'public'::regnamespace`,
      )
      const unnamed = indexes.filter(
        ({ name, table, columns }) =>
          tables.some((one) => one.name === table) &&
          !Object.hasOwn(notExchanged, name) &&
          !columns.some((column) => Object.hasOwn(parked[table] ?? {}, column)),
      )
      expect(unnamed).toEqual([])
      await query('create table notes (id int primary key)')
      await expect(readProgramTables(query)).rejects.toThrow('notes is neither exported')
    }),
  )
})

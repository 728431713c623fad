import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { isUniqueViolation } from '../../src/database/client/errors.ts'
import { statement } from '../../src/database/client/sql.ts'
import type { Prisma } from '../../src/generated/prisma/client.ts'
import type { AppDb } from '../../src/kernel/db.ts'
import { createTestApp } from '../support/app.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { unknownId } from '../support/factories.ts'
import { createWorld, rowsOf, type World } from '../tenancy/world.ts'

// Row-level security under the conditions of the service: what happens when a condition is missing. Two programs have
// records of every kind; `ours` is the one that a transaction is for.

const { postgres } = inject('databases')

/** What two programs have rows in. New rows are refused in the other tables too. */
const atLeastWithRows = 20

/** The database's error for a table that cannot be changed, before it looks for rows. */
const isHistory = /(history|facts|issued): they cannot be changed/

/** Written by the service for all programs, at any time: its own notes, and what it adds up and sends. */
const inBackground = [
  // Of record_events, which runs as the owner and checks the program.
  ...['events', 'event_states'],
  ...['feeds', 'feed_events', 'feed_objects'],
  ...['api_keys', 'failed_requests', 'webhook_queue', 'webhook_deliveries', 'webhook_endpoints'],
  ...['affiliate_measures', 'affiliate_measure_deltas'],
  ...['analytics_by_campaign', 'analytics_by_source', 'analytics_deltas', 'list_counts', 'list_deltas'],
]

describe.skipIf(!postgres)('row-level security (needs TEST_DATABASE_URL)', () => {
  let app: Awaited<ReturnType<typeof createTestApp>>
  let db: AppDb
  let ours: World
  let theirs: World
  let role: string
  /** The tables that have rows of programs. */
  let tables: string[]
  let partitioned: Set<string>

  beforeAll(async () => {
    app = await createTestApp()
    db = app.database.db
    role = db.sql.programRole as string
    ours = createWorld(app, await app.createProgram(), 'ours')
    theirs = createWorld(app, await app.createProgram(), 'theirs')
    for (const world of [ours, theirs]) {
      for (const kind of ['refund', 'unattributedSale', 'failedRequest', 'webhookDelivery', 'coupon'] as const)
        await world.get(kind)
      await world.get('payoutReference')
    }
    const rows = await db.$queryRaw<{ name: string }[]>`
      select c.relname::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid
      where a.attname = 'program_id' and c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace order by 1`
    tables = rows.map(({ name }) => name)
    const parts = await db.$queryRaw<{ name: string }[]>`select of_table::text as name from table_partitions`
    partitioned = new Set(parts.map(({ name }) => name))
  })

  const ourId = () => ours.program.id
  const theirId = () => theirs.program.id
  const client = () => db.ofProgram(ourId())
  /** Runs in a transaction of our program, which is undone. */
  const tried = async <T>(run: (tx: Prisma.TransactionClient) => Promise<T>): Promise<T> => {
    const undo: { result?: T } = {}
    await client()
      .$transaction(async (tx) => {
        undo.result = await run(tx)
        throw undo
      })
      .catch((error) => {
        if (error !== undo) throw error
      })
    return undo.result as T
  }

  test('every table of programs is protected, also from its owner', async () => {
    const found = await db.$queryRaw<{ name: string; policies: string[] }[]>`
      select c.relname::text as name, array_agg(p.polname::text order by 1) as policies
      from pg_class c join pg_policy p on p.polrelid = c.oid and not (p.polqual is null or p.polwithcheck is null)
      where relrowsecurity and relforcerowsecurity and ${role}::regrole = any (
        select unnest(polroles) from pg_policy where polrelid = c.oid and polname = 'of_program')
      group by 1 order by 1`
    expect(found.map(({ name }) => name)).toEqual([...tables, 'idempotency_keys', 'programs'].sort())
    expect(tables.length).toBeGreaterThan(atLeastWithRows)
    for (const { policies } of found) expect(policies.sort()).toContain('of_program')
  })

  test('the role owns nothing, is a member of nothing, and cannot log in or pass over row-level security', async () => {
    const [found] = await db.$queryRaw<object[]>`
      select rolcanlogin or rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication as may,
        (select count(*)::int from pg_class where relowner = r.oid) as tables,
        (select count(*)::int from pg_proc where proowner = r.oid) as functions,
        (select count(*)::int from pg_auth_members where member = r.oid) as memberships
      from pg_roles r where rolname = ${role}`
    expect(found).toEqual({ may: false, tables: 0, functions: 0, memberships: 0 })
    for (const sql of [
      'alter table sales disable row level security',
      'alter table sales no force row level security',
      'drop policy of_program on sales',
      `create policy everything on sales to ${role} using (true)`,
      `grant select on person_accounts to ${role}`,
    ])
      await expect(tried((tx) => tx.$executeRawUnsafe(sql))).rejects.toThrow(/must be owner|permission denied/)
    // Without the policies there are no rows, but an error.
    const off = tried(async (tx) => {
      await tx.$executeRawUnsafe('set local row_security = off')
      return tx.$queryRawUnsafe('select * from sales')
    })
    await expect(off).rejects.toThrow('row-level security')
  })

  test('what is of no program, such as passwords and sessions, is closed to the role', async () => {
    for (const table of ['person_accounts', 'person_sessions', 'person_verifications', 'second_factors'])
      await expect(tried((tx) => tx.$queryRawUnsafe(`select * from ${table}`))).rejects.toThrow('permission denied')
  })

  test('a statement without a condition sees our rows only, in every table', async () => {
    let withRows = 0
    for (const table of [...tables, 'programs']) {
      const column = table === 'programs' ? 'id' : 'program_id'
      const count = `select count(*)::int as all, count(*) filter (where ${column} <> '${ourId()}')::int as foreign from ${table}`
      const [asOwner] = await db.$queryRawUnsafe<[{ all: number; foreign: number }]>(count)
      const [asProgram] = await tried((tx) => tx.$queryRawUnsafe<[{ all: number; foreign: number }]>(count))
      expect([table, asProgram.foreign]).toEqual([table, 0])
      if (asOwner.foreign > 0 && asProgram.all > 0) withRows += 1
    }
    expect(withRows).toBeGreaterThan(atLeastWithRows)
  })

  test('no row of the other program is changed, deleted, or added, in any table', async () => {
    const before = await rowsOf(app, theirId())
    for (const table of tables) {
      const update = `update ${table} set program_id = program_id where program_id = '${theirId()}'`
      const remove = `delete from ${table} where program_id = '${theirId()}'`
      for (const sql of [update, remove]) {
        const count = tried((tx) => tx.$executeRawUnsafe(sql)).catch((error: Error) => {
          if (!isHistory.test(error.message)) throw error
          return 0
        })
        expect([sql, await count]).toEqual([sql, 0])
      }
      // The id leads to the partition, before policies are checked.
      const withId = partitioned.has(table)
        ? [`program_id, id`, `'${theirId()}', '${unknownId}'`]
        : ['program_id', `'${theirId()}'`]
      const add = tried((tx) => tx.$executeRawUnsafe(`insert into ${table} (${withId[0]}) values (${withId[1]})`))
      await expect(add, table).rejects.toThrow(`row-level security policy for table "${table}"`)
    }
    const move = tried((tx) => tx.$executeRawUnsafe(`update affiliates set program_id = '${theirId()}'`))
    await expect(move).rejects.toThrow('row-level security policy for table "affiliates"')
    expect(await rowsOf(app, theirId())).toEqual(before)
  })

  test('partitions can be reached through their table only', async () => {
    expect(partitioned.size).toBeGreaterThan(5)
    for (const table of partitioned)
      await expect(
        tried((tx) => tx.$queryRawUnsafe(`select from ${table}_first`)),
        table,
      ).rejects.toThrow(`permission denied for table ${table}_first`)
  })

  test('a role without a program gets an error, not rows', async () => {
    const read = db.$transaction(async (tx) => {
      await tx.$executeRawUnsafe(`set local role "${role}"`)
      return tx.$queryRawUnsafe('select * from sales')
    })
    await expect(read).rejects.toThrow()
  })

  test('Prisma without `where` changes our rows only: in transactions, and by single writes', async () => {
    const before = await rowsOf(app, theirId())
    const name = (n: number) => ({ data: { lastName: `changed ${n}` } })
    const ownCount = await db.affiliate.count({ where: { programId: ourId() } })
    const counts = [
      (await client().affiliate.updateMany(name(1))).count,
      (await client().$transaction((tx) => tx.affiliate.updateMany(name(2)))).count,
      await client().$executeRaw`update affiliates set last_name = 'changed 3'`,
      (
        await client().sql.transaction((tx) =>
          tx.query(statement('update affiliates set last_name = $1 returning 1'), ['changed 4']),
        )
      ).length,
      (await client().$transaction((tx) => tx.affiliate.findMany())).length,
    ]
    expect(counts).toEqual(counts.map(() => ownCount))
    expect(await rowsOf(app, theirId())).toEqual(before)
  })

  test('a taken value is known by its column, which PostgreSQL does not say under row-level security', async () => {
    const affiliateId = await ours.get('affiliate')
    await ours.program.post('/affiliate_links', { affiliate_id: affiliateId, token: 'second' })
    const data = { tokenKey: 'taken' }
    const error = await client()
      .affiliateLink.updateMany({ data })
      .catch((error: unknown) => error)
    expect([isUniqueViolation(error, 'tokenKey'), isUniqueViolation(error, 'id')]).toEqual([true, false])
  })

  test('the connection belongs to no program afterwards, and savepoints of one transaction can belong to several programs', async () => {
    const whoAmI = `select current_user::text as name, current_setting('tributary.program', true) as program`
    const login = (await db.$queryRawUnsafe<{ name: string }[]>('select session_user::text as name'))[0]?.name
    await Promise.all(Array.from({ length: 20 }, () => client().$transaction((tx) => tx.affiliate.count())))
    for (let n = 0; n < 20; n += 1)
      expect(await db.$queryRawUnsafe(whoAmI)).toEqual([{ name: login, program: expect.toSatisfy((id) => !id) }])
    const counts = await db.$transaction(async (tx) => {
      const within = db.within(tx).db
      const countAll = statement<{ count: string }>('select count(distinct program_id)::text as count from affiliates')
      return [
        await within
          .ofProgram(ourId())
          .$transaction((inner) => inner.affiliate.count({ where: { programId: theirId() } })),
        await within
          .ofProgram(theirId())
          .$transaction((inner) => inner.affiliate.count({ where: { programId: ourId() } })),
        await within.ofProgram(ourId()).sql.transaction(async (inner) => (await inner.query(countAll)).length),
        (await tx.affiliate.groupBy({ by: ['programId'] })).length,
      ]
    })
    expect(counts).toEqual([0, 0, 1, 2])
  })

  test('whatever a program writes with its key, it writes as the role; the rest is work in the background', async () => {
    await db.$executeRawUnsafe('create table written (who text, name text)')
    await db.$executeRawUnsafe(`grant insert on written to "${role}"`)
    await db.$executeRawUnsafe(`create function note_write() returns trigger language plpgsql as
      'begin insert into written values (current_user, tg_table_name); return null; end'`)
    for (const table of tables)
      await db.$executeRawUnsafe(`create trigger note_write before insert or update or delete on ${table}
        for each statement execute function note_write()`)
    const program = await app.createProgram()
    await db.$executeRawUnsafe('truncate written')
    const world = createWorld(app, program, 'another')
    for (const kind of ['refund', 'unattributedSale', 'webhookDelivery', 'coupon'] as const) await world.get(kind)
    await world.get('payoutReference')
    const read = (who: string) =>
      db.$queryRawUnsafe<{ name: string }[]>(`select distinct name from written where who ${who} '${role}' order by 1`)
    const byProgram = (await read('=')).map(({ name }) => name)
    const byService = (await read('<>')).map(({ name }) => name)
    expect(byProgram).toEqual(
      expect.arrayContaining([
        ...['affiliate_coupons', 'affiliate_links', 'affiliates', 'campaigns', 'changes', 'commissions', 'customers'],
        ...['money_events', 'payouts', 'referrals', 'refunds', 'sales', 'unattributed_sales', 'webhook_endpoints'],
      ]),
    )
    expect(byService.filter((name) => !inBackground.includes(name))).toEqual([])
  })

  test('no event of another program is recorded', async () => {
    const recorded = JSON.stringify({ program_id: theirId(), states: [], events: [] })
    const recording = db
      .ofProgram(ourId())
      .$transaction((tx) => tx.$queryRawUnsafe('select record_events($1::jsonb)', recorded))
    await expect(recording).rejects.toThrow('the transaction is of another program')
  })

  describe('with the conditions of the service taken out of every statement', () => {
    // Every statement with parameters is sent by this method. What was prepared before keeps its conditions, so the
    // database is opened again.
    const { prototype } = pg.Connection as unknown as { prototype: { parse(message: { text: string }): void } }
    const { parse } = prototype
    let removed = 0
    beforeAll(() => {
      prototype.parse = function (message, ...more) {
        const text = message.text.replace(/[\w".]*\bprogram_id"? = (\$\d+)(::uuid)?/g, (_, parameter: string) => {
          removed += 1
          return `${parameter}::uuid is not null`
        })
        return (parse as (...args: unknown[]) => void).call(this, { ...message, text }, ...more)
      }
    })
    afterAll(() => {
      prototype.parse = parse
    })

    const body = { name: 'Taken over', first_name: 'Taken over', amount: 1, token: 'taken-over', state: 'disabled' }
    type Ids = Record<string, string>
    const writes = (ids: Ids): [method: string, path: string, body: object][] => {
      return [
        ['PUT', `/affiliates/${ids.affiliate}`, body],
        ['PUT', `/affiliate_links/${ids.link}`, body],
        ['PUT', `/campaigns/${ids.campaign}`, body],
        ['PUT', `/commissions/${ids.commission}`, body],
        ['DELETE', `/commissions/${ids.commission}`, {}],
        ['POST', `/payouts/${ids.payout}/pay`, {}],
        ['POST', `/affiliates/${ids.affiliate}/links`, { token: 'taken-over' }],
        ['POST', '/conversions/refund', { sale_id: ids.sale, amount_cents: 1 }],
        ['POST', '/conversions', { amount_cents: 100, email: 'theirs-customer@example.com' }],
        ['POST', '/conversions', { amount_cents: 100, referral_id: ids.referral }],
      ]
    }

    /** Two programs, of which one sends writes with ids of the other. Says whether something of the other has changed. */
    async function attack(database: TestDatabase, send: (ours: World, ids: Ids) => Promise<void>): Promise<boolean> {
      const app = await createTestApp({ database })
      const theirs = createWorld(app, await app.createProgram(), 'theirs')
      const ids: Ids = {}
      for (const kind of [
        'affiliate',
        'link',
        'coupon',
        'campaign',
        'commission',
        'payout',
        'sale',
        'referral',
        'webhookEndpoint',
      ] as const)
        ids[kind] = await theirs.get(kind)
      const ours = createWorld(app, await app.createProgram(), 'ours')
      const before = await rowsOf(app, theirs.program.id)
      removed = 0
      await send(ours, ids)
      expect(removed).toBeGreaterThan(0)
      return (await rowsOf(app, theirs.program.id)) !== before
    }

    const deletion = ({ webhookEndpoint }: Ids) =>
      `mutation { deleteWebhookEndpoint(input: { id: "${webhookEndpoint}" }) { __typename } }`

    const sendAll = async ({ program }: World, ids: Ids) => {
      const headers = { 'Content-Type': 'application/json' }
      for (const [method, path, body] of writes(ids)) {
        const sent = method === 'DELETE' ? {} : { body: JSON.stringify(body) }
        await program.send(path, { method, headers, ...sent })
        // In one transaction with the key, and with the answer.
        await program.send(path, { method, headers: { ...headers, 'Idempotency-Key': `${method} ${path}` }, ...sent })
      }
      await program.graphql(deletion(ids)).catch(() => {})
      for (const [verb, kind] of [
        ['archiveCampaign', 'campaign'],
        ['archiveAffiliateLink', 'link'],
        ['archiveAffiliateCoupon', 'coupon'],
        ['voidCommission', 'commission'],
        ['payPayout', 'payout'],
      ] as const)
        await program.graphql(`mutation { ${verb}(input: { id: "${ids[kind]}" }) { __typename } }`).catch(() => {})
    }

    test('writes of one program change nothing of the other', async () => {
      expect(await attack(await createTestDatabase({ isOwn: true }), sendAll)).toBe(false)
    })

    test('without row-level security they would', async () => {
      const database = await createTestDatabase({ isOwn: true })
      Object.assign(database.db.sql, { programRole: null })
      const send = async ({ program }: World, ids: Ids) => {
        await program.graphql(deletion(ids))
      }
      expect(await attack(database, send)).toBe(true)
    })
  })
})

import { describe, expect, inject, it } from 'vitest'
import { isUnavailable } from '../../src/database/client/errors.ts'
import { foldListCounts } from '../../src/database/upkeep/list-counts.ts'
import { analyzeTables, cutTables, dropExpired } from '../../src/database/upkeep/partitions.ts'
import { leastIdOf } from '../../src/kernel/ids.ts'
import { deleteOldEvents } from '../../src/modules/event-log/retention.ts'
import { deleteOldVisits } from '../../src/modules/tracking/retention.ts'
import { createTestApp, type TestApp, type TestProgram } from '../support/app.ts'
import { createTestDatabase } from '../support/database.ts'
import { createAffiliate, createSeller } from '../support/factories.ts'
import { createPage, roomy } from '../support/tracking.ts'

const dayMs = 86_400_000
const onPostgres = inject('databases').postgres
const namesOf = async ({ database: { db } }: TestApp, table: string) =>
  (
    await db.$queryRaw<{ name: string }[]>`
      select name::text from table_partitions where of_table = ${table} order by from_id nulls first`
  ).map(({ name }) => name)
/** What autovacuum does: the number of rows is an estimate of the statistics. */
const analyze = ({ database: { db } }: TestApp) => db.$executeRawUnsafe('analyze')
const countIn = async ({ database: { db } }: TestApp, table: string) =>
  (await db.$queryRawUnsafe<[{ count: number }]>(`select count(*)::int as count from ${table}`))[0].count

/** As the upkeep does: what has waited too long for a lock, such as that of autovacuum, is done the next time. */
async function cut(...args: Parameters<typeof cutTables>): Promise<void> {
  await cutTables(...args).catch((error: unknown) => {
    if (!isUnavailable(error)) throw error
    return cut(...args)
  })
}

/** As the upkeep does: what somebody reads for longer than a drop waits, such as autovacuum, is dropped the next time. */
const dropUntil = (drop: () => Promise<unknown>, state: () => Promise<unknown>, expected: unknown) =>
  expect.poll(() => drop().then(state), { timeout: 60_000 }).toEqual(expected)

let visitors = 0

/** Visits of as many new visitors. */
async function visit(app: TestApp, program: TestProgram, token: string, count = 1): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const { status } = await createPage(app.app, program, `203.0.113.${++visitors}`).visit(token)
    expect(status).toBe(201)
  }
}

async function createProgramWithLink(app: TestApp, input = {}) {
  const program = await app.createProgram(input)
  const affiliate = await createAffiliate(program)
  const { body } = await program.get(`/affiliates/${affiliate.id}`)
  return { program, token: body.links[0].token as string, affiliateId: affiliate.id as string }
}

describe('visits', async () => {
  const app = await createTestApp({ database: await createTestDatabase({ isOwn: true }), tracking: roomy })
  const { db } = app.database
  const visitsOf = (program: TestProgram) => db.visit.count({ where: { programId: program.id } })

  it('are one partition until there are many', async () => {
    const { program, token } = await createProgramWithLink(app)
    await visit(app, program, token, 3)
    await analyze(app)
    await cut(db, app.clock.now, {})
    expect(await namesOf(app, 'visits')).toEqual(['visits_first'])
  })

  it('get a partition two days ahead, to which the rows of a sandbox that is ahead move', async () => {
    const { program, token } = await createProgramWithLink(app, { isSandbox: true })
    await visit(app, program, token)
    const advance = 'mutation ($id: ID!) { advanceClock(input: { programId: $id, days: 40 }) { program { id } } }'
    await app.operator(advance, { id: program.id })
    await visit(app, program, token, 2)
    await analyze(app)
    await db.$executeRaw`update pg_class set reltuples = 200000 where relname = 'visits_first'`
    // Two instances at the same time make one.
    await Promise.allSettled([1, 2].map(() => cut(db, app.clock.now, { visits: 360 }, { minRows: 1 })))
    expect(await namesOf(app, 'visits')).toEqual(['visits_first', 'visits_20260312'])
    expect(await countIn(app, 'visits_20260312')).toBe(2)
    expect(await visitsOf(program)).toBe(3)
    await visit(app, program, token, 4)
    expect(await countIn(app, 'visits_20260312')).toBe(6)
    // The next one follows after a period, a twelfth of the time for which visits are kept.
    await cut(db, new Date(app.clock.now.getTime() + 29 * dayMs), { visits: 360 }, { minRows: 0 })
    expect(await namesOf(app, 'visits')).toHaveLength(2)
  })

  it('have statistics of the whole table, gathered once by instances that do it at the same time', async () => {
    const { program, token } = await createProgramWithLink(app)
    await visit(app, program, token)
    const readRows = async () =>
      (await db.$queryRaw<[{ rows: number }]>`select reltuples::int as rows from pg_class where relname = 'visits'`)[0]
        .rows
    await analyze(app)
    const rows = await readRows()
    expect(rows).toBe(await db.visit.count())
    await db.$executeRaw`update pg_class set reltuples = 1 where relname = 'visits'`
    await Promise.all([1, 2].map(() => analyzeTables(db)))
    expect(await readRows()).toBe(rows)
  })

  it('are read from the partitions that can have them', async () => {
    app.clock.advanceDays(5)
    const { program, token } = await createProgramWithLink(app)
    await visit(app, program, token, 30)
    await analyze(app)
    const [last] = await db.visit.findMany({ where: { programId: program.id }, orderBy: { id: 'desc' }, take: 1 })
    const planOf = async (sql: string) =>
      db.$transaction(async (tx) => {
        // As with many rows, and many programs.
        await tx.$executeRawUnsafe('set local plan_cache_mode = force_generic_plan')
        await tx.$executeRawUnsafe('set local enable_seqscan = off')
        await tx.$executeRawUnsafe(`prepare read (uuid, uuid) as ${sql}`)
        const rows = await tx.$queryRawUnsafe<object[]>(
          `explain (analyze) execute read ('${program.id}', '${last?.id}')`,
        )
        await tx.$executeRawUnsafe('deallocate read')
        return rows.flatMap(Object.values).join('\n')
      })
    const byId = await planOf('select * from visits where program_id = $1 and id = $2')
    expect(byId).toContain('visits_20260312')
    expect(byId).not.toContain('visits_first')
    const page = await planOf('select * from visits where program_id = $1 and id <= $2 order by id desc limit 25')
    expect(page).toMatch(/visits_first.*never executed/)
  })

  it('are dropped with their partition, and those of the first one in batches', async () => {
    const { program, token } = await createProgramWithLink(app)
    const before = await visitsOf(program)
    await visit(app, program, token, 3)
    const cutAt = new Date(app.clock.now.getTime() + 26 * dayMs)
    await cut(db, cutAt, { visits: 360 }, { minRows: 0 })
    expect(await namesOf(app, 'visits')).toEqual(['visits_first', 'visits_20260312', 'visits_20260412'])
    const referrals = await db.referral.count({ where: { programId: program.id } })
    const expiresAt = new Date('2026-04-12T00:00:00Z').getTime() + 360 * dayMs
    // The last visits that the partition can have are not old enough.
    await deleteOldVisits(db, new Date(expiresAt - 1), 360)
    expect(await visitsOf(program)).toBe(before + 3)
    expect(await countIn(app, 'visits_first')).toBe(0)
    const left = ['visits_before_20260412', 'visits_20260412']
    await dropUntil(
      () => deleteOldVisits(db, new Date(expiresAt), 360),
      () => namesOf(app, 'visits'),
      left,
    )
    expect(await visitsOf(program)).toBe(0)
    expect(await db.referral.count({ where: { programId: program.id } })).toBe(referrals)
    // What is older than all partitions can still be written, for example by an import.
    await visit(app, program, token)
    expect(await visitsOf(program)).toBe(1)
  })

  it('a constraint that a crash left behind is removed', async () => {
    const name = (await namesOf(app, 'visits')).at(-1)
    await db.$executeRawUnsafe(
      `alter table ${name} add constraint ${name}_ends_1760000000 check (id < least_id('2026-05-01')) not valid`,
    )
    await cut(db, new Date('2026-05-11T00:00:00Z'), { visits: 360 }, { minRows: 0 })
    const left = await db.$queryRaw`select conname::text from pg_constraint where contype = 'c' and conname ~ '_ends_'`
    expect(left).toEqual([])
    expect(await namesOf(app, 'visits')).toHaveLength(3)
  })

  it('of a large table are checked before it is locked', async () => {
    // The estimate decides.
    const before = await namesOf(app, 'changes')
    await db.$executeRaw`update pg_class set reltuples = 200000 where relname = ${before.at(-1)}`
    await cut(db, new Date('2027-01-01T00:00:00Z'), {}, { minRows: 200_000 })
    expect(await namesOf(app, 'changes')).toEqual([...before, 'changes_20270103'])
    const left = await db.$queryRaw`select conname::text from pg_constraint where contype = 'c' and conname ~ '_ends_'`
    expect(left).toEqual([])
    await expect(db.$executeRawUnsafe('delete from changes_20270103')).rejects.toThrow('changes are history')
  })

  it.runIf(onPostgres)('stay for now while somebody reads them for long', async () => {
    const expired = { table: 'visits', until: new Date('2026-07-01T00:00:00Z'), keptDays: 30 } as const
    const before = await namesOf(app, 'visits')
    await db.$transaction(async (tx) => {
      await tx.$queryRaw`select count(*) from visits`
      await dropExpired(db, expired)
    })
    expect(await namesOf(app, 'visits')).toEqual(before)
    await dropUntil(
      () => dropExpired(db, expired),
      async () => (await namesOf(app, 'visits')).length < before.length,
      true,
    )
  })
})

it('least_id is leastIdOf', async () => {
  const app = await createTestDatabase({ isOwn: true })
  const at = new Date('2026-11-24T07:08:09.123Z')
  const [row] = await app.db.$queryRaw<[{ id: string; at: Date }]>`
    select least_id(${at}::timestamptz)::text as id, time_of_id(least_id(${at}::timestamptz)) as at`
  await app.drop()
  expect(row).toEqual({ id: leastIdOf(at), at })
})

describe('events', async () => {
  const app = await createTestApp({
    database: await createTestDatabase({ isOwn: true }),
    startsAt: new Date().toISOString(),
  })
  const { db } = app.database

  /** Copies the last event and its state to a time, as often as asked. Returns the ids of the copies. */
  async function copyEvents(program: TestProgram, at: Date, count: number): Promise<string[]> {
    const rows = await db.$queryRaw<{ id: string }[]>`
      with last as (
        select * from events where program_id = ${program.id}::uuid order by id desc limit 1
      ), numbers as (
        select n, event_id(${at}::timestamptz, n) as id, event_id(${at}::timestamptz - interval '1 ms', n) as state_id
        from generate_series(1, ${count}::int) n
      ), states as (
        insert into event_states (program_id, id, state, rows)
        select s.program_id, numbers.state_id, s.state, s.rows from last
          join event_states s on s.program_id = last.program_id and s.id = last.state_id cross join numbers
      ), copied as (
        insert into events (program_id, id, type, subject, subject_id, version, affiliate_id, campaign_id, actor_kind, actor_id,
          request_id, state_id, created_at, transaction)
        select program_id, numbers.id, type, subject, subject_id, version - ${count}::int * 1000 + n, affiliate_id, campaign_id, actor_kind,
          actor_id, request_id, numbers.state_id, ${at}::timestamptz, transaction from last cross join numbers
        returning program_id, id
      )
      insert into list_deltas (program_id, list, row_id, state, count) select program_id, 'events', id, '', 1 from copied
      returning row_id::text as id`
    return rows.map(({ id }) => id)
  }
  const totalOf = async (program: TestProgram) =>
    (await program.graphql('{ events(first: 1) { totalCount } }')).events.totalCount as number
  const kept = { events: 90, event_states: 90 }
  const days = (count: number) => new Date(Date.now() + count * dayMs)

  it('keep their states if only they have several partitions, and so are deleted later', async () => {
    const program = await app.createProgram()
    await createSeller(program)
    await db.$executeRaw`update pg_class set reltuples = 200000 where relname = 'events_first'`
    await cut(db, days(0), kept, { minRows: 200_000 })
    expect(await namesOf(app, 'events')).toHaveLength(2)
    expect(await namesOf(app, 'event_states')).toHaveLength(1)
    const before = await totalOf(program)
    // All are too old by now, but not by a twelfth of the 90 days.
    await deleteOldEvents(db, days(90 + 1), 90)
    expect(await totalOf(program)).toBe(before)
    const { events } = await program.graphql('{ events(first: 100) { nodes { data } } }')
    expect(events.nodes).toHaveLength(before)
    expect(events.nodes).not.toContainEqual({ data: null })
  })

  it('are dropped with their states and their count, but for those that webhooks wait for', async () => {
    const program = await app.createProgram()
    await createSeller(program)
    const other = await app.createProgram()
    await createAffiliate(other)
    // Partitions of the past cannot be made, so the rows are of the future, and the clock of the retention is later still.
    await cut(db, days(0), kept, { minRows: 0 })
    await cut(db, days(20), kept, { minRows: 0 })
    await cut(db, days(40), kept, { minRows: 0 })
    expect(await namesOf(app, 'events')).toHaveLength(4)
    const ownBefore = [await totalOf(program), await totalOf(other)]
    const dropped = await copyEvents(program, days(10), 5_000)
    await foldListCounts(db)
    const second = await copyEvents(program, days(30), 7)
    await copyEvents(program, days(50), 3)
    const waiting = [dropped[17], second[3]].map((eventId) => ({ programId: program.id, eventId: eventId as string }))
    await db.webhookQueueEntry.createMany({ data: waiting })
    await dropUntil(
      () => deleteOldEvents(db, days(90 + 43), 90),
      async () => [(await namesOf(app, 'events')).length, (await namesOf(app, 'event_states')).length],
      [2, 2],
    )
    const left = await db.event.findMany({ where: { programId: program.id }, orderBy: { id: 'asc' } })
    expect(left.map(({ id }) => id).slice(0, 2)).toEqual(waiting.map(({ eventId }) => eventId))
    expect(left).toHaveLength(2 + 3)
    expect(await db.eventState.count({ where: { programId: program.id } })).toBe(left.length)
    expect(await totalOf(program)).toBe(left.length)
    await foldListCounts(db)
    expect(await totalOf(program)).toBe(left.length)
    expect(await totalOf(other)).toBe(0)
    expect(ownBefore.every((count) => count > 0)).toBe(true)
    const { events } = await program.graphql('{ events(first: 100) { nodes { id data } } }')
    expect(events.nodes).toHaveLength(left.length)
    await db.webhookQueueEntry.deleteMany({ where: { programId: program.id } })
  })

  it('of one subject have unique versions in each partition, and versions grow across them', async () => {
    const program = await app.createProgram()
    const { affiliate } = await createSeller(program)
    const versions = async () =>
      (
        await db.event.findMany({
          where: { programId: program.id, subjectId: affiliate.id },
          orderBy: { id: 'asc' },
        })
      ).map(({ version }) => version)
    await program.put(`/affiliates/${affiliate.id}`, { first_name: 'Ada' })
    const before = await versions()
    expect(before.length).toBeGreaterThan(1)
    expect([...before].sort((a, b) => Number(a - b))).toEqual(before)
    const duplicate = db.$executeRaw`
      update events set version = ${before[0]} where program_id = ${program.id}::uuid and subject_id = ${affiliate.id}::uuid`
    await expect(duplicate).rejects.toThrow(/unique|duplicate/i)
  })
})

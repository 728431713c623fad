import { expect, it } from 'vitest'
import { makeDemoProgram } from '../../../src/modules/demo/service.ts'
import { createTestApp, restClient } from '../../support/app.ts'
import { createAffiliate, unknownId } from '../../support/factories.ts'

const app = await createTestApp()
const { db } = app.database
const deleteProgram = `mutation ($input: DeleteProgramInput!) {
  deleteProgram(input: $input) { deletedProgramId slug deletedRows }
}`
const failure = async (run: Promise<unknown>) =>
  run.then(
    () => expect.unreachable('it was not refused'),
    (error) => error.errors[0],
  )

/** How many rows of a program each table has; tables without any are left out. */
async function countRows(programId: string): Promise<Record<string, number>> {
  const tables = await db.$queryRaw<{ name: string }[]>`
    select c.relname::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid
    where a.attname = 'program_id' and c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace order by 1`
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const query = `select count(*)::int as count from "${name}" where program_id = '${programId}'`
    const [row] = await db.$queryRawUnsafe<{ count: number }[]>(query)
    if (row && row.count > 0) counts[name] = row.count
  }
  return counts
}

/** The same without analytics, which are summed up in the background: what a program has is then fewer rows. */
async function countRecords(programId: string): Promise<Record<string, number>> {
  const counts = Object.entries(await countRows(programId))
  return Object.fromEntries(counts.filter(([name]) => !name.startsWith('analytics_')))
}

async function createProgramWithSale() {
  const program = await app.createProgram()
  const affiliate = await createAffiliate(program)
  await program.post('/affiliate_coupons', { affiliate_id: affiliate.id, token: `C${program.slug}`.slice(0, 30) })
  const sale = { coupon: `C${program.slug}`.slice(0, 30), amount_cents: 4_900, email: 'grace@example.com' }
  expect((await program.post('/conversions', sale)).status).toBe(201)
  return program
}

it('deletes everything of a program and nothing of another one', async () => {
  const kept = await createProgramWithSale()
  const demo = (await makeDemoProgram(db, { now: app.clock.now, asked: true, months: 6 })) ?? expect.unreachable()
  const { id, slug } = demo.program
  await db.importedRecord.create({
    data: { programId: id, kind: 'sale', externalId: 'x', seen: {}, seenAt: app.clock.now },
  })
  const rest = restClient(app.app.fetch, { Authorization: `Bearer ${demo.secret}` })
  const { body: campaigns } = await rest.get('/campaigns?limit=1')
  expect((await rest.put(`/campaigns/${campaigns.data[0].id}`, { name: 'Renamed' })).status).toBe(200)
  const [before, keptBefore] = [await countRecords(id), await countRecords(kept.id)]
  expect(Object.keys(before)).toEqual(
    expect.arrayContaining([
      'api_keys',
      'affiliates',
      'changes',
      'imported_records',
      'money_events',
      'payouts',
      'sales',
    ]),
  )

  const refusal = await failure(app.operator(deleteProgram, { input: { id, confirmSlug: slug } }))
  expect(refusal).toMatchObject({ extensions: { code: 'REFUSED' }, message: expect.stringContaining('paid payouts') })
  expect(await countRecords(id)).toEqual(before)

  const input = { id, confirmSlug: slug, confirmPaidPayouts: true }
  const result = await app.operator(deleteProgram, { input })
  expect(result.deleteProgram).toMatchObject({ deletedProgramId: id, slug })
  expect(result.deleteProgram.deletedRows).toBeGreaterThanOrEqual(
    Object.values(before).reduce((sum, count) => sum + count, 0),
  )
  expect(await countRows(id)).toEqual({})
  expect(await countRecords(kept.id)).toEqual(keptBefore)
  expect((await rest.get('/affiliates')).status).toBe(401)
  expect((await kept.get('/affiliates')).status).toBe(200)
  expect((await failure(app.operator(deleteProgram, { input }))).extensions.code).toBe('NOT_FOUND')

  // Facts are append-only again, also on the connection that deleted the program.
  await expect(db.$executeRaw`delete from money_events`).rejects.toThrow('cannot be changed or removed')
  await expect(db.$executeRaw`delete from changes`).rejects.toThrow('cannot be changed or removed')
})

it('a program whose deletion is interrupted is gone for every reader, and removed later', async () => {
  const program = await createProgramWithSale()
  await db.$executeRaw`create function keep_campaigns() returns trigger language plpgsql as 'begin raise exception ''kept''; end'`
  await db.$executeRaw`create trigger keep_campaigns before delete on campaigns execute function keep_campaigns()`
  const input = { id: program.id, confirmSlug: program.slug }
  await failure(app.operator(deleteProgram, { input }))
  await db.$executeRaw`drop trigger keep_campaigns on campaigns`
  expect((await countRows(program.id)).campaigns).toBe(1)

  expect((await program.get('/affiliates')).status).toBe(401)
  expect((await failure(app.operator(deleteProgram, { input }))).extensions.code).toBe('NOT_FOUND')
  const { programs } = await app.operator('{ programs { id } }')
  expect(programs).not.toContainEqual({ id: program.id })
  const named = app.operator('{ program { id } }', {}, { 'X-Program-Id': program.slug })
  expect((await failure(named)).message).toBe(`Program not found: ${program.slug}`)
  // Its slug is free.
  const again = await app.createProgram({ slug: program.slug })
  expect(again.slug).toBe(program.slug)

  await db.program.update({ where: { id: program.id }, data: { deletedAt: new Date(0) } })
  await app.app.flush()
  expect(await countRows(program.id)).toEqual({})
  expect(await db.program.findUnique({ where: { id: program.id } })).toBeNull()
})

it('requires the slug of the program, and the operator', async () => {
  const program = await app.createProgram()
  const other = await app.createProgram()
  const wrong = await failure(app.operator(deleteProgram, { input: { id: program.id, confirmSlug: other.slug } }))
  expect(wrong).toMatchObject({
    extensions: { code: 'INVALID_INPUT' },
    message: expect.stringContaining(`"${program.slug}"`),
  })
  const own = { id: program.id, confirmSlug: program.slug }
  expect((await failure(program.graphql(deleteProgram, { input: own }))).extensions.code).toBe('FORBIDDEN')
  expect((await program.get('/affiliates')).status).toBe(200)
  const unknown = { id: unknownId, confirmSlug: 'x' }
  expect((await failure(app.operator(deleteProgram, { input: unknown }))).extensions.code).toBe('NOT_FOUND')
})

it('the slug of a deleted program is free again, and the demo is not made again unless asked for', async () => {
  await db.program.findMany().then(async (programs) => {
    for (const { id, slug } of programs)
      await app.operator(deleteProgram, { input: { id, confirmSlug: slug, confirmPaidPayouts: true } })
  })
  expect(await makeDemoProgram(db, { now: app.clock.now })).toBeNull()
  const again = await makeDemoProgram(db, { now: app.clock.now, asked: true, months: 6 })
  expect(again?.program.slug).toBe('northwind-analytics')
  expect(await makeDemoProgram(db, { now: app.clock.now, asked: true, months: 6 })).toBeNull()
})

it('the operator names a program by its id or its slug, in any case', async () => {
  const program = await app.createProgram()
  const named = (name: string) => app.operator('{ program { id } }', {}, { 'X-Program-Id': name })
  for (const name of [program.id, program.slug, program.slug.toUpperCase(), program.id.toUpperCase()])
    expect((await named(name)).program.id).toBe(program.id)
  expect((await failure(named('no-such-program'))).message).toBe('Program not found: no-such-program')
  expect((await failure(named('../x'))).extensions.code).toBe('NOT_FOUND')
})

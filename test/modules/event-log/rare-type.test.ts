import { expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { createAffiliate } from '../../support/factories.ts'

const test = await createTestApp()
const { db } = test.database

/** Copies of an event, a second apart. */
const filling = `
  insert into events (program_id, id, type, subject, subject_id, version, actor_kind, request_id, state_id, created_at)
  select program_id, event_id(created_at - n * interval '1 second', n), 'sale.created', 'sale', gen_random_uuid(), n, actor_kind,
    request_id, state_id, created_at
  from generate_series(1, 5000) n cross join (select * from events where program_id = $1::uuid limit 1) event`

it('a page of a rare type is found by the index of types, also if all events so far are of another', async () => {
  const program = await test.createProgram()
  await createAffiliate(program)
  await db.$executeRawUnsafe(filling, program.id)
  await db.event.updateMany({ where: { programId: program.id }, data: { type: 'sale.created' } })
  await db.$executeRaw`select list_counts_rebuild()`
  await db.$executeRaw`analyze events`
  const plan = await db.$transaction(async (tx) => {
    // As the service runs it: planned for any type.
    await tx.$executeRaw`set local plan_cache_mode = force_generic_plan`
    await tx.$executeRaw`
      prepare page_of_type(uuid, text, int) as select id from events where program_id = $1 and type = $2 order by id desc limit $3`
    const rows = await tx.$queryRawUnsafe<object[]>(
      `explain execute page_of_type('${program.id}', 'program.updated', 26)`,
    )
    await tx.$executeRaw`deallocate page_of_type`
    return rows.flatMap(Object.values).join('\n')
  })
  expect(plan).toContain('_program_id_type_id_idx')
})

import { expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { createAffiliate, createSeller, made } from '../../support/factories.ts'

const test = await createTestApp()
const { db } = test.database

/** The events of a program, oldest first. */
const eventsOf = async ({ id: programId }: Pick<TestProgram, 'id'>) =>
  db.event.findMany({ where: { programId }, orderBy: { id: 'asc' } })

it('the events of a cause follow each other in the log, are counted, and have versions in their order', async () => {
  const program = await test.createProgram()
  const { coupon } = await createSeller(program)
  const before = (await eventsOf(program)).length
  await made(program.post('/conversions', { coupon, email: 'grace@example.com', amount_cents: 1_000 }))
  const { events: log } = await program.graphql('{ events(first: 1) { totalCount } }')
  expect(log.totalCount).toBe(before + 5)
  const events = (await eventsOf(program)).slice(before)
  expect(events.map(({ type }) => type)).toEqual([
    'referral.created',
    'referral.lead',
    'referral.converted',
    'sale.created',
    'commission.created',
  ])
  const [created, lead, converted] = events.map(({ version }) => version) as [bigint, bigint, bigint]
  expect([lead - created, converted - lead]).toEqual([1n, 1n])
  expect(new Set(events.map(({ stateId }) => stateId)).size).toBe(1)
  for (const { id, stateId } of events) expect(id > stateId).toBe(true)
  // The range of list_counts that a cause is counted in has all of its ids.
  expect(new Set(events.map(({ id }) => id.slice(0, 28))).size).toBe(1)
})

it('the version of a subject grows also if the clock of the database was set back', async () => {
  const program = await test.createProgram()
  const affiliate = await createAffiliate(program)
  const tomorrow = BigInt(Date.now() + 86_400_000)
  await db.$executeRaw`
    update events set version = version + ${86_400_000} where program_id = ${program.id}::uuid and subject_id = ${affiliate.id}::uuid`
  await made(program.put(`/affiliates/${affiliate.id}`, { first_name: 'Ada' }))
  const versions = (await eventsOf(program))
    .filter(({ subjectId }) => subjectId === affiliate.id)
    .map(({ version }) => version)
  expect(versions.length).toBeGreaterThan(2)
  expect(versions).toEqual(versions.toSorted((a, b) => Number(a - b)))
  expect(versions.at(-1)).toBeGreaterThan(tomorrow - 60_000n)
  expect(new Set(versions).size).toBe(versions.length)
})

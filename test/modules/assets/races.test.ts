import { afterAll, expect, it } from 'vitest'
import { lockProgram } from '../../../src/modules/programs/lock.ts'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { isPostgres } from '../../support/parallel.ts'
import { createS3 } from '../../support/s3.ts'

const s3 = await createS3()
const test = await createTestApp({ bucket: s3.bucket })
afterAll(s3.close)

/** The smallest PNG: one pixel. */
const content = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const run = (program: TestProgram, name: string, id: string) =>
  program.graphql(`mutation ($id: ID!) { ${name}(input: { id: $id }) { asset { id } } }`, { id })

async function createArchived(program: TestProgram): Promise<string> {
  const { createAsset } = await program.graphql(
    'mutation ($content: String!) { createAsset(input: { kind: IMAGE, name: "Banner", content: $content }) { asset { id } } }',
    { content },
  )
  await run(program, 'archiveAsset', createAsset.asset.id)
  return createAsset.asset.id
}

/** How many transactions wait for a lock in the database of this file. */
async function countWaiting(): Promise<number> {
  const [row] = await test.database.db.$queryRaw<[{ count: number }]>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  return row.count
}

/** Starts requests that wait for the lock of the program, one after the other, and then does something. */
async function whileLocked(program: TestProgram, requests: (() => Promise<unknown>)[], then = async () => {}) {
  const started: Promise<unknown>[] = []
  await test.database.db.$transaction(async (tx) => {
    await lockProgram(tx, program.id)
    for (const request of requests) {
      started.push(request())
      await expect.poll(countWaiting).toBe(started.length)
    }
    await then()
  })
  return (await Promise.allSettled(started)).map(({ status }) => status)
}

it.skipIf(!isPostgres)('an asset is not shown again and deleted at once, in neither order', async () => {
  const program = await test.createProgram()
  for (const names of [
    ['deleteAsset', 'unarchiveAsset'],
    ['unarchiveAsset', 'deleteAsset'],
  ]) {
    const id = await createArchived(program)
    const done = await whileLocked(
      program,
      names.map((name) => () => run(program, name, id)),
    )
    expect(done).toEqual(['fulfilled', 'rejected'])
    const asset = await test.database.db.asset.findFirst({ where: { id } })
    expect(asset?.deletedAt === null).toBe(asset?.archivedAt === null)
  }
})

it.skipIf(!isPostgres)('a file is deleted, although files are cleaned up while its asset is deleted', async () => {
  const program = await test.createProgram()
  const id = await createArchived(program)
  const cleanUp = () => test.app.deleteStrayObjects()
  expect(await whileLocked(program, [() => run(program, 'deleteAsset', id)], cleanUp)).toEqual(['fulfilled'])
  test.clock.advanceMinutes(1)
  await cleanUp()
  expect([s3.objects.has(`${program.id}/${id}`), await test.database.db.strayObject.count()]).toEqual([false, 0])
})

it('a deleted asset cannot be read by its id', async () => {
  const program = await test.createProgram()
  const id = await createArchived(program)
  const read = () => program.graphql('query ($id: ID!) { node(id: $id) { id } }', { id })
  expect((await read()).node.id).toBe(id)
  await run(program, 'deleteAsset', id)
  expect((await read()).node).toBeNull()
})

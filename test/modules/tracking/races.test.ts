import { describe, expect, inject, it } from 'vitest'
import type { Prisma } from '../../../src/generated/prisma/client.ts'
import { createInstance, createTestApp } from '../../support/app.ts'
import { silentLog } from '../../support/database.ts'
import { createAffiliate, createSeller } from '../../support/factories.ts'
import { click, createPage, roomy } from '../../support/tracking.ts'

const isPostgres = inject('databases').postgres !== undefined
const needsPostgres =
  'needs PostgreSQL (TEST_DATABASE_URL): the embedded database has one connection, which hides every race'

const times = <T>(count: number, run: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)))

describe.skipIf(!isPostgres)('concurrent visits', async () => {
  if (!isPostgres) return it(needsPostgres, () => {})
  const app = await createTestApp({ tracking: roomy })
  /** Three instances of the service on one database. */
  const instances = [
    app.app,
    ...[1, 2].map(() =>
      createInstance({
        database: app.database,
        adminToken: 'another-instance',
        publicUrl: () => '',
        log: silentLog,
        now: () => app.clock.now,
        tracking: roomy,
      }),
    ),
  ]
  const instance = (index: number) => instances[index % instances.length] as (typeof instances)[number]
  /** Waits until another connection waits for a lock of this transaction. */
  const isWaiting = async (tx: Prisma.TransactionClient) => {
    for (let waiting: unknown[] = []; waiting.length === 0; )
      waiting =
        await tx.$queryRaw`select 1 from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`
  }
  const flush = () => Promise.all(instances.map((one) => one.flush()))

  it('50 identical visits on three instances create one referral and one visit, counted once', async () => {
    for (let round = 0; round < 5; round++) {
      const program = await app.createProgram()
      const { affiliate, link } = await createSeller(program)
      const answers = await times(50, (index) => createPage(instance(index), program).visit(link.token))
      expect(new Set(answers.map(({ body }) => body.referral_id)).size).toBe(1)
      expect(answers.map(({ status }) => status).filter((status) => status === 201)).toHaveLength(1)
      await flush()
      expect(await app.database.db.referral.count({ where: { programId: program.id } })).toBe(1)
      expect(await app.database.db.visit.count({ where: { programId: program.id } })).toBe(1)
      expect((await program.get(`/affiliates/${affiliate.id}`)).body.visitors).toBe(1)
    }
  })

  it('1,500 clicks by 300 visitors on 5 links, during updates and flushes, count each visitor once', async () => {
    const program = await app.createProgram()
    const affiliates = await times(5, (index) => createAffiliate(program, { token: `a${index}` }))
    let isBusy = true
    const counting = (async () => {
      while (isBusy) await flush()
    })()
    const changing = (async () => {
      for (let n = 0; isBusy; n++) await program.put(`/affiliates/${affiliates[n % 5]?.id}`, { first_name: `N${n}` })
    })()
    const locations = await times(1_500, async (index) => {
      const visitor = { 'X-Forwarded-For': `198.51.${Math.floor((index % 300) / 100)}.${index % 100}` }
      const { location } = await click(instance(index), `/r/${program.slug}/a${index % 5}`, visitor)
      return new URL(location).searchParams.get('referral')
    })
    isBusy = false
    await Promise.all([counting, changing])
    await flush()
    // 300 is a multiple of 5, so each visitor clicks one link five times.
    expect(new Set(locations).size).toBe(300)
    const rows = await app.database.db.affiliate.findMany({ where: { programId: program.id } })
    expect(rows.map(({ visitors }) => visitors)).toEqual([60, 60, 60, 60, 60])
  })

  it("while their link is deleted, lead to the program's URL without a visit", async () => {
    const program = await app.createProgram({ url: 'https://acme.test/home' })
    const { link } = await createSeller(program)
    let clicks: ReturnType<typeof click>[] = []
    await app.database.db.$transaction(async (tx) => {
      await tx.affiliateLink.delete({ where: { programId_id: { programId: program.id, id: link.id } } })
      clicks = [0, 1, 2].map((index) => click(instance(index), `/r/${program.slug}/${link.token}`))
      await isWaiting(tx)
    })
    for (const { status, location } of await Promise.all(clicks))
      expect([status, location]).toEqual([302, 'https://acme.test/home'])
    expect(await app.database.db.visit.count({ where: { programId: program.id } })).toBe(0)
  })

  it('can become leads while they are counted', async () => {
    const program = await app.createProgram()
    const { affiliate, link } = await createSeller(program)
    const states = await times(60, async (index) => {
      const page = createPage(instance(index), program)
      const { body } = await page.visit(link.token, { visitor: `v${index}` })
      const [lead] = await Promise.all([
        page.lead(body.referral_id, { email: `c${index}@example.com` }),
        instance(index + 1).flush(),
      ])
      return lead.body.conversion_state
    })
    await flush()
    expect(new Set(states)).toEqual(new Set(['lead']))
    expect((await program.get(`/affiliates/${affiliate.id}`)).body).toMatchObject({ visitors: 60, leads: 60 })
  })
})

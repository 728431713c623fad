import { describe, expect, it, vi } from 'vitest'
import { examine } from '../../src/modules/doctor/service.ts'
import { createTestApp } from '../support/app.ts'
import { listed } from '../support/factories.ts'
import { isPostgres, needsPostgres } from '../support/parallel.ts'
import { earner, runsOf } from '../support/payout-runs.ts'

describe.skipIf(!isPostgres)('payout runs at the same time', async () => {
  if (!isPostgres) return it(needsPostgres, () => {})
  const app = await createTestApp()
  const outcome = (run: Promise<unknown>) =>
    run.then(
      () => 'done',
      () => 'refused',
    )

  const waitsForLock = () =>
    vi.waitFor(async () => {
      const rows = await app.database.db.$queryRawUnsafe<{ count: number }[]>(
        `select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      )
      expect(rows[0]?.count).toBeGreaterThan(0)
    }, 10_000)

  it('two runs: each payout is in one of them', async () => {
    const program = await app.createProgram()
    for (let n = 0; n < 6; n += 1) await earner(program)
    // A run of nothing is refused.
    const create = (n: number) =>
      runsOf(program)
        .create({ method: n % 2 ? 'GENERIC' : 'MANUAL' })
        .catch(() => null)
    const runs = await Promise.all([0, 1, 2, 3].map(create))
    const ids = runs.flatMap((run) => run?.items.nodes ?? []).map(({ payoutId }: { payoutId: string }) => payoutId)
    expect([ids.length, new Set(ids).size]).toEqual([6, 6])
  })

  it('a refund against marking: what is paid is the amount in the file, and the refund counts', async () => {
    const seen = new Set<string>()
    for (let round = 0; round < 12; round += 1) {
      const program = await app.createProgram()
      const { saleId } = await earner(program)
      const runs = runsOf(program)
      const run = await runs.create({ method: 'MANUAL' })
      const refund = () => program.post('/conversions/refund', { sale_id: saleId })
      const mark = () => outcome(runs.markPaid(run.id))
      const [marked] =
        round % 2 ? await Promise.all([mark(), refund()]) : (await Promise.all([refund(), mark()])).reverse()
      seen.add(marked as string)
      const paid = await listed(program, '/payouts?state=paid')
      expect(paid.map(({ amount }) => amount)).toEqual(marked === 'done' ? [1_000] : [])
      const debts = (await listed(program, '/commissions')).filter(({ amount }) => amount < 0)
      expect(debts).toHaveLength(marked === 'done' ? 1 : 0)
    }
    expect(seen.size).toBeGreaterThan(0)
    expect(await examine(app.database)).toEqual([])
  })

  it('a refund against the creation of a run: nothing is paid at an amount that the refund took away', async () => {
    const program = await app.createProgram()
    const runs = runsOf(program)
    for (let round = 0; round < 12; round += 1) {
      const { saleId } = await earner(program)
      const create = () => runs.prepare({ method: 'GENERIC' }).catch(() => null)
      const refund = () => program.post('/conversions/refund', { sale_id: saleId })
      const [run, refunded] =
        round % 2
          ? await Promise.all([create(), refund()])
          : ((await Promise.all([refund(), create()])).reverse() as [Awaited<ReturnType<typeof create>>, unknown])
      expect(refunded).toMatchObject({ status: 201 })
      // Nothing was left to pay.
      if (!run) continue
      // The run came first, so it is at the amount of its file, which is no longer due.
      expect(run.items.nodes).toMatchObject([{ amountCents: 1_000 }])
      expect((await runs.look(run.id)).changed).toHaveLength(1)
      expect(await outcome(runs.markPaid(run.id))).toBe('refused')
      await runs.cancel(run.id)
    }
    expect(await listed(program, '/payouts?state=paid')).toEqual([])
    expect(await examine(app.database)).toEqual([])
  })

  it('an undo, a payment by hand and a late failure of the old payment: the new payment stays', async () => {
    const program = await app.createProgram()
    const { payout, affiliate } = await earner(program)
    const runs = runsOf(program)
    const run = await runs.create({ method: 'PAYPAL' })
    await runs.markPaid(run.id)
    const lock = 'select 1 from affiliates where id = $1::uuid for update'
    const failure = () => runs.record(run.id, [{ payoutId: payout.id, state: 'FAILED' }])
    // The undo waits for its turn when the others come, and one may overtake the other.
    const all = await app.database.db.$transaction(
      async (tx) => {
        await tx.$queryRawUnsafe(lock, affiliate.id)
        const undone = outcome(runs.undo(payout.id))
        await waitsForLock()
        return [undone, outcome(program.post(`/payouts/${payout.id}/pay`)), outcome(failure())]
      },
      { timeout: 20_000 },
    )
    await Promise.all(all)
    const states = (await listed(program, '/payouts')).map(({ state }) => state)
    const gone = await app.database.db.payoutRunItem.aggregate({
      where: { payoutId: payout.id },
      _sum: { goneCents: true },
    })
    // Whichever came first: what is recorded as gone is what the payouts say.
    expect(gone._sum.goneCents).toBe(states.includes('paid') ? 1_000n : 0n)
    expect(await examine(app.database)).toEqual([])
  })

  it('the same report twice, while the run is marked as paid: each payment has one result', async () => {
    const program = await app.createProgram()
    const made = []
    for (let n = 0; n < 4; n += 1) made.push((await earner(program)).payout.id)
    const runs = runsOf(program)
    const run = await runs.create({ method: 'MANUAL' })
    await runs.markSent(run.id)
    const file = ['Reference,Status', ...made.map((id, n) => `${id},${n % 2 ? 'FAILED' : 'COMPLETED'}`)].join('\n')
    const send = () =>
      program.graphql(
        'mutation ($input: ImportPayoutResultsInput!) { importPayoutResults(input: $input) { changed } }',
        { input: { runId: run.id, file } },
      )
    await Promise.all([outcome(send()), outcome(send()), outcome(runs.markPaid(run.id))])
    await send()
    const states = (await runs.read(run.id)).items.nodes.map(({ state }: { state: string }) => state)
    expect(states.sort()).toEqual(['FAILED', 'FAILED', 'PAID', 'PAID'])
    expect((await listed(program, '/payouts?state=pending')).map(({ amount }) => amount)).toEqual([1_000, 1_000])
    expect(await examine(app.database)).toEqual([])
  })
})

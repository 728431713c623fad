import { describe, expect, it } from 'vitest'
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

  it('two runs: each payout is in one of them', async () => {
    const program = await app.createProgram()
    for (let n = 0; n < 6; n += 1) await earner(program)
    const runs = await Promise.all(
      [0, 1, 2, 3].map((n) => runsOf(program).create({ method: n % 2 ? 'GENERIC' : 'MANUAL' })),
    )
    const ids = runs.flatMap(({ items }) => items.nodes.map(({ payoutId }: { payoutId: string }) => payoutId))
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
      const create = () => runs.create({ method: 'GENERIC' })
      const refund = () => program.post('/conversions/refund', { sale_id: saleId })
      const [run, refunded] =
        round % 2
          ? await Promise.all([create(), refund()])
          : ((await Promise.all([refund(), create()])).reverse() as [Awaited<ReturnType<typeof create>>, unknown])
      expect(refunded).toMatchObject({ status: 201 })
      if (run.payouts === 0) {
        expect(run.state).toBe('CANCELLED')
        continue
      }
      // The run came first, so it is at the amount of its file, which is no longer due.
      expect(run.items.nodes).toMatchObject([{ amountCents: 1_000 }])
      expect((await runs.read(run.id)).changed).toHaveLength(1)
      expect(await outcome(runs.markPaid(run.id))).toBe('refused')
      await runs.cancel(run.id)
    }
    expect(await listed(program, '/payouts?state=paid')).toEqual([])
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

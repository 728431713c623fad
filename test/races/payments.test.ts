import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { examine } from '../../src/modules/doctor/service.ts'
import { readFacts } from '../../src/modules/payouts/payments/facts.ts'
import { foldPayment } from '../../src/modules/payouts/payments/fold.ts'
import { createTestApp, type TestProgram } from '../support/app.ts'
import { isPostgres, needsPostgres } from '../support/parallel.ts'
import { earner, runsOf } from '../support/payout-runs.ts'

/** The payment of a payout of 10.00, in a run whose file was fetched. */
type Paid = { program: TestProgram; runId: string; payoutId: string; saleId: string }
type Move = readonly [name: string, make: (paid: Paid) => Promise<unknown>]

const onDay = (day: number) => `2026-03-0${day}T00:00:00Z`

const record = (state: string, at?: string): Move => [
  `${state} ${at ?? 'without a time'}`,
  ({ program, runId, payoutId }) => runsOf(program).record(runId, [{ payoutId, state, at }]),
]

const answered = async (response: Promise<{ status: number; body: unknown }>) => {
  const { status, body } = await response
  expect(status, JSON.stringify(body)).toBeLessThan(500)
}

/** What people, programs and services do at the same time. */
const moves: Move[] = [
  record('PAID'),
  record('PAID', onDay(2)),
  record('FAILED', onDay(3)),
  record('UNCLAIMED', onDay(4)),
  record('RETURNED', onDay(5)),
  record('CANCELLED'),
  ['paid by hand', ({ program, payoutId }) => answered(program.post(`/payouts/${payoutId}/pay`))],
  ['marked as sent', ({ program, runId }) => runsOf(program).markSent(runId)],
  ['marked as paid', ({ program, runId }) => runsOf(program).markPaid(runId)],
  ['cancelled', ({ program, runId }) => runsOf(program).cancel(runId, 'test', { confirmSent: true })],
  ['undone', ({ program, payoutId }) => runsOf(program).undo(payoutId)],
  ['refunded', ({ program, saleId }) => answered(program.post('/conversions/refund', { sale_id: saleId }))],
  [
    'paid by the next run',
    async ({ program }) => {
      const { id } = await runsOf(program).create({ method: 'GENERIC' })
      await runsOf(program).markPaid(id)
    },
  ],
]

/** A refusal is an answer. Everything else that fails is a fault. */
const settled = (change: Promise<unknown>) =>
  change.catch((error) => {
    const code = error.errors?.[0]?.extensions?.code
    if (!['REFUSED', 'INVALID_INPUT', 'NOT_FOUND'].includes(code)) throw error
  })

describe.skipIf(!isPostgres)('payments at the same time', async () => {
  if (!isPostgres) return it(needsPostgres, () => {})
  const app = await createTestApp()

  const check = async (first: Move | null, atOnce: readonly Move[]) => {
    const program = await app.createProgram()
    const { payout, saleId } = await earner(program)
    const run = await runsOf(program).create({ method: 'GENERIC' })
    const paid = { program, runId: run.id, payoutId: payout.id, saleId }
    if (first) await settled(first[1](paid))
    await Promise.all(atOnce.map(([, make]) => settled(make(paid))))
    const { db } = app.database
    const items = await db.payoutRunItem.findMany({ where: { programId: program.id } })
    const ids = items.map(({ id }) => id)
    const facts = await readFacts(db.sql, program.id, ids)
    const known = items.map(({ state, goneCents }) => ({ state, goneCents }))
    expect(known).toEqual(items.map((item) => foldPayment(item.amountCents, facts.get(item.id) ?? [])))
    expect(await examine(app.database, { programId: program.id })).toEqual([])
  }

  it('whatever happens to a payment at once: each fact counts, and what is owed follows', async () => {
    const seed = Number(process.env.MODEL_SEED)
    const move = fc.constantFrom(...moves)
    const several = fc.uniqueArray(move, { minLength: 2, maxLength: 4, selector: ([name]) => name })
    const property = fc.asyncProperty(fc.option(move), several, (first, atOnce) =>
      check(first, atOnce).catch((cause) => {
        const names = atOnce.map(([name]) => name).join(', ')
        throw new Error(`${first ? `After ${first[0]}: ` : ''}${names}`, { cause })
      }),
    )
    await fc.assert(property, { numRuns: Math.ceil(Number(process.env.MODEL_RUNS) / 10), seed, endOnFailure: true })
  }, 1_200_000)
})

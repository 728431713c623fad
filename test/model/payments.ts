import fc from 'fast-check'
import { expect } from 'vitest'
import { examine } from '../../src/modules/doctor/service.ts'
import type { TestApp, TestProgram } from '../support/app.ts'
import { createSeller, listed, made } from '../support/factories.ts'
import { runsOf } from '../support/payout-runs.ts'

// The world outside: a service that pays, fails, returns, reverses and reports late, twice and backwards, beside refunds,
// runs, undo and people. The model knows sales, and what was reported of payments. It follows the contract, not the code.

type Kind = 'paid' | 'failed' | 'unclaimed' | 'returned' | 'reversed' | 'cancelled'
/** Without a time: after all that was reported before it. Without an amount: all of the payment. */
type Report = { kind: Kind; at: number | null; cents: number | null }
type Payment = { id: string; runId: string; payoutId: string; cents: number; isFetched: boolean; reports: Report[] }
type Sale = { id: string; cents: number; refunded: number }
type World = {
  program: TestProgram
  coupons: string[]
  sales: Sale[]
  payments: Payment[]
}

const start = Date.parse('2026-03-01T00:00:00Z')
/** Where the clock of tests stands. */
const now = Date.parse('2026-03-10T12:00:00Z')
const iso = (at: number | null) => (at === null ? undefined : new Date(at).toISOString())
const pick = <T>(rows: readonly T[], at: number): T | undefined => rows[at % rows.length]
const isRefused = (error: any): true => {
  if (['REFUSED', 'INVALID_INPUT'].includes(error.errors?.[0]?.extensions?.code)) return true
  throw error
}
/** Whether it was done, or refused. */
const done = (change: Promise<unknown>): Promise<boolean> => change.then(() => true).catch((error) => !isRefused(error))

/** What has left by the reports and is not back. */
function goneBy({ reports, cents: asked }: Payment): number {
  const from = reports.findLastIndex(({ kind }) => kind === 'cancelled') + 1
  let latest = Number.NEGATIVE_INFINITY
  const timed = reports.slice(from).map((report) => {
    const position = report.at ?? latest
    latest = Math.max(latest, position)
    return { report, position }
  })
  // Nobody orders two times of "before all others".
  timed.sort((a, b) => (a.position === b.position ? 0 : a.position - b.position))
  return timed.reduce((gone, { report: { kind, cents } }) => {
    if (kind === 'paid') return cents ?? asked
    if (kind === 'failed') return 0
    return kind === 'returned' || kind === 'reversed' ? Math.max(gone - (cents ?? gone), 0) : gone
  }, 0)
}

/** Adds a report, unless it was made before: with its time, or as the same part of the amount. */
function add({ reports }: Payment, report: Report): void {
  const { kind, at, cents } = report
  const from = reports.findLastIndex((one) => one.kind === 'cancelled') + 1
  const within = at !== null ? reports : cents === null ? [] : reports.slice(from)
  if (within.some((one) => one.kind === kind && one.cents === cents && (at === null || one.at === at))) return
  // What comes back without a time comes back now. A payment without a time left at some time before.
  const isNow = at === null && kind !== 'paid' && kind !== 'cancelled'
  reports.push(isNow ? { ...report, at: now } : report)
}

type Item = {
  id: string
  runId: string
  runState: string
  payoutId: string
  amountCents: number
  goneCents: number
  state: string
}
const readItems = async ({ program }: World) =>
  (
    await program.graphql(
      '{ payoutRuns(first: 100) { nodes { id state items(first: 10) { nodes { id payoutId amountCents goneCents state isExtra } } } } }',
    )
  ).payoutRuns.nodes.flatMap(({ id: runId, state: runState, items }: any) =>
    items.nodes.map((item: object) => ({ ...item, runId, runState })),
  ) as (Item & { isExtra: boolean })[]

async function noteNew(world: World, isFetched: boolean, reports: () => Report[] = () => []): Promise<void> {
  for (const { id, runId, payoutId, amountCents: cents } of await readItems(world)) {
    if (world.payments.some((one) => one.id === id)) continue
    world.payments.push({ id, runId, payoutId, cents, isFetched, reports: reports() })
  }
}

const waits = ({ state }: Item) => ['PREPARED', 'SENT', 'UNCLAIMED'].includes(state)

/** Says something of all payments of a run that wait. */
async function sayOfWaiting(world: World, runId: string, kind: 'paid' | 'cancelled', change: () => Promise<unknown>) {
  const waiting = (await readItems(world)).filter((item) => item.runId === runId && waits(item))
  // A run whose payments all have a result is closed, also if one is unclaimed.
  const isClosed = kind === 'paid' && waiting.every(({ runState }) => runState === 'PAID')
  if (!(await done(change())) || isClosed) return
  for (const { id } of waiting)
    add(world.payments.find((one) => one.id === id) as Payment, { kind, at: null, cents: null })
}

const at = fc.nat({ max: 997 })
const time = fc.option(fc.integer({ min: 0, max: 60 * 24 * 8 }).map((minutes) => start + minutes * 60_000))
const part = fc.constantFrom(null, null, 0.3, 0.5, 1.2)

type Step = (world: World) => Promise<void>
type Command = fc.Arbitrary<readonly [string, Step]>

const sale: Command = fc.tuple(fc.nat({ max: 1 }), fc.constantFrom(10_000, 20_000, 35_000)).map(([who, cents]) => [
  `sale ${cents} of ${who}`,
  async ({ program, coupons, sales }) => {
    const externalId = `inv_${sales.length}`
    const body = { coupon: coupons[who], external_id: externalId, email: `${externalId}@c.test`, amount_cents: cents }
    const { sale_id: id } = await made(program.post('/conversions', body))
    sales.push({ id, cents, refunded: 0 })
  },
])

const refund: Command = fc.tuple(at, fc.constantFrom(0.5, 1)).map(([which, share]) => [
  `refund ${which} ${share}`,
  async ({ program, sales }) => {
    const one = pick(sales, which)
    const cents = one ? Math.floor(((one.cents - one.refunded) * share) / 1_000) * 1_000 : 0
    if (!one || cents === 0) return
    await made(program.post('/conversions/refund', { sale_id: one.id, amount_cents: cents }))
    one.refunded += cents
  },
])

const makeRun: Command = fc.constantFrom('fetched', 'fetched', 'sent', 'unread').map((fate) => [
  `run ${fate}`,
  async (world) => {
    const runs = runsOf(world.program)
    const made = fate === 'unread' ? runs.prepare({ method: 'GENERIC' }) : runs.create({ method: 'GENERIC' })
    const run = await made.catch((error) => isRefused(error) && null)
    if (run && fate === 'sent') await runs.markSent(run.id)
    await noteNew(world, fate !== 'unread')
  },
])

const endRun: Command = fc.tuple(at, fc.constantFrom('paid', 'cancelled')).map(([which, kind]) => [
  `run of ${which} ${kind}`,
  async (world) => {
    const payment = pick(world.payments, which)
    if (!payment) return
    const { runId } = payment
    const runs = runsOf(world.program)
    await sayOfWaiting(world, runId, kind as 'paid' | 'cancelled', () =>
      kind === 'paid' ? runs.markPaid(runId) : runs.cancel(runId, 'test', { confirmSent: true }),
    )
  },
])

/** A person or a program says what happened to one payment. With a time it is never refused, once the file was read. */
const say: Command = fc
  .tuple(at, fc.constantFrom('paid', 'paid', 'failed', 'unclaimed', 'returned', 'cancelled'), time, part)
  .map(([which, kind, when, share]) => [
    `${kind} ${which} at ${iso(when) ?? '?'}, ${share ?? 'all'}`,
    async (world) => {
      const payment = pick(world.payments, which)
      if (!payment) return
      const hasPart = share !== null && (kind === 'paid' || kind === 'returned')
      const cents = hasPart ? Math.max(Math.floor(payment.cents * share), 1) : null
      const report = { kind, at: kind === 'cancelled' ? null : when, cents } as Report
      const { payoutId } = payment
      const result = { payoutId, state: kind.toUpperCase(), at: iso(report.at), ...(cents && { amountCents: cents }) }
      const isDone = await done(runsOf(world.program).record(payment.runId, [result]))
      if (report.at !== null && payment.isFetched) expect(isDone).toBe(true)
      if (isDone) add(payment, report)
    },
  ])

/** The service's list, newest first, with what it has said before too. */
const file: Command = fc
  .tuple(
    at,
    fc.array(fc.tuple(at, fc.constantFrom('Completed', 'Failed', 'Unclaimed', 'Returned', 'Reversal')), {
      minLength: 1,
      maxLength: 4,
    }),
    fc.nat({ max: 60 * 24 * 7 }),
  )
  .map(([which, rows, first]) => [
    `file of ${which} from ${first}: ${rows.map(([row, word]) => `${row} ${word}`).join(', ')}`,
    async (world) => {
      const { runId } = pick(world.payments, which) ?? {}
      const ofRun = world.payments.filter((one) => one.runId === runId)
      if (!runId) return
      const words = { Completed: 'paid', Failed: 'failed', Unclaimed: 'unclaimed', Returned: 'returned' } as const
      const said = rows.map(([row, word], index) => {
        const payment = pick(ofRun, row) as Payment
        const kind = word === 'Reversal' ? 'reversed' : words[word as keyof typeof words]
        return { payment, word, report: { kind, at: start + (first + index) * 60_000, cents: null } as Report }
      })
      const lines = said.toReversed().map(({ payment: { payoutId }, word, report }) => {
        const type = word === 'Reversal' ? 'Mass Pay Reversal' : 'Mass Pay Payment'
        return [iso(report.at), type, word === 'Reversal' ? 'Completed' : word, payoutId].join(',')
      })
      const text = `Date,Type,Status,Id\n${lines.join('\n')}\n`
      const answer = await world.program
        .graphql(
          'mutation ($input: ImportPayoutResultsInput!) { importPayoutResults(input: $input) { unmatched { line } } }',
          { input: { runId, file: text } },
        )
        .catch((error) => isRefused(error) && null)
      if (!answer) return
      const leftOut = new Set(answer.importPayoutResults.unmatched.map(({ line }: { line: number }) => line))
      for (const [index, { payment, report }] of said.entries())
        if (!leftOut.has(said.length - index + 1)) add(payment, report)
    },
  ])

const payByHand: Command = at.map((which) => [
  `pay ${which}`,
  async (world) => {
    const payout = pick(await listed(world.program, '/payouts?state=pending'), which)
    if (!payout) return
    await world.program.post(`/payouts/${payout.id}/pay`)
    await noteNew(world, false, () => [{ kind: 'paid', at: null, cents: null }])
  },
])

/** A payout was not paid after all: neither was its payment. */
const undo: Command = at.map((which) => [
  `undo ${which}`,
  async (world) => {
    const payout = pick(await listed(world.program, '/payouts?state=paid'), which)
    if (!payout) return
    const paying = (await readItems(world)).filter(
      ({ payoutId, goneCents, isExtra }) => payoutId === payout.id && goneCents > 0 && !isExtra,
    )
    if (!(await done(runsOf(world.program).undo(payout.id)))) return
    for (const { id } of paying)
      add(world.payments.find((one) => one.id === id) as Payment, { kind: 'cancelled', at: null, cents: null })
  },
])

const commands = [sale, sale, refund, makeRun, makeRun, endRun, say, say, say, say, file, file, payByHand, undo]

async function compare({ database }: TestApp, world: World): Promise<void> {
  const { program, payments, sales } = world
  const items = new Map((await readItems(world)).map((item) => [item.id, item]))
  const gone = payments.map((payment) => [payment.id, goneBy(payment)])
  expect(payments.map(({ id }) => [id, items.get(id)?.goneCents])).toEqual(gone)
  const rows = await database.db.$queryRaw<{ earned: number; owed: number; gone: number }[]>`
    select sum(amount_cents)::int as earned, coalesce(sum(amount_cents) filter (where paid_at is null), 0)::int as owed,
      (select coalesce(sum(gone_cents), 0) from payout_run_items item
        where item.program_id = ${program.id}::uuid and item.affiliate_id = commission.affiliate_id)::int as gone
    from commissions commission where program_id = ${program.id}::uuid and voided_at is null group by affiliate_id`
  for (const { earned, owed, gone: left } of rows) expect(owed).toBe(earned - left)
  const total = rows.reduce((sum, { earned }) => sum + earned, 0)
  expect(total).toBe(sales.reduce((sum, one) => sum + (one.cents - one.refunded) / 10, 0))
  expect(await examine(database, { programId: program.id })).toEqual([])
}

/**
 * MODEL_SEED repeats a run. MODEL_PAYMENTS sets the number of sequences. Without it, there is one for each ten of the whole
 * model.
 */
export async function checkPayments(app: TestApp): Promise<void> {
  let completed = 0
  const seed = Number(process.env.MODEL_SEED ?? Date.now() % 2 ** 31)
  const sequences = fc.array(fc.oneof(...commands), { minLength: 6, maxLength: 24, size: 'max' })
  // Each sequence begins with something to pay.
  const first = fc.sample(sale, { numRuns: 1, seed: 1 })
  const property = fc.asyncProperty(sequences, async (sequence) => {
    const program = await app.createProgram()
    const sellers = [1, 2].map(() => createSeller(program, { days_before_commissions_are_due: 0 }))
    const world: World = { program, coupons: [], sales: [], payments: [] }
    for (const { coupon } of await Promise.all(sellers)) world.coupons.push(coupon)
    const log: string[] = []
    try {
      for (const [name, step] of [...first, ...sequence]) {
        log.push(name)
        await step(world)
      }
      await compare(app, world)
      completed += 1
    } catch (error) {
      throw new Error(`After ${log.join('; ')}: ${JSON.stringify(world.payments)}`, { cause: error })
    }
  })
  const numRuns = Number(process.env.MODEL_PAYMENTS ?? Math.ceil(Number(process.env.MODEL_RUNS) / 10))
  const minutes = process.env.MODEL_MINUTES
  const limit = minutes === undefined ? {} : { interruptAfterTimeLimit: Number(minutes) * 60_000 }
  await fc.assert(property, { numRuns, seed, ...limit, endOnFailure: true })
  console.log(`${completed} of ${numRuns} sequences, MODEL_SEED=${seed}`)
}

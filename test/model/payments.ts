import fc from 'fast-check'
import { expect } from 'vitest'
import { examine } from '../../src/modules/doctor/service.ts'
import type { TestApp } from '../support/app.ts'
import { createSeller, listed, made } from '../support/factories.ts'
import { runsOf } from '../support/payout-runs.ts'
import { withhold, withholdFrom } from '../support/withholding.ts'
import { add, goneBy, type Payment, type Report, settledBy } from './reports.ts'
import { noteNew, readItems, type World, waits } from './world.ts'

// The world outside: a service that pays, fails, returns, reverses and reports late, twice and backwards, beside
// refunds and their reversals, runs, undo and people, in two currencies. The model knows sales, and what was reported
// of payments. It follows the contract, not the code.

const start = Date.parse('2026-03-01T00:00:00Z')
const iso = (at: number | null) => (at === null ? undefined : new Date(at).toISOString())
const pick = <T>(rows: readonly T[], at: number): T | undefined => rows[at % rows.length]
const isRefused = (error: any): true => {
  if (['REFUSED', 'INVALID_INPUT'].includes(error.errors?.[0]?.extensions?.code)) return true
  throw error
}
/** Whether it was done, or refused. */
const done = (change: Promise<unknown>): Promise<boolean> => change.then(() => true).catch((error) => !isRefused(error))

/** Marks a run as paid, or cancels it. What is unclaimed has a result, so only a cancellation changes it. */
async function sayOfWaiting(world: World, runId: string, kind: 'paid' | 'cancelled', change: () => Promise<unknown>) {
  const items = (await readItems(world)).filter((item) => item.runId === runId && waits(item))
  const waiting = items.filter(({ state }) => kind === 'cancelled' || state !== 'UNCLAIMED')
  if (!(await done(change()))) return
  for (const { id } of waiting)
    add(world.payments.find((one) => one.id === id) as Payment, { kind, at: null, cents: null })
}

const at = fc.nat({ max: 997 })
const time = fc.option(fc.integer({ min: 0, max: 60 * 24 * 8 }).map((minutes) => start + minutes * 60_000))
const part = fc.constantFrom(null, null, 0.3, 0.5, 1.2)

type Step = (world: World) => Promise<void>
type Command = fc.Arbitrary<readonly [string, Step]>

const currencies = ['usd', 'eur'] as const
const currencyOf = fc.constantFrom(...currencies, 'usd' as const)

const sale: Command = fc
  .tuple(fc.nat({ max: 1 }), fc.constantFrom(10_000, 20_000, 35_000), currencyOf)
  .map(([who, cents, currency]) => [
    `sale ${cents} ${currency} of ${who}`,
    async ({ program, coupons, sales }) => {
      const externalId = `inv_${sales.length}`
      const customer = { coupon: coupons[who], email: `${externalId}@c.test` }
      const body = { ...customer, external_id: externalId, amount_cents: cents, currency }
      const { sale_id: id } = await made(program.post('/conversions', body))
      sales.push({ id, currency, cents, refunded: 0 })
    },
  ])

const refund: Command = fc.tuple(at, fc.constantFrom(0.5, 1)).map(([which, share]) => [
  `refund ${which} ${share}`,
  async ({ program, sales, refunds }) => {
    const one = pick(sales, which)
    const cents = one ? Math.floor(((one.cents - one.refunded) * share) / 1_000) * 1_000 : 0
    if (!one || cents === 0) return
    const { id } = await made(program.post('/conversions/refund', { sale_id: one.id, amount_cents: cents }))
    one.refunded += cents
    refunds.push({ id, sale: one, cents, isReversed: false })
  },
])

/** The customer was charged after all. */
const reverse: Command = at.map((which) => [
  `refund ${which} reversed`,
  async ({ program, refunds }) => {
    const one = pick(refunds, which)
    if (!one) return
    await made(program.post('/conversions/refund/reverse', { refund_id: one.id }))
    if (!one.isReversed) one.sale.refunded -= one.cents
    one.isReversed = true
  },
])

const makeRun: Command = fc
  .tuple(fc.constantFrom('fetched', 'fetched', 'sent', 'unread'), currencyOf)
  .map(([fate, currency]) => [
    `run ${fate} in ${currency}`,
    async (world) => {
      const runs = runsOf(world.program)
      const input = { method: 'GENERIC', currency }
      const making = fate === 'unread' ? runs.prepare(input) : runs.create(input)
      const run = await making.catch((error) => isRefused(error) && null)
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
    const open = (await readItems(world)).find((item) => item.payoutId === payout.id && waits(item) && !item.isExtra)
    const { status } = await world.program.post(`/payouts/${payout.id}/pay`)
    const known = world.payments.find(({ id }) => id === open?.id)
    if (!known) return noteNew(world, false, () => [{ kind: 'paid', at: null, cents: null }])
    // It is the result of the payment of a run whose file was fetched, at the amount of the payout.
    if (known.isFetched && payout.amount > 0) expect(status).toBe(200)
    // What leaves is the share of the payout that was to leave of the amount in the file.
    const { cents, withheld } = known
    const asked = cents + withheld
    const left = Math.floor((2 * payout.amount * cents + asked) / (2 * asked))
    if (status === 200) add(known, { kind: 'paid', at: null, cents: payout.amount === asked ? null : left })
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

/** Another rate holds for payments that are made from then on. */
const rate: Command = fc
  .tuple(fc.nat({ max: 2 }), fc.constantFrom(null, 0, 1_500, 3_333, 9_000))
  .map(([who, basisPoints]) => [
    `rate ${basisPoints} of ${who}`,
    async ({ program, affiliates }) => {
      const affiliateId = affiliates[who]
      if (affiliateId === undefined) await withhold(program, basisPoints)
      else await withholdFrom(program, affiliateId, basisPoints)
    },
  ])

const commands = [
  sale,
  sale,
  refund,
  refund,
  reverse,
  makeRun,
  makeRun,
  endRun,
  say,
  say,
  say,
  say,
  file,
  file,
  payByHand,
  undo,
  rate,
]

async function compare({ database }: TestApp, world: World): Promise<void> {
  const { program, payments, sales } = world
  const items = new Map((await readItems(world)).map((item) => [item.id, item]))
  const gone = payments.map((payment) => [payment.id, goneBy(payment)])
  const settled = new Map<string, number>()
  for (const { affiliateId, currency, ...item } of await database.db.payoutRunItem.findMany({
    where: { programId: program.id },
  })) {
    const key = `${affiliateId} ${currency}`
    const split = { cents: Number(item.amountCents), withheld: Number(item.withheldCents) }
    settled.set(key, (settled.get(key) ?? 0) + settledBy(split, Number(item.goneCents)))
  }
  expect(payments.map(({ id }) => [id, items.get(id)?.goneCents])).toEqual(gone)
  const rows = await database.db.$queryRaw<{ key: string; currency: string; earned: number; owed: number }[]>`
    select concat(affiliate_id, ' ', currency) as key, currency, sum(amount_cents)::int as earned,
      coalesce(sum(amount_cents) filter (where paid_at is null), 0)::int as owed
    from commissions commission where program_id = ${program.id}::uuid and voided_at is null group by affiliate_id, currency`
  for (const { key, earned, owed } of rows) expect(owed).toBe(earned - (settled.get(key) ?? 0))
  const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0)
  for (const code of currencies) {
    const earned = rows.filter(({ currency }) => currency === code).map((one) => one.earned)
    const kept = sales.filter(({ currency }) => currency === code).map((one) => (one.cents - one.refunded) / 10)
    expect(sum(earned)).toBe(sum(kept))
  }
  expect(await examine(database, { programId: program.id })).toEqual([])
}

/**
 * MODEL_SEED repeats a run. MODEL_PAYMENTS sets the number of sequences. Without it, there is one for each ten of the
 * whole model.
 */
export async function checkPayments(app: TestApp): Promise<void> {
  let completed = 0
  const seed = Number(process.env.MODEL_SEED)
  const sequences = fc.array(fc.oneof(...commands), { minLength: 6, maxLength: 24, size: 'max' })
  // Each sequence begins with something to pay.
  const first = fc.sample(sale, { numRuns: 1, seed: 1 })
  const property = fc.asyncProperty(sequences, async (sequence) => {
    const program = await app.createProgram()
    const sellers = [1, 2].map(() => createSeller(program, { days_before_commissions_are_due: 0 }))
    const world: World = { program, coupons: [], affiliates: [], sales: [], refunds: [], payments: [] }
    for (const { coupon, affiliate } of await Promise.all(sellers)) {
      world.coupons.push(coupon)
      world.affiliates.push(affiliate.id)
    }
    await withhold(program, 1_550)
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

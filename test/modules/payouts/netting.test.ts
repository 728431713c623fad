import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Commission, Sale } from '../../../src/generated/prisma/client.ts'
import { mintId } from '../../../src/kernel/ids.ts'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { examples } from '../../support/examples.ts'
import { createSeller, listed, reportSale } from '../../support/factories.ts'

// Random commissions and debts against an account kept by hand, in exact integers.

const app = await createTestApp()
const program = await app.createProgram()
const { db } = app.database
const largest = 2n ** 53n - 1n

type Entry = { amount: bigint; currency: 'usd' | 'eur' | 'jpy'; days: number }
type Step = { book: Entry[] } | { wait: number } | { pay: 'usd' | 'eur' | 'jpy' }

const amount = fc.oneof(
  { weight: 5, arbitrary: fc.bigInt({ min: 1n, max: 1_000n }) },
  { weight: 4, arbitrary: fc.bigInt({ min: -1_500n, max: -1n }) },
  { weight: 1, arbitrary: fc.constantFrom(0n, 1n, 2n ** 31n, largest - 1n, largest, -(2n ** 31n), -largest) },
)
const currency = fc.constantFrom('usd' as const, 'eur' as const, 'jpy' as const)
const entry = fc.record({ amount, currency, days: fc.integer({ min: -3, max: 5 }) })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ book: fc.array(entry, { minLength: 1, maxLength: 6 }) }) },
  { weight: 2, arbitrary: fc.record({ wait: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 2, arbitrary: fc.record({ pay: currency }) },
)

/** What is owed, by hand: `open` is what a look at the payouts has to show of a currency, null for no payout. */
type Account = { amount: bigint; currency: string; dueAt: number; paid: boolean }[]

const owed = (account: Account, of: string, now: number) =>
  account.filter((line) => line.currency === of && !line.paid && line.dueAt <= now)

/** Debts first, then what has been due for longest; what would pass 2^53 - 1 waits, and all that comes after it. */
function paidNext(account: Account, of: string, now: number): Account {
  const due = owed(account, of, now)
  const inOrder = [
    ...due.filter((line) => line.amount < 0n),
    ...due.filter((line) => line.amount >= 0n).sort((a, b) => a.dueAt - b.dueAt),
  ]
  const taken: Account = []
  let sum = 0n
  for (const line of inOrder) {
    sum += line.amount
    if (sum > largest) break
    taken.push(line)
  }
  return taken
}

function open(account: Account, of: string, now: number): bigint | null {
  const taken = paidNext(account, of, now)
  const sum = taken.reduce((total, line) => total + line.amount, 0n)
  return taken.length === 0 || sum < 0n ? null : sum
}

type Line = { amount: bigint; currency: string; dueAt: Date }
type Sold = { sale: Sale; commission: Commission }

/** Rows as sales leave them; a debt as a refund does, of a sale whose commission was paid. */
async function book({ sale: saleRow, commission: earnedRow }: Sold, lines: Line[]) {
  const now = app.clock.now
  const of = { programId: program.id, id: '' }
  const rows = lines.map(({ amount, currency, dueAt }) => {
    const isDebt = amount < 0n
    const size = isDebt ? -amount : amount
    const made = { currency, occurredAt: dueAt, createdAt: now, updatedAt: now, amountCents: size }
    const sale = {
      ...saleRow,
      ...made,
      id: mintId(now),
      refundedCents: isDebt ? size : 0n,
      decision: undefined,
      items: undefined,
    }
    const base = { ...earnedRow, ...made, saleId: sale.id, dueAt }
    const payout = { ...of, ...made, id: mintId(now), affiliateId: base.affiliateId, paidAt: now }
    const paid = isDebt ? { payoutId: payout.id, paidAt: now } : {}
    const earned = { ...base, ...paid, id: mintId(now) }
    const refund = { ...of, id: mintId(now), saleId: sale.id, amountCents: size, createdAt: now }
    const debt = { ...base, id: mintId(now), refundId: refund.id, amountCents: amount }
    return { sale, earned, ...(isDebt ? { refund, debt, payout } : {}) }
  })
  const debts = rows.flatMap(({ debt }) => debt ?? [])
  const fact = (commission: Commission, kind: 'earned' | 'paid') => {
    const { id: commissionId, currency, amountCents } = commission
    const deltaCents = kind === 'earned' ? amountCents : 0n
    const by = { actorKind: 'system' as const, requestId: 'test', at: now }
    return { ...of, id: mintId(now), commissionId, kind, deltaCents, currency, ...by }
  }
  const earned = [...rows.map((row) => row.earned), ...debts]
  const paid = earned.filter(({ paidAt }) => paidAt)
  await db.$transaction(async (tx) => {
    await tx.sale.createMany({ data: rows.map(({ sale }) => sale) })
    await tx.refund.createMany({ data: rows.flatMap(({ refund }) => refund ?? []) })
    const payouts = rows.flatMap(({ payout }) => payout ?? [])
    await tx.payout.createMany({ data: payouts.map(({ occurredAt, ...payout }) => payout) })
    await tx.commission.createMany({
      data: earned.map((row) => ({ ...row, furtherHeldReasons: undefined, ruleLines: undefined })),
    })
    const facts = [...earned.map((row) => fact(row, 'earned')), ...paid.map((row) => fact(row, 'paid'))]
    await tx.moneyEvent.createMany({ data: facts })
  })
}

/** What the rows of a seller's first sale are. */
async function sold(coupon: string): Promise<Sold> {
  const answer = await reportSale(program, { coupon, amount_cents: 10 })
  const key = (id: string) => ({ where: { programId_id: { programId: program.id, id } } })
  const sale = await db.sale.findUniqueOrThrow(key(answer.sale_id))
  return { sale, commission: await db.commission.findUniqueOrThrow(key(answer.commission.id)) }
}

const shown = async (from: TestProgram, affiliateId: string) => {
  const payouts = await listed(from, `/payouts?affiliate_id=${affiliateId}&state=pending`)
  return Object.fromEntries(payouts.map((payout) => [payout.currency, payout]))
}

it('open payouts match an independent account for random commissions, debts and payments', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      const { affiliate, coupon } = await createSeller(program, { days_before_commissions_are_due: 0 })
      const first = await sold(coupon)
      const now = () => app.clock.now.getTime()
      const account: Account = [{ amount: 1n, currency: 'usd', dueAt: now(), paid: false }]
      for (const action of steps) {
        if ('wait' in action) app.clock.advanceDays(action.wait)
        else if ('book' in action) {
          // No two are due at one instant, so that by hand and by id the order is the same.
          const lines = action.book.map(({ amount, currency, days }, index) => {
            return { amount, currency, dueAt: new Date(now() + days * 86_400_000 + account.length * 10 + index) }
          })
          await book(first, lines)
          account.push(...lines.map((line) => ({ ...line, dueAt: line.dueAt.getTime(), paid: false })))
        } else {
          const payout = (await shown(program, affiliate.id))[action.pay]
          const expected = open(account, action.pay, now())
          expect(payout?.amount ?? null).toBe(expected === null ? null : Number(expected))
          if (!payout) continue
          const { status, body } = await program.post(`/payouts/${payout.id}/pay`)
          expect([status, body.amount]).toEqual([200, payout.amount])
          for (const line of paidNext(account, action.pay, now())) line.paid = true
        }
        const payouts = await shown(program, affiliate.id)
        for (const of of ['usd', 'eur', 'jpy']) {
          const expected = open(account, of, now())
          expect(payouts[of]?.amount ?? null, of).toBe(expected === null ? null : Number(expected))
        }
      }
      const paid = await listed(program, `/payouts?affiliate_id=${affiliate.id}&state=paid&limit=100`)
      const sum = (lines: { amount: bigint | number }[]) =>
        lines.reduce((total, line) => total + BigInt(line.amount), 0n)
      // What a debt takes back was paid before, in a payout of its own.
      const before = account.filter((line) => line.amount < 0n)
      expect(sum(paid) + sum(before)).toBe(sum(account.filter((line) => line.paid)))
      for (const payout of paid) expect(payout.amount).toBeGreaterThanOrEqual(0)
    }),
    { numRuns: examples(8) },
  )
})

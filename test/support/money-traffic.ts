import { expect } from 'vitest'
import type { MoneyEventKind } from '../../src/generated/prisma/enums.ts'
import type { Db } from '../../src/kernel/db.ts'
import type { Answer, TestProgram } from './app.ts'
import { reportSale } from './factories.ts'

// Concurrent changes of commissions and payouts, and the checks that must hold afterwards.

export type Traffic = {
  program: TestProgram
  coupons: string[]
  /** Ids from earlier responses. Any of them may be deleted, paid or void when it is used. */
  commissions: string[]
  payouts: string[]
  saleIds: string[]
  refundIds: string[]
  /** The sale id of each external id whose report got a response. */
  sales: Map<string, string>
  /** Returns a number from 0 to 1. The sequence depends only on the seed. */
  random: () => number
}

const pick = <T>(values: T[], random: () => number): T => values[Math.floor(random() * values.length)] as T

/** Every kind of change of commissions and payouts. The race tests run all of them. */
export const kinds: Record<string, (traffic: Traffic) => Promise<Answer>> = {
  pay: ({ program, payouts, random }) => program.post(`/payouts/${pick(payouts, random)}/pay`),
  void: ({ program, commissions, random }) => program.delete(`/commissions/${pick(commissions, random)}`),
  amend: ({ program, commissions, random }) =>
    program.put(`/commissions/${pick(commissions, random)}`, { amount: Math.floor(random() * 5_000) }),
  markPaid: ({ program, commissions, random }) =>
    program.put(`/commissions/${pick(commissions, random)}`, { paid_at: '2026-03-01T00:00:00Z' }),
  reversePayment: ({ program, commissions, random }) =>
    program.put(`/commissions/${pick(commissions, random)}`, { paid_at: '' }),
  reschedule: ({ program, commissions, random }) =>
    program.put(`/commissions/${pick(commissions, random)}`, {
      due_at: random() < 0.5 ? '2026-01-01T00:00:00Z' : '2026-12-31T00:00:00Z',
    }),
  collect: async ({ program, payouts }) => {
    const response = await program.get('/payouts?state=pending&limit=100')
    for (const { id } of response.body.data ?? []) if (!payouts.includes(id)) payouts.push(id)
    return response
  },
  report: async ({ program, coupons, commissions, sales, saleIds, random }) => {
    const externalId = `inv_${Math.floor(random() * 2 ** 48)}`
    const sale = { coupon: pick(coupons, random), amount_cents: 10_000, external_id: externalId }
    const response = await program.post('/conversions', sale)
    if (response.body.sale_id) {
      sales.set(externalId, response.body.sale_id)
      saleIds.push(response.body.sale_id)
    }
    if (response.body.commission) commissions.push(response.body.commission.id)
    return response
  },
  refund: async ({ program, saleIds, refundIds, random }) => {
    // Each sale is of 10,000. The refund is a part of it, or all that remains.
    const amount = random() < 0.7 ? { amount_cents: 1 + Math.floor(random() * 6_000) } : {}
    const response = await program.post('/conversions/refund', { sale_id: pick(saleIds, random), ...amount })
    if (response.status === 201) refundIds.push(response.body.id)
    return response
  },
  /** A refund before its sale, which is reported at the same time. */
  refundEarly: async (traffic) => {
    const { program, coupons, commissions, sales, saleIds, random } = traffic
    const external_id = `early_${Math.floor(random() * 2 ** 48)}`
    const sale = { coupon: pick(coupons, random), amount_cents: 10_000, external_id }
    const [refunded, reported] = await Promise.all([
      program.post('/conversions/refund', { external_id, amount_cents: 1 + Math.floor(random() * 6_000) }),
      program.post('/conversions', sale),
    ])
    if (reported.body.sale_id) {
      sales.set(external_id, reported.body.sale_id)
      saleIds.push(reported.body.sale_id)
    }
    if (reported.body.commission) commissions.push(reported.body.commission.id)
    return refunded.status < 300 ? reported : refunded
  },
  reverse: async ({ program, refundIds, random }) =>
    refundIds.length > 0
      ? program.post('/conversions/refund/reverse', { refund_id: pick(refundIds, random) })
      : { status: 404, headers: new Headers(), body: null },
}

/** The Mulberry32 generator: short, and deterministic on every platform. */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A client that sends a request again while a lock was not free in time, as Retry-After asks. Such a request wrote nothing. */
function patient(program: TestProgram): TestProgram {
  const again =
    <Args extends unknown[]>(send: (...args: Args) => Promise<Answer>) =>
    async (...args: Args) => {
      let answer = await send(...args)
      while (answer.status === 503) answer = await send(...args)
      return answer
    }
  const { get, post, put, delete: remove } = program
  return { ...program, get: again(get), post: again(post), put: again(put), delete: again(remove) }
}

/** Creates `count` commissions, of the sellers in turn, and collects them into payouts. */
export async function startTraffic(
  program: TestProgram,
  coupons: string[],
  count: number,
  seed: number,
): Promise<Traffic> {
  const commissions: string[] = []
  const saleIds: string[] = []
  for (let index = 0; index < count; index += 1) {
    const sale = await reportSale(program, { coupon: coupons[index % coupons.length] })
    commissions.push(sale.commission.id)
    saleIds.push(sale.sale_id)
  }
  const traffic = {
    program: patient(program),
    coupons,
    commissions,
    payouts: [],
    saleIds,
    refundIds: [],
    sales: new Map(),
    random: createRandom(seed),
  }
  await kinds.collect?.(traffic)
  return traffic
}

type State = 'nothing' | 'open' | 'held' | 'paid' | 'void'

/** The facts that are legal in each state, and the state that follows. */
const legal: Record<State, Partial<Record<MoneyEventKind, State>>> = {
  nothing: { earned: 'open' },
  open: {
    ...{ amended: 'open', refunded: 'open', refund_reversed: 'open', rescheduled: 'open' },
    ...{ held: 'held', paid: 'paid', voided: 'void' },
  },
  held: {
    ...{ amended: 'held', refunded: 'held', refund_reversed: 'held', rescheduled: 'held' },
    ...{ approved: 'open', voided: 'void' },
  },
  paid: { unpaid: 'open' },
  void: { unvoided: 'open' },
}

/** Replays the facts of every commission in order, and compares its row with the final state. */
export async function expectLegalHistories(db: Db, programId: string): Promise<number> {
  const commissions = await db.commission.findMany({
    where: { programId },
    include: { events: { orderBy: { id: 'asc' } } },
  })
  for (const { id, events, amountCents, paidAt, voidedAt, heldReason, payoutId } of commissions) {
    const path = `${id}: ${events.map(({ kind }) => kind).join(', ')}`
    let state: State = 'nothing'
    for (const { kind } of events) {
      const next: State | undefined = legal[state][kind]
      expect(next, `${kind} when ${state}, of ${path}`).toBeDefined()
      state = next as State
    }
    const stored = voidedAt ? 'void' : paidAt ? 'paid' : heldReason ? 'held' : 'open'
    expect(stored, path).toBe(state)
    expect(amountCents, path).toBe(events.reduce((sum, { deltaCents }) => sum + deltaCents, 0n))
    if (state === 'void' || state === 'held') expect(payoutId, path).toBeNull()
    const payment = events.findLast(({ kind }) => kind === 'paid')
    if (state === 'paid') expect(payoutId === null, path).toBe(payment?.paidAt !== null)
  }
  return commissions.length
}

/**
 * Checks that the paid payouts equal the sum of the commissions paid in them, and that each payout was opened once and
 * paid or closed at most once.
 */
export async function expectNothingPaidTwice(db: Db, programId: string): Promise<number> {
  const payouts = await db.payout.findMany({ where: { programId }, include: { commissions: true } })
  const paidOut = payouts.filter(({ paidAt }) => paidAt)
  const paid = await db.commission.findMany({ where: { programId, paidAt: { not: null }, payoutId: { not: null } } })
  const sum = (rows: { amountCents: bigint }[]) => rows.reduce((total, { amountCents }) => total + amountCents, 0n)
  expect(sum(paidOut)).toBe(sum(paid))
  for (const { paidAt, commissions } of paidOut) {
    for (const commission of commissions) expect(commission.paidAt).toEqual(paidAt)
  }
  const changes = await db.change.findMany({ where: { programId, subject: 'payout' }, orderBy: { id: 'asc' } })
  const actions: Record<string, string> = {}
  for (const { subjectId, action } of changes) actions[subjectId] = `${actions[subjectId] ?? ''}${action} `
  for (const path of Object.values(actions)) expect(path).toMatch(/^opened (amount_changed )*(paid |closed )?$/)
  for (const { id, paidAt } of payouts) expect(actions[id]?.includes('paid'), actions[id]).toBe(paidAt !== null)
  return paidOut.length
}

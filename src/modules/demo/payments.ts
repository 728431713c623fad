import type { PaymentFact, Payout, PayoutRun, PayoutRunItem, Program } from '../../generated/prisma/client.ts'
import { groupBy } from '../../kernel/group-by.ts'
import { byHand } from '../payout-methods/manual.ts'
import { newRun } from '../payouts/runs/record.ts'
import { madeAt } from './rows.ts'
import type { World } from './world.ts'

/** How long before its first payment a run is made. */
const preparingMs = 20 * 60_000

/** Adds the runs by which payouts were paid: one by hand on each day of payments, for each currency. */
export function addPayments(world: World): void {
  const paid = world.rows.payouts.filter(({ paidAt }) => paidAt !== null)
  const byRun = groupBy(paid, ({ paidAt, currency }) => `${paidAt?.toISOString().slice(0, 10)} ${currency}`)
  for (const payouts of byRun.values()) {
    const times = payouts.map(({ paidAt }) => (paidAt as Date).getTime())
    const [first, paidAt] = [Math.min(...times), new Date(Math.max(...times))]
    const runId = addRun(world, payouts, { madeRunAt: new Date(first - preparingMs), paidAt })
    for (const payout of payouts) {
      const at = payout.paidAt as Date
      const itemId = addItem(world, runId, payout, { ...madeAt(at), state: 'paid', goneCents: payout.amountCents })
      addPaymentFact(world, itemId, { kind: 'paid', at, reason: null })
    }
  }
}

type OfRun = { madeRunAt: Date; sentAt?: Date; paidAt: Date; reference?: string }

/** Adds a run of payments by hand that are all decided. @returns its id */
export function addRun(
  { random, rows }: World,
  payouts: readonly Payout[],
  { madeRunAt, sentAt, paidAt, reference }: OfRun,
): string {
  const [program] = rows.programs as [Program]
  const [{ currency }] = payouts as [Payout]
  const run: PayoutRun = {
    ...newRun({ program, actor: { kind: 'operator' } }, { method: byHand, currency, asOf: madeRunAt }, madeRunAt),
    id: random.id(madeRunAt),
    state: 'paid',
    payoutCount: payouts.length,
    amountCents: payouts.reduce((sum, { amountCents }) => sum + amountCents, 0n),
    reference: reference ?? null,
    sentAt: sentAt ?? null,
    paidAt,
    updatedAt: paidAt,
  }
  rows.payout_runs.push(run)
  return run.id
}

type Outcome = Pick<PayoutRunItem, 'state' | 'goneCents' | 'createdAt' | 'updatedAt'> & { reason?: string | null }

/** Adds the payment of a payout to a run. @returns its id */
export function addItem(
  { programId, random, rows }: World,
  runId: string,
  { id: payoutId, affiliateId, currency, amountCents }: Payout,
  { reason = null, ...outcome }: Outcome,
): string {
  const item: PayoutRunItem = {
    programId,
    id: random.id(outcome.createdAt),
    runId,
    payoutId,
    affiliateId,
    currency,
    amountCents,
    recipient: null,
    isNewRecipient: false,
    isByDefault: false,
    reference: null,
    reason,
    withheldCents: 0n,
    isExtra: false,
    batchId: null,
    serviceId: null,
    serviceState: null,
    feeCents: null,
    feeCurrency: null,
    exchangeRate: null,
    receivedCents: null,
    receivedCurrency: null,
    isUnknown: false,
    contradiction: null,
    ...outcome,
  }
  rows.payout_run_items.push(item)
  return item.id
}

/** Adds what became of a payment. */
export function addPaymentFact(
  { programId, random, rows }: World,
  itemId: string,
  { kind, at, reason }: Pick<PaymentFact, 'kind' | 'reason'> & { at: Date },
): void {
  const said = { itemId, kind, at, reason, amountCents: null, reference: null, recordedAt: at }
  const actor = { actorKind: 'operator', actorId: null, requestId: 'demo' } as const
  rows.payment_facts.push({ programId, id: random.id(at), ...said, ...actor })
}

import type { Commission, MoneyEvent, Prisma, Referral, Refund, Sale } from '../../generated/prisma/client.ts'
import type { MoneyEventKind } from '../../generated/prisma/enums.ts'
import { addDays } from '../../kernel/calendar.ts'
import { mintId } from '../../kernel/ids.ts'
import { storedActor } from '../history/actor.ts'
import { settleOpenPayouts } from '../payouts/settle.ts'
import { type Batch, updateRows } from './batch.ts'
import { countReferrals } from './counters.ts'
import { addToPayouts, type PaidIn, type Payment } from './paid-in.ts'

/** What a batch of commissions is going to write, gathered first so that each table takes one statement. */
export type Ledger = {
  referrals: Map<string, { before: Referral | null; after: Referral }>
  sales: Sale[]
  changedSales: Map<string, Sale>
  refunds: Refund[]
  commissions: Commission[]
  changedCommissions: Map<string, Commission>
  events: MoneyEvent[]
  payments: Payment[]
  /** Whose open payouts lose or gain something. */
  unsettled: Set<string>
}

export const newLedger = (): Ledger => ({
  referrals: new Map(),
  sales: [],
  changedSales: new Map(),
  refunds: [],
  commissions: [],
  changedCommissions: new Map(),
  events: [],
  payments: [],
  unsettled: new Set(),
})

/** A fact of its own moment. It is of an import, which its reason says. */
export function addFact(
  { ctx }: Batch,
  ledger: Ledger,
  { programId, id: commissionId, currency }: Pick<Commission, 'programId' | 'id' | 'currency'>,
  kind: MoneyEventKind,
  deltaCents: bigint,
  at: Date,
  more: { dueAt?: Date; paidAt?: Date } = {},
): void {
  const by = { ...storedActor(ctx.actor), requestId: ctx.requestId, reason: 'imported' }
  const { dueAt = null, paidAt = null } = more
  ledger.events.push({ programId, id: mintId(at), commissionId, kind, deltaCents, currency, dueAt, paidAt, ...by, at })
}

/** What a commission's rule alone does not tell: that it is due at another moment, was paid, or is void. */
export function addWhatBecame(batch: Batch, ledger: Ledger, commission: Commission, payment: PaidIn | undefined): void {
  const { createdAt, occurredAt, dueAt, ruleDaysBeforeDue, paidAt, voidedAt } = commission
  const endsAt = paidAt ?? voidedAt
  // What was earned was so before it was paid, also where the source's moments say otherwise.
  const earnedAt = endsAt && endsAt < createdAt ? endsAt : createdAt
  addFact(batch, ledger, commission, 'earned', commission.amountCents, earnedAt)
  if (commission.refundId === null && dueAt.getTime() !== addDays(occurredAt, ruleDaysBeforeDue).getTime())
    addFact(batch, ledger, commission, 'rescheduled', 0n, earnedAt, { dueAt })
  if (voidedAt) addFact(batch, ledger, commission, 'voided', 0n, voidedAt)
  if (paidAt) addPayment(batch, ledger, commission, paidAt, payment)
}

/** That it was paid: in a payout, which gets it, or by itself where the source shows none. */
export function addPayment(
  batch: Batch,
  ledger: Ledger,
  commission: Commission,
  paidAt: Date,
  payment: PaidIn | undefined,
): void {
  addFact(batch, ledger, commission, 'paid', 0n, paidAt, payment ? {} : { paidAt })
  const { affiliateId, currency, amountCents } = commission
  if (payment) ledger.payments.push({ ...payment, affiliateId, currency, amountCents })
}

export async function writeLedger(batch: Batch, ledger: Ledger): Promise<void> {
  const { tx, ctx, now } = batch
  const referrals = [...ledger.referrals.values()]
  await tx.referral.createMany({ data: referrals.filter(({ before }) => !before).map(({ after }) => after) })
  await updateRows(
    batch,
    'referrals',
    ['becameLeadAt', 'becameConversionAt', 'updatedAt'],
    referrals.filter(({ before }) => before).map(({ after }) => after),
  )
  await countReferrals(batch, referrals)
  await tx.sale.createMany({ data: ledger.sales as Prisma.SaleCreateManyInput[] })
  await updateRows(
    batch,
    'sales',
    ['amountCents', 'refundedCents', 'updatedAt'],
    bare([...ledger.changedSales.values()]),
  )
  await tx.refund.createMany({ data: ledger.refunds })
  await addToPayouts(batch, ledger.payments)
  await tx.commission.createMany({ data: ledger.commissions })
  await updateRows(
    batch,
    'commissions',
    ['amountCents', 'dueAt', 'heldReason', 'payoutId', 'paidAt', 'voidedAt', 'updatedAt'],
    [...ledger.changedCommissions.values()],
  )
  await tx.moneyEvent.createMany({ data: ledger.events })
  if (ledger.unsettled.size > 0) await settleOpenPayouts(tx, ctx, [...ledger.unsettled], now)
}

/** Without what a sale was read with. */
const bare = (sales: readonly Sale[]) =>
  sales.map(({ id, amountCents, refundedCents, updatedAt }) => ({ id, amountCents, refundedCents, updatedAt }))

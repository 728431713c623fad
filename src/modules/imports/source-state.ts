import type { Commission } from '../../generated/prisma/client.ts'
import type { Batch } from './batch.ts'
import type { CommissionRecord } from './ground.ts'
import { findPaidIn, type PaidRecord } from './paid-in.ts'
import { storedFields } from './stored.ts'

export type SourceState = 'open' | 'paid' | 'void'

/** Where a commission stands at the source; whether it is due follows from the clock. */
export function stateOf({ state, paidAt, voidedAt }: CommissionRecord): SourceState | null {
  switch (state?.toLowerCase()) {
    case 'paid':
      return 'paid'
    case 'void':
    case 'voided':
      return 'void'
    case 'pending':
    case 'due':
      return 'open'
    case undefined:
      return voidedAt ? 'void' : paidAt ? 'paid' : 'open'
    default:
      return null
  }
}

/** Where a commission stands here, in the same words. */
export const stateHere = ({ paidAt, voidedAt }: Pick<Commission, 'paidAt' | 'voidedAt'>): SourceState =>
  voidedAt ? 'void' : paidAt ? 'paid' : 'open'

/** The payouts of those of these records that are paid. */
export function paidIn(batch: Batch, paid: readonly { record: CommissionRecord; affiliateId: string; paidAt: Date }[]) {
  const records = paid.map(
    ({ record: { externalId, currency, amountCents }, affiliateId, paidAt }): PaidRecord => ({
      externalId,
      affiliateId,
      currency,
      amountCents,
      paidAt,
    }),
  )
  return findPaidIn(batch, records)
}

/** What is kept of a commission as it was read: what catching up compares, and the report adds up. */
export const seenOf = (
  record: CommissionRecord,
  affiliateId: string,
  dueAt: Date,
  { saleAmountCents, refundedCents }: { saleAmountCents: bigint; refundedCents: bigint },
) =>
  storedFields({
    affiliateId,
    amountCents: record.amountCents,
    currency: record.currency,
    state: stateOf(record),
    dueAt,
    saleAmountCents,
    refundedCents,
  })

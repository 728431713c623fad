import type { Commission } from '../../../generated/prisma/client.ts'
import { snapshotOf } from '../snapshot.ts'
import type { CommissionRecord } from './existing.ts'

/** Pending and due commissions are both open: the clock decides which of them are due. */
export type CommissionState = 'open' | 'paid' | 'void'

/** The state of a commission at the source; null if the source uses an unknown one. */
export function sourceState({ state, paidAt, voidedAt }: CommissionRecord): CommissionState | null {
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

export const stateHere = ({ paidAt, voidedAt }: Pick<Commission, 'paidAt' | 'voidedAt'>): CommissionState =>
  voidedAt ? 'void' : paidAt ? 'paid' : 'open'

export const leftOutSnapshot = (record: CommissionRecord) =>
  snapshotOf({ amountCents: record.amountCents, currency: record.currency, state: sourceState(record) })

export const commissionSnapshot = (
  record: CommissionRecord,
  affiliateId: string,
  dueAt: Date,
  { saleAmountCents, refundedCents }: { saleAmountCents: bigint; refundedCents: bigint },
) => snapshotOf({ affiliateId, ...leftOutSnapshot(record), dueAt, saleAmountCents, refundedCents })

import type { Commission } from '../../generated/prisma/client.ts'
import { commissions } from '../../resources/commissions.ts'
import type { CommissionState } from './input.ts'

/** The state follows from the row and the clock: no job has to run. */
export const commissionState = (
  commission: Pick<Commission, 'paidAt' | 'voidedAt' | 'dueAt' | 'heldReason'>,
  now: Date,
): CommissionState => commissions.states.of(commission, now)

/** The same states in the words of the wider API convention. */
export const conventionCommissionStates = ['pending', 'due', 'paid', 'voided'] as const
export type ConventionCommissionState = (typeof conventionCommissionStates)[number]

export function conventionCommissionState(
  commission: Parameters<typeof commissionState>[0],
  now: Date,
): ConventionCommissionState {
  const state = commissionState(commission, now)
  return state === 'void' ? 'voided' : state
}

/** Neither paid nor void. Such a commission can still be amended, voided and paid. */
export const unsettled = { paidAt: null, voidedAt: null } as const

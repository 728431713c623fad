import type { Commission, Prisma } from '../../generated/prisma/client.ts'
import type { CommissionState } from './input.ts'

/** The state follows from the row and the clock: no job has to run. A held commission stays pending. */
export function commissionState(
  commission: Pick<Commission, 'paidAt' | 'voidedAt' | 'dueAt' | 'heldReason'>,
  now: Date,
): CommissionState {
  if (commission.voidedAt) return 'void'
  if (commission.paidAt) return 'paid'
  if (commission.heldReason) return 'pending'
  return commission.dueAt <= now ? 'due' : 'pending'
}

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

/** The same rule as `commissionState`, as a condition for the database. */
export function inCommissionState(state: CommissionState, now: Date): Prisma.CommissionWhereInput {
  switch (state) {
    case 'void':
      return { voidedAt: { not: null } }
    case 'paid':
      return { paidAt: { not: null } }
    case 'due':
      return { ...unsettled, heldReason: null, dueAt: { lte: now } }
    case 'pending':
      return { ...unsettled, OR: [{ dueAt: { gt: now } }, { heldReason: { not: null } }] }
  }
}

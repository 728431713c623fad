import type { PayoutMethod } from '../../generated/prisma/enums.ts'
import { defineMethod } from './method.ts'

/** The method of payouts that are marked as paid without a run. */
export const byHand = 'manual' satisfies PayoutMethod

export const manual = defineMethod({
  description: 'By hand: there is no file.',
  file: null,
  report: {},
  reasons: {},
  skipReason: () => null,
  checksName: false,
})

import type { Program } from '../../generated/prisma/client.ts'
import { addDays } from '../../kernel/calendar.ts'

/** How far a sandbox's clock can be ahead of the true time: a hundred years, so that every moment it reaches can be written. */
export const mostDaysAhead = 36_600

/** The clock that a program lives by: the true one, and for a sandbox the days added that it was advanced by. */
export function clockOf(program: Pick<Program, 'sandbox' | 'clockAdvancedByDays'>, trueNow: () => Date): () => Date {
  const days = program.sandbox ? program.clockAdvancedByDays : 0
  return days === 0 ? trueNow : () => addDays(trueNow(), days)
}

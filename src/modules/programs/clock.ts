import type { Program } from '../../generated/prisma/client.ts'
import { addDays } from '../../kernel/dates.ts'

/** The limit for a sandbox's clock: about a hundred years ahead, so that all its times stay in the supported range. */
export const mostDaysAhead = 36_600

export const systemClock = (): Date => new Date()

/** The clock of a program: the true time, plus the days by which a sandbox was advanced. */
export function clockOf(program: Pick<Program, 'isSandbox' | 'clockAdvancedByDays'>, trueNow: () => Date): () => Date {
  const days = program.isSandbox ? program.clockAdvancedByDays : 0
  return days === 0 ? trueNow : () => addDays(trueNow(), days)
}

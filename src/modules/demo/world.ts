import type { Period } from './calendar.ts'
import type { People } from './names.ts'
import type { Random } from './random.ts'
import type { Rows } from './rows.ts'

/** What the parts of the demo share while its rows are made. */
export type World = {
  programId: string
  period: Period
  random: Random
  people: People
  rows: Rows
}

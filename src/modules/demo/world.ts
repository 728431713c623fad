import type { Period } from './calendar.ts'
import type { People } from './names.ts'
import type { Random } from './random.ts'
import type { Rows } from './rows.ts'

export type World = {
  programId: string
  period: Period
  random: Random
  people: People
  rows: Rows
}

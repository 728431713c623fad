import type { AnalyticsKind, ListedTable } from '../generated/prisma/enums.ts'
import type { Rule } from './rule.ts'

/**
 * What all rows of a class have in common in one column: null, a value, which value, or a time at most or after a
 * moment, the one that a rule compares the column with.
 */
export type Known = 'null' | 'value' | 'until' | 'after' | { value: string }

/** Columns of all rows of a class. Nothing is known of other columns. */
export type RowClass = Record<string, Known>

/** The number of facts of a kind, times a factor: all of them, or those until the moment or after it. */
export type Term = { kind: AnalyticsKind; factor: 1 | -1; part?: 'until' | 'after' }

/** How the numbers of a listing's rows are kept. Each row belongs to exactly one state, and to exactly one class. */
export type Kept = {
  /** The table's name in list_counts, which has the number of rows by state. */
  table: ListedTable
  states: Record<string, RowClass>
  /** How the rollups of analytics count the rows, by campaign, affiliate and currency. */
  rollup?: {
    /** The columns of the rows that are dimensions, with their columns in the rollups. */
    dimensions: Record<string, 'campaign_id' | 'affiliate_id' | 'currency'>
    classes: { rows: RowClass; terms: Term[] }[]
  }
}

/** A table whose lists are not filtered by a state. */
export const unfiltered = (table: ListedTable): Kept => ({ table, states: { '': {} } })

export const archivable = (table: ListedTable): Kept => ({
  table,
  states: { '': { archivedAt: 'null' }, archived: { archivedAt: 'value' } },
})

/** The moment that a rule compares with. It is unknown until the first comparison. */
export type Moment = { ms?: number }

/** Whether a Prisma `where` holds for all rows of a class (true) or for no row (false). Undefined if unknown. */
export function holds(rule: Rule, rows: RowClass, moment: Moment): boolean | undefined {
  return every(
    Object.entries(rule).map(([name, value]) => {
      if (value === undefined) return true
      if (name === 'AND') return every([value as Rule].flat().map((each) => holds(each, rows, moment)))
      if (name === 'OR') return some([value as Rule].flat().map((each) => holds(each, rows, moment)))
      if (name === 'NOT') return opposite(every([value as Rule].flat().map((each) => holds(each, rows, moment))))
      const known = rows[name]
      return known && matches(known, value, moment)
    }),
  )
}

function matches(known: Known, condition: unknown, moment: Moment): boolean | undefined {
  if (condition === null || typeof condition !== 'object' || condition instanceof Date)
    return compare(known, 'equals', condition, moment)
  return every(
    Object.entries(condition).map(([operator, operand]) =>
      operand === undefined ? true : compare(known, operator, operand, moment),
    ),
  )
}

function compare(known: Known, operator: string, operand: unknown, moment: Moment): boolean | undefined {
  if (operand === null) {
    const isNull = known === 'null'
    return operator === 'equals' ? isNull : operator === 'not' ? !isNull : undefined
  }
  if (typeof known === 'object') {
    if (operator === 'equals') return operand === known.value
    if (operator === 'not') return operand !== known.value
    if (operator === 'in' && Array.isArray(operand)) return operand.includes(known.value)
    if (operator === 'notIn' && Array.isArray(operand)) return !operand.includes(known.value)
    return undefined
  }
  if ((known !== 'until' && known !== 'after') || !(operand instanceof Date)) return undefined
  if (!['lt', 'lte', 'gt', 'gte'].includes(operator)) return undefined
  // Times are whole milliseconds, so "before" is "until" the millisecond before.
  const ms = operand.getTime() - (operator === 'lt' || operator === 'gte' ? 1 : 0)
  moment.ms ??= ms
  if (moment.ms !== ms) return undefined
  return operator.startsWith('lt') === (known === 'until')
}

function every(results: (boolean | undefined)[]): boolean | undefined {
  if (results.includes(false)) return false
  return results.includes(undefined) ? undefined : true
}

/** Prisma does not treat an empty OR alike everywhere, so it is not known. */
function some(results: (boolean | undefined)[]): boolean | undefined {
  if (results.includes(true)) return true
  return results.length === 0 || results.includes(undefined) ? undefined : false
}

const opposite = (result: boolean | undefined) => (result === undefined ? undefined : !result)

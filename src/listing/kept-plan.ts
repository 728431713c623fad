import type { AnalyticsKind, ListedTable } from '../generated/prisma/enums.ts'
import { isId } from '../kernel/ids.ts'
import type { CommonValue, CountedListing, RowClass } from './kept-counts.ts'
import type { Listing } from './listing.ts'
import type { Rule } from './rule.ts'

/** Values of a dimension. A row matches if it has one of them. */
export type DimensionValues = { column: 'campaign_id' | 'affiliate_id' | 'currency'; values: string[] }

/** How a number of rows follows from kept counts. */
export type Plan =
  | { kind: 'states'; table: ListedTable; states: string[] }
  /** The sum over facts in the rollups, each kind times a factor. Those until the moment have a further factor. */
  | {
      kind: 'facts'
      dimensions: DimensionValues[]
      factors: Map<AnalyticsKind, number>
      untilMoment: Map<AnalyticsKind, number>
      moment: Date | null
    }

/** How kept counts give the number of rows that match a rule. @returns null if the rows have to be counted */
export function planOf({ kept }: Pick<Listing, 'kept'>, programId: string, rule: Rule): Plan | null {
  if (!kept) return null
  const dimensions: DimensionValues[] = []
  const rest: Rule[] = []
  for (const [name, value] of conjunction(rule)) {
    const dimension = kept.rollup?.dimensions[name]
    const values = name === 'programId' || dimension ? valuesOf(value) : null
    if (name === 'programId' && values?.includes(programId)) continue
    if (dimension && values) dimensions.push({ column: dimension, values: valid(dimension, values) })
    else rest.push({ [name]: value })
  }
  const others = { AND: rest }
  return (dimensions.length === 0 ? planByState(kept, others) : null) ?? planByFacts(kept, others, dimensions)
}

function planByState({ table, states }: CountedListing, rule: Rule): Plan | null {
  const results = Object.entries(states).map(([state, rows]) => ({ state, is: holds(rule, rows, {}) }))
  if (results.some(({ is }) => is === undefined)) return null
  return { kind: 'states', table, states: results.filter(({ is }) => is).map(({ state }) => state) }
}

function planByFacts({ rollup }: CountedListing, rule: Rule, dimensions: DimensionValues[]): Plan | null {
  if (!rollup) return null
  const moment: Moment = {}
  const results = rollup.classes.map(({ rows, terms }) => ({ terms, is: holds(rule, rows, moment) }))
  if (results.some(({ is }) => is === undefined)) return null
  const factors = new Map<AnalyticsKind, number>()
  const untilMoment = new Map<AnalyticsKind, number>()
  const add = (to: Map<AnalyticsKind, number>, kind: AnalyticsKind, factor: number) => {
    const sum = (to.get(kind) ?? 0) + factor
    if (sum === 0) to.delete(kind)
    else to.set(kind, sum)
  }
  for (const { kind, factor, part } of results.filter(({ is }) => is).flatMap(({ terms }) => terms)) {
    if (part !== 'until') add(factors, kind, factor)
    if (part) add(untilMoment, kind, part === 'until' ? factor : -factor)
  }
  // Without a comparison, rows until the moment and after it match alike, and their factors cancel out.
  if (untilMoment.size > 0 && moment.ms === undefined) return null
  return {
    kind: 'facts',
    dimensions,
    factors,
    untilMoment,
    moment: moment.ms === undefined ? null : new Date(moment.ms),
  }
}

function conjunction(rule: Rule): [name: string, value: unknown][] {
  return Object.entries(rule).flatMap(([name, value]) => {
    if (value === undefined) return []
    return name === 'AND' ? [value as Rule].flat().flatMap(conjunction) : [[name, value] as [string, unknown]]
  })
}

/** The values that a condition allows; null for other conditions than equality. */
function valuesOf(condition: unknown): string[] | null {
  if (typeof condition === 'string') return [condition]
  if (condition === null || typeof condition !== 'object') return null
  const [[operator, operand] = [], ...others] = Object.entries(condition).filter(([, value]) => value !== undefined)
  if (others.length > 0) return null
  if (operator === 'equals' && typeof operand === 'string') return [operand]
  return operator === 'in' && Array.isArray(operand) ? (operand as string[]) : null
}

const valid = (column: DimensionValues['column'], values: string[]) =>
  column === 'currency' ? values : values.filter(isId)

/** The moment that a rule compares with. It is unknown until the first comparison. */
type Moment = { ms?: number }

/** Whether a Prisma `where` holds for all rows of a class (true) or for no row (false). Undefined if unknown. */
function holds(rule: Rule, rows: RowClass, moment: Moment): boolean | undefined {
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

function matches(known: CommonValue, condition: unknown, moment: Moment): boolean | undefined {
  if (condition === null || typeof condition !== 'object' || condition instanceof Date)
    return compare(known, 'equals', condition, moment)
  return every(
    Object.entries(condition).map(([operator, operand]) =>
      operand === undefined ? true : compare(known, operator, operand, moment),
    ),
  )
}

function compare(known: CommonValue, operator: string, operand: unknown, moment: Moment): boolean | undefined {
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

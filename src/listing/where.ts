import { invalid } from '../kernel/errors.ts'
import { isStorable } from '../kernel/text.ts'
import { type Field, type Listing, onlyIds } from './listing.ts'
import { ownRule } from './own-rule.ts'
import { listingOf } from './registry.ts'
import { literal, noRow, type Rule } from './rule.ts'

/** The value of a GraphQL `where` input. */
export type Where = Record<string, unknown>

const maximumDepth = 5

/** The maximum number of conditions in a `where`. PostgreSQL limits the parameters of a statement. */
const maximumConditions = 200

const maximumCount = 2_147_483_647

/** The maximum length of a text to compare with, in characters. No column holds more. */
const maximumText = 4_000

/** The fields that an affiliate token can filter by: those that it can read. Relations and search are not allowed. */
const affiliateFields = new Set([
  'id',
  'createdAt',
  'updatedAt',
  'state',
  'conversionState',
  'noCommissionReason',
  'occurredAt',
  'dueAt',
  'paidAt',
  'amountCents',
  'currency',
  'campaignId',
  'token',
])

export type WhereScope = {
  now: Date
  /** Set for affiliate tokens, which cannot filter by fields that they cannot read. */
  ownFieldsOnly?: boolean
}

/**
 * Converts a `where` input to Prisma's. All conditions of an object must hold.
 * @throws INVALID_INPUT if it is nested too deep, has too many conditions, or a field that the caller cannot read
 */
export function toRule(listing: Listing, where: Where | null | undefined, scope: WhereScope): Rule {
  const count = { conditions: 0 }
  return rule(listing, where ?? {}, scope, count, ['where'])
}

type Count = { conditions: number }

/** A position in the input: `['where', 'or', 1, 'state']`. */
type Path = readonly (string | number)[]

function rule(listing: Listing, where: Where, scope: WhereScope, count: Count, path: Path): Rule {
  if (path.filter((step) => typeof step === 'string').length > maximumDepth * 2)
    throw invalidAt(path, `can be nested ${maximumDepth} deep`)
  const rules: Rule[] = []
  for (const [name, value] of Object.entries(where)) {
    if (value === null || value === undefined) continue
    count.conditions += Array.isArray(value) ? value.length : 1
    if (count.conditions > maximumConditions) throw invalidAt(path, `can have ${maximumConditions} conditions`)
    rules.push(condition(listing, name, value, scope, count, [...path, name]))
  }
  return rules.length === 1 ? (rules[0] as Rule) : rules.length === 0 ? {} : { AND: rules }
}

function condition(listing: Listing, name: string, value: unknown, scope: WhereScope, count: Count, path: Path): Rule {
  const each = () => (value as Where[]).map((where, index) => rule(listing, where, scope, count, [...path, index]))
  if (name === 'and') return { AND: each() }
  if (name === 'or') return (value as Where[]).length === 0 ? noRow : { OR: each() }
  if (name === 'not') return { NOT: rule(listing, value as Where, scope, count, path) }
  if (name === 'search') return search(listing, value as string, scope, path)
  const field = listing.fields[name] as Field
  if (scope.ownFieldsOnly && !affiliateFields.has(name)) throw invalidAt(path, 'is not allowed with an affiliate token')
  if (field.kind === 'one' || field.kind === 'many') {
    if (field.kind === 'one')
      return { [field.relation]: { is: rule(listingOf(field.of), value as Where, scope, count, path) } }
    const quantified = Object.entries(value as Where).filter(([, where]) => where)
    return {
      [field.relation]: Object.fromEntries(
        quantified.map(([quantifier, where]) => [
          quantifier,
          rule(listingOf(field.of), where as Where, scope, count, [...path, quantifier]),
        ]),
      ),
    }
  }
  if (field.kind === 'own') {
    for (const operand of Object.values(value as Where).flat()) columnValue(field, operand, path)
    return ownRule(field.column, value as Where)
  }
  const filters = Object.entries(value as Where).filter(([, operand]) => operand !== undefined)
  return {
    AND: filters.map(([operator, operand]) => compare(field, operator, operand, scope, count, [...path, operator])),
  }
}

type Compared = Exclude<Field, { kind: 'one' | 'many' | 'own' }>

function compare(field: Compared, operator: string, value: unknown, scope: WhereScope, count: Count, path: Path): Rule {
  if (Array.isArray(value)) {
    count.conditions += value.length
    if (value.length > maximumConditions) throw invalidAt(path, `can have ${maximumConditions} values`)
  }
  if (field.kind === 'ids') {
    const { relation, column, present } = field
    const given = value === null ? {} : { [column]: { in: onlyIds([value].flat() as string[]) } }
    // With null, the record must have no such row.
    const has = (operator === 'not') === (value === null)
    return { [relation]: { [has ? 'some' : 'none']: { ...present, ...given } } }
  }
  if (field.kind === 'state') {
    const values = value === null ? [] : [value].flat()
    // A listing has states of different types, so the type of `rule` is that of no value.
    const any = { OR: values.map((one) => field.rule(one as never, scope.now)) }
    return operator === 'not' ? { NOT: any } : any
  }
  if (value === null) {
    if (!('nullable' in field && field.nullable)) throw invalidAt(path, "can't be null")
    return operator === 'not' ? { NOT: { [field.column]: null } } : { [field.column]: null }
  }
  const operand = Array.isArray(value)
    ? value.map((each) => columnValue(field, each, path))
    : columnValue(field, value, path)
  switch (operator) {
    case 'equals':
      if (field.kind !== 'id') return { [field.column]: operand }
      return { [field.column]: { in: matchable(field, [operand]) } }
    case 'in':
      return { [field.column]: { in: matchable(field, [operand].flat()) } }
    case 'not': {
      const other = { [field.column]: { notIn: matchable(field, [operand]) } }
      // A null differs from every value. SQL alone would leave it out.
      return 'nullable' in field && field.nullable ? { OR: [{ [field.column]: null }, other] } : other
    }
    case 'contains':
    case 'startsWith':
      return { [field.column]: { [operator]: literal(operand as string), mode: 'insensitive' } }
    default:
      return { [field.column]: { [operator]: operand } }
  }
}

const matchable = (field: Compared, values: unknown[]) => (field.kind === 'id' ? onlyIds(values as string[]) : values)

function columnValue(field: Field, value: unknown, path: Path): unknown {
  if (typeof value === 'string' && !isStorable(value)) throw invalidAt(path, 'contains characters that no row has')
  if (typeof value === 'string' && value.length > maximumText)
    throw invalidAt(path, `can have at most ${maximumText} characters`)
  // JavaScript has a year 0, PostgreSQL does not.
  if (value instanceof Date && value.getUTCFullYear() < 1) throw invalidAt(path, 'must be after the year 0')
  if (field.kind === 'integer' && field.bits === 32 && Math.abs(value as number) > maximumCount)
    throw invalidAt(path, `must be a whole number from -${maximumCount} to ${maximumCount}`)
  if (field.kind === 'integer') return field.bits === 64 ? BigInt(value as number) : value
  if (field.kind === 'text' && field.fold) return field.fold(value as string)
  return value
}

/** Each word has to be contained in one of the columns: "ada love" finds Ada Lovelace. */
function search(listing: Listing, words: string, scope: WhereScope, path: Path): Rule {
  if (scope.ownFieldsOnly) throw invalidAt(path, 'is not allowed with an affiliate token')
  if (!isStorable(words) || words.length > 255) throw invalidAt(path, 'must be text of at most 255 characters')
  const parts = words.trim().split(/\s+/).filter(Boolean)
  return {
    AND: parts.map((part) => ({
      OR: (listing.search ?? []).map((name) => ({ [name]: { contains: literal(part), mode: 'insensitive' } })),
    })),
  }
}

const invalidAt = (path: Path, predicate: string) =>
  invalid([{ field: path.join('.'), path, message: `${path.join('.')} ${predicate}.` }])

type Asked = { where?: Where | null | undefined; includeArchived?: boolean | null | undefined }

export const isArchivable = ({ fields }: Listing): boolean => 'archivedAt' in fields

/** The rule for the rows of a list. Archived rows are left out, unless the query asks for them. */
export function listedRule(listing: Listing, { where, includeArchived }: Asked, scope: WhereScope): Rule {
  const rule = toRule(listing, where, scope)
  if (!isArchivable(listing) || includeArchived || hasArchivedAt(where)) return rule
  return { AND: [{ archivedAt: null }, rule] }
}

/** Whether the conditions have `archivedAt` of the listed rows themselves, at any depth of `and`, `or` and `not`. */
function hasArchivedAt(where: Where | null | undefined): boolean {
  if (!where) return false
  const nested = [where.and, where.or, where.not].flat() as (Where | null | undefined)[]
  return (where.archivedAt ?? null) !== null || nested.some(hasArchivedAt)
}

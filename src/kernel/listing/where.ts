import { invalid } from '../errors.ts'
import { isStorable } from '../input/fields.ts'
import { type Field, type Listing, onlyIds } from './listing.ts'
import { listingOf } from './registry.ts'

/** What a client asks of rows: the raw value of a GraphQL `where` input. */
export type Where = Record<string, unknown>

/** What the database is asked: a Prisma `where`. */
export type Rule = Record<string, unknown>

/** How deep conditions may be nested: each relation is one more join. */
const deepest = 5

/** The most conditions of one `where`, so that no statement gets longer than the database takes. */
const mostConditions = 200

/** Longer than any text of a row, in characters. */
const longestText = 4_000

/** The largest number of a column that counts, in 32 bits. */
const mostCounted = 2_147_483_647

/** What an affiliate may ask of their own rows: what they may read of them. Nothing of other rows, no search. */
const openFields = new Set([
  'id',
  'createdAt',
  'updatedAt',
  'state',
  'conversionState',
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
  /** For an affiliate, who may not ask of what they do not see. */
  ownFieldsOnly?: boolean
}

/**
 * Turns a `where` into what the database is asked. Conditions beside each other all hold; `and`, `or` and `not` combine.
 *
 * @throws INVALID_INPUT where it is nested too deeply, has too many conditions, or asks for what the caller can not see
 */
export function toRule(listing: Listing, where: Where | null | undefined, scope: WhereScope): Rule {
  const count = { conditions: 0 }
  return rule(listing, where ?? {}, scope, count, ['where'])
}

type Count = { conditions: number }

/** Where in the input something is: `['where', 'or', 1, 'state']`. */
type Path = readonly (string | number)[]

function rule(listing: Listing, where: Where, scope: WhereScope, count: Count, path: Path): Rule {
  if (path.filter((step) => typeof step === 'string').length > deepest * 2)
    throw refusal(path, `can be nested ${deepest} deep`)
  const rules: Rule[] = []
  for (const [name, asked] of Object.entries(where)) {
    if (asked === null || asked === undefined) continue
    count.conditions += Array.isArray(asked) ? asked.length : 1
    if (count.conditions > mostConditions) throw refusal(path, `can have ${mostConditions} conditions`)
    rules.push(condition(listing, name, asked, scope, count, [...path, name]))
  }
  return rules.length === 1 ? (rules[0] as Rule) : rules.length === 0 ? {} : { AND: rules }
}

function condition(listing: Listing, name: string, asked: unknown, scope: WhereScope, count: Count, path: Path): Rule {
  const each = () => (asked as Where[]).map((where, index) => rule(listing, where, scope, count, [...path, index]))
  if (name === 'and') return { AND: each() }
  if (name === 'or') return { OR: each() }
  if (name === 'not') return { NOT: rule(listing, asked as Where, scope, count, path) }
  if (name === 'search') return search(listing, asked as string, scope, path)
  const field = listing.fields[name] as Field
  if (scope.ownFieldsOnly && !openFields.has(name)) throw refusal(path, 'is not for an affiliate to ask')
  if (field.kind === 'one' || field.kind === 'many') {
    if (field.kind === 'one')
      return { [field.relation]: { is: rule(listingOf(field.of), asked as Where, scope, count, path) } }
    const quantified = Object.entries(asked as Where).filter(([, where]) => where)
    return {
      [field.relation]: Object.fromEntries(
        quantified.map(([how, where]) => [
          how,
          rule(listingOf(field.of), where as Where, scope, count, [...path, how]),
        ]),
      ),
    }
  }
  const filters = Object.entries(asked as Where).filter(([, value]) => value !== undefined)
  return { AND: filters.map(([how, value]) => compare(field, how, value, scope, count, [...path, how])) }
}

type Compared = Exclude<Field, { kind: 'one' | 'many' }>

/** One comparison of one field: `{ gte: 500 }`. */
function compare(field: Compared, how: string, value: unknown, scope: WhereScope, count: Count, path: Path): Rule {
  if (Array.isArray(value)) {
    count.conditions += value.length
    if (value.length > mostConditions) throw refusal(path, `can have ${mostConditions} values`)
  }
  if (field.kind === 'state') {
    const words = value === null ? [] : [value].flat()
    const any = { OR: words.map((word) => field.rule(word as never, scope.now)) }
    return how === 'not' ? { NOT: any } : any
  }
  if (value === null) {
    if (!('nullable' in field && field.nullable)) throw refusal(path, "can't be null")
    return how === 'not' ? { NOT: { [field.column]: null } } : { [field.column]: null }
  }
  const told = Array.isArray(value) ? value.map((each) => column(field, each, path)) : column(field, value, path)
  switch (how) {
    case 'equals':
      if (field.kind !== 'id') return { [field.column]: told }
      return { [field.column]: { in: among(field, [told]) } }
    case 'in':
      return { [field.column]: { in: among(field, [told].flat()) } }
    case 'not': {
      const other = { [field.column]: { notIn: among(field, [told]) } }
      // What has no value is not that value either; SQL alone would leave it out.
      return 'nullable' in field && field.nullable ? { OR: [{ [field.column]: null }, other] } : other
    }
    case 'contains':
    case 'startsWith':
      return { [field.column]: { [how]: literal(told as string), mode: 'insensitive' } }
    default:
      return { [field.column]: { [how]: told } }
  }
}

const among = (field: Compared, values: unknown[]) => (field.kind === 'id' ? onlyIds(values as string[]) : values)

function column(field: Compared, value: unknown, path: Path): unknown {
  if (typeof value === 'string' && !isStorable(value)) throw refusal(path, 'contains characters that no row has')
  if (typeof value === 'string' && value.length > longestText) throw refusal(path, `can have ${longestText} characters`)
  // JavaScript has a year 0, PostgreSQL does not.
  if (value instanceof Date && value.getUTCFullYear() < 1) throw refusal(path, 'must be after the year 0')
  if (field.kind === 'integer' && field.bits === 32 && Math.abs(value as number) > mostCounted)
    throw refusal(path, `must be a whole number from -${mostCounted} to ${mostCounted}`)
  if (field.kind === 'integer') return field.bits === 64 ? BigInt(value as number) : value
  if (field.kind === 'text' && field.fold) return field.fold(value as string)
  return value
}

/** Every word has to be in one of the columns: "ada love" finds Ada Lovelace. */
function search(listing: Listing, words: string, scope: WhereScope, path: Path): Rule {
  if (scope.ownFieldsOnly) throw refusal(path, 'is not for an affiliate to ask')
  if (!isStorable(words) || words.length > 255) throw refusal(path, 'is no text that can be searched for')
  const parts = words.trim().split(/\s+/).filter(Boolean)
  return {
    AND: parts.map((part) => ({
      OR: (listing.search ?? []).map((name) => ({ [name]: { contains: literal(part), mode: 'insensitive' } })),
    })),
  }
}

/** In LIKE, % and _ stand for anything; here they are what they are. */
const literal = (text: string) => text.replace(/[\\%_]/g, '\\$&')

const refusal = (path: Path, predicate: string) =>
  invalid([{ field: path.join('.'), path, message: `${path.join('.')} ${predicate}.` }])

import { createComplexityRule } from '@pothos/plugin-complexity'
import {
  type DocumentNode,
  type GraphQLField,
  type GraphQLSchema,
  getNullableType,
  getOperationAST,
  isListType,
  validate,
} from 'graphql'
import { LRUCache } from 'lru-cache'

/** The limits of one operation. The cost bounds executing it; the others bound parsing and validating a document. */
export const limits = {
  /** The query of the widest dashboard has a few thousand. Long values, such as a CSV file, belong into variables. */
  characters: 100_000,
  /** Some validation rules take the square of the number of tokens; for 3,000 that is below 50 ms. */
  tokens: 3_000,
  /** Each alias of a field executes the field once more. */
  aliases: 50,
  directives: 50,
  /** The longest path, from program to payout by way of affiliate, referral, sale and commission, has 18. */
  depth: 20,
  /** Of a query's text, checked before it is parsed. A query of 20 fields with conditions of ten levels has fewer. */
  brackets: 64,
  /** A field costs 1, or 1 for each row of its list. Four lists of 100 rows with lists below are within it. */
  cost: 50_000,
  /** How often a document can contain `__type`. It can contain `__schema` once. */
  typesByName: 10,
  errors: 10,
  /** The longest name of a field, an alias or a variable, in characters. */
  name: 100,
} as const

/** The maximum number of rows in a list, whatever `first`, `last` or `limit` says. */
const maximumRows = 100
/** The rows of a list that is requested without `first`, `last` or `limit`. */
const defaultRows = 25
/** The rows of a list without these arguments, such as the links of an affiliate. */
const unboundedListRows = 10

const bounds = ['first', 'last', 'limit'] as const
/** The rows of a connection or page. The connection's field has already counted them. */
const rowFields = ['edges', 'nodes', 'data']

export type SelectedField = GraphQLField<unknown, unknown>
type SizedField = Pick<SelectedField, 'name' | 'type' | 'args'>

/** The default cost: 1, and its selection once for each row. @param visited collects fields without own cost */
export function costOfField(args: Readonly<Record<string, unknown>>, visited: unknown, field: SizedField) {
  if (visited instanceof Set) visited.add(field)
  return { field: 1, multiplier: rowsOf(args, field) }
}

type Args = Readonly<Record<string, unknown>>

/** The cost of a field whose resolver works more than others. A unit stands for 25 µs. */
export const costing =
  <A extends Args>(units: number | ((args: A) => number)) =>
  (args: A, visited: unknown, field: SizedField) => ({
    ...costOfField(args, visited, field),
    field: typeof units === 'number' ? units : units(args),
  })

export const linesOf = (text: string): number => text.split('\n').length

function rowsOf(args: Readonly<Record<string, unknown>>, field: SizedField): number {
  const bound = bounds.find((name) => args[name] !== undefined && args[name] !== null)
  // Without rows there are still the groups, whose records are read.
  if (bound) return Math.min(Math.max(Number(args[bound]), 1), maximumRows)
  if (field.args.some(({ name }) => bounds.some((one) => one === name))) return defaultRows
  if (!isListType(getNullableType(field.type))) return 1
  return rowFields.includes(field.name) ? 1 : unboundedListRows
}

export type Operation = {
  schema: GraphQLSchema
  document: DocumentNode
  operationName?: string | null
  variableValues?: Readonly<Record<string, unknown>> | null
}

type Measurement = {
  cost: number
  /** How many fields deep the operation is. Introspection counts as one field. */
  depth: number
  fields: SelectedField[]
}

/**
 * Measures an operation without executing it, and keeps the measurement with the document. Variables are coerced
 * before: an error made here would print their values.
 * @returns null if a variable is invalid
 */
export function measure(operation: Operation): Measurement | null {
  const { document, operationName } = operation
  const measurements = measured.get(document) ?? new LRUCache({ max: measurementsPerDocument })
  measured.set(document, measurements)
  const key = JSON.stringify([operationName, sizesOf(operation)])
  const before = measurements.get(key)
  if (before) return before
  const measurement = measureOnce(operation)
  if (measurement) measurements.set(key, measurement)
  return measurement
}

/** Measurements of documents that are cached by their text. */
const measured = new WeakMap<DocumentNode, LRUCache<string, Measurement>>()
const measurementsPerDocument = 50

/** The values that the cost depends on: row counts, `@skip`, `@include`, enums, days, numbers of lines. */
function sizesOf({ document, operationName, variableValues }: Operation): unknown[] {
  const definitions = getOperationAST(document, operationName)?.variableDefinitions ?? []
  return definitions.map(({ variable }) => {
    const value = variableValues?.[variable.name.value]
    if (value === undefined) return 'default'
    if (typeof value === 'string' && enumValue.test(value)) return value
    return value === null || typeof value === 'number' || typeof value === 'boolean' ? value : linesIn(value)
  })
}

/** What a value of an enum looks like. Other words may look so too, and are measured once more. */
const enumValue = /^[a-z_]{1,20}$/

/** The numbers of lines of the texts in a value that have several, and the days of its times. */
function linesIn(value: unknown): number[] {
  if (value instanceof Date) return [Math.floor(value.getTime() / 86_400_000)]
  if (typeof value === 'string') return value.includes('\n') ? [linesOf(value)] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(linesIn) : []
}

function measureOnce(operation: Operation): Measurement | null {
  const visited = new Set<SelectedField>()
  let measurement = null as Measurement | null
  const rule = createComplexityRule({
    context: visited,
    variableValues: { ...operation.variableValues },
    operationName: operation.operationName,
    validate: () => {},
    onResult: ({ complexity, depth }) => {
      measurement = { cost: complexity, depth, fields: [...visited] }
    },
  })
  validate(operation.schema, operation.document, [rule])
  return measurement
}

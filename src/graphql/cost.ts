import { createComplexityRule } from '@pothos/plugin-complexity'
import {
  type DocumentNode,
  type GraphQLField,
  type GraphQLSchema,
  getNullableType,
  isListType,
  validate,
} from 'graphql'

/**
 * How much one operation may ask for. The first ones bound the work of reading and checking a document, which has to be
 * little whatever it says; the cost bounds the work of answering it.
 */
export const limits = {
  /** A page of the widest dashboard has some thousands. Long values (a CSV file) belong into variables. */
  characters: 100_000,
  /** Names, numbers, brackets. Rules that compare fields with each other take the square of it: 3,000 stay below 50 ms. */
  tokens: 3_000,
  /** Every alias of a field runs it once more. */
  aliases: 50,
  directives: 50,
  /** From the program down to a payout (campaign, affiliate, referral, sale, commission) in `edges { node }` it is 18. */
  depth: 20,
  /**
   * Each field costs 1, and what is below a list counts as often as the list may have rows. A screen with four lists of
   * 100 rows and 30 fields, each row with ten rows of its own, is below it; three lists of 100 in each other are 1,000,000.
   */
  cost: 50_000,
  /** So many types may be asked for one by one (`__type`); all of them (`__schema`) once. */
  typesByName: 10,
  /** Of many mistakes, this many are told. */
  errors: 10,
  /** Of a field, an alias, a variable: in characters. */
  name: 100,
} as const

/** The most rows that a list answers, however many are asked for. */
const mostRows = 100
/** Rows of a list that takes `first`, `last` or `limit` and is given none. */
const rowsUnlessSaid = 25
/** Rows of a list that can not be bounded by its arguments: the links of an affiliate, the changes of an entry. */
const rowsOfPlainList = 10

const bounds = ['first', 'last', 'limit'] as const
/** The rows of a connection or page: their parent has counted them. */
const rowFields = ['edges', 'nodes', 'data']

type Field = Pick<GraphQLField<unknown, unknown>, 'name' | 'type' | 'args'>

/** What a field costs unless it says otherwise (`complexity`): 1, and of what is below it once for each row. */
export const costOfField = (args: Readonly<Record<string, unknown>>, _ctx: unknown, field: Field) => ({
  field: 1,
  multiplier: rowsOf(args, field),
})

function rowsOf(args: Readonly<Record<string, unknown>>, field: Field): number {
  const bound = bounds.find((name) => args[name] !== undefined && args[name] !== null)
  if (bound) return Math.min(Math.max(Number(args[bound]), 0), mostRows)
  if (field.args.some(({ name }) => bounds.some((one) => one === name))) return rowsUnlessSaid
  if (!isListType(getNullableType(field.type))) return 1
  return rowFields.includes(field.name) ? 1 : rowsOfPlainList
}

/** An operation of a document that is valid. */
export type Operation = {
  schema: GraphQLSchema
  document: DocumentNode
  operationName?: string | null
  variableValues?: Readonly<Record<string, unknown>> | null
}

/**
 * What an operation costs, and how many fields deep it goes; what a schema says of itself counts as one field. Null
 * where that can not be said, which executing it tells better. The variables have been checked: a mistake in them would be
 * printed with its value.
 */
export function measure(operation: Operation): { cost: number; depth: number } | null {
  let measured = null as { cost: number; depth: number } | null
  const rule = createComplexityRule({
    context: {},
    variableValues: { ...operation.variableValues },
    operationName: operation.operationName,
    validate: () => {},
    onResult: ({ complexity, depth }) => {
      measured = { cost: complexity, depth }
    },
  })
  validate(operation.schema, operation.document, [rule])
  return measured
}

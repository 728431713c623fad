import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases'
import { maxDirectivesRule } from '@escape.tech/graphql-armor-max-directives'
import { maxTokensPlugin } from '@escape.tech/graphql-armor-max-tokens'
import {
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  type NameNode,
  NoFragmentCyclesRule,
  validate,
} from 'graphql'
import { createLRUCache, type Plugin } from 'graphql-yoga'
import type { GraphQLContext } from '../../graphql/context.ts'
import { limits, measure, type Operation, type SelectedField } from '../../graphql/cost.ts'
import { limitIntrospection } from './limit-introspection.ts'
import { boundedError, tooComplex } from './query-errors.ts'
import { checkText } from './query-text.ts'
import { coerceVariables } from './query-variables.ts'

/** Small caches: an entry can be as large as the limits allow, and clients send few different queries. */
export const documentCaches = () => ({
  documentCache: createLRUCache<DocumentNode>({ max: 200 }),
  errorCache: createLRUCache<Error>({ max: 50 }),
})

/**
 * Rejects too complex operations, cheapest checks first, and reports the cost in `extensions.cost`. Keeps the selected
 * fields in the context.
 * @param maskedError hides the cause of unexpected errors
 */
export function useQueryLimits(maskedError: (error: unknown) => GraphQLError): Plugin<GraphQLContext> {
  return {
    onPluginInit({ addPlugin }) {
      const reject = () => {
        throw tooComplex('tokens', `A query may have ${limits.tokens} tokens. Send values as variables.`)
      }
      addPlugin(maxTokensPlugin({ n: limits.tokens, onReject: [reject] }))
    },
    onParse({ params: { source } }) {
      checkText(typeof source === 'string' ? source : source.body)
      return ({ result }) => {
        if (result instanceof RangeError) throw tooDeep()
      }
    },
    onValidate({ setValidationFn }) {
      setValidationFn((schema, document, rules) => {
        try {
          checkShape(schema, document)
          const errors = validate(schema, document, rules, { maxErrors: limits.errors })
          return errors.map(boundedError)
        } catch (error) {
          throw error instanceof RangeError ? tooDeep() : error
        }
      })
    },
    onExecute({ args, setResultAndStopExecution }) {
      const errors = coerceVariables(args)
      if (errors.length > 0) return setResultAndStopExecution({ errors })
      const { cost, error, fields } = checkCost(args)
      if (error) return setResultAndStopExecution({ errors: [maskedError(error)], extensions: { cost } })
      const ctx = args.contextValue as GraphQLContext
      ctx.selectedFields = fields
      return {
        onExecuteDone({ result, setResult }) {
          if (cost && 'data' in result) setResult({ ...result, extensions: { ...result.extensions, cost } })
        },
      }
    },
    onSubscribe({ args, setResultAndStopExecution }) {
      const errors = coerceVariables(args)
      if (errors.length > 0) return setResultAndStopExecution({ errors })
      const { cost, error } = checkCost(args)
      if (error) setResultAndStopExecution({ errors: [maskedError(error)], extensions: { cost } })
    },
  }
}

const tooDeep = () => tooComplex('depth', `A query may be ${limits.depth} fields deep.`)

/** Checks before validation: aliases, directives, introspection, fragment cycles. @throws the exceeded limit */
export function checkShape(schema: GraphQLSchema, document: DocumentNode): void {
  const reject = (reason: 'aliases' | 'directives') => () => {
    throw tooComplex(reason, `A query may have ${limits[reason]} ${reason}.`)
  }
  const rules = [
    maxAliasesRule({ n: limits.aliases, onReject: [reject('aliases')] }),
    maxDirectivesRule({ n: limits.directives, onReject: [reject('directives')] }),
    limitIntrospection,
    limitNames,
    NoFragmentCyclesRule,
  ]
  const [cycle] = validate(schema, document, rules, { maxErrors: 1 })
  if (cycle) throw tooComplex('fragments', boundedError(cycle).message)
}

/** Errors and their paths repeat names. */
const limitNames = () => ({
  Name({ value }: NameNode) {
    if (value.length > limits.name) throw tooComplex('characters', `A name may have ${limits.name} characters.`)
  },
})

type CheckedCost = {
  /** Absent if the cost is unknown. */
  cost?: { requested: number; limit: number }
  error?: Error
  fields: SelectedField[]
}

/** Measures an operation whose variables are valid, and compares it with the limits. */
export function checkCost(operation: Operation): CheckedCost {
  const measured = measure(operation)
  if (!measured) return { fields: [] }
  const { fields, depth } = measured
  const cost = { requested: measured.cost, limit: limits.cost }
  if (depth > limits.depth) return { cost, error: tooDeep(), fields }
  if (cost.requested <= limits.cost) return { cost, fields }
  const message = `The query costs ${cost.requested}; the limit is ${limits.cost}. Request fewer rows (first) or fields at a time, in several requests.`
  return { cost, error: tooComplex('cost', message), fields }
}

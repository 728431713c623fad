import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases'
import { maxDirectivesRule } from '@escape.tech/graphql-armor-max-directives'
import { maxTokensPlugin } from '@escape.tech/graphql-armor-max-tokens'
import { type DocumentNode, type GraphQLSchema, NoFragmentCyclesRule, validate } from 'graphql'
import { createLRUCache, type Plugin } from 'graphql-yoga'
import { limits, measure, type Operation } from '../graphql/cost.ts'
import { limitIntrospection } from './limit-introspection.ts'
import { boundedError, tooComplex } from './refused-query.ts'

/** As few as a program's own clients need: each keeps a document that may be as large as the limits allow. */
export const documentCaches = () => ({
  documentCache: createLRUCache<DocumentNode>({ max: 200 }),
  errorCache: createLRUCache<Error>({ max: 50 }),
})

/**
 * Refuses operations that ask for too much, the cheapest checks first, and says what each one costs in `extensions.cost`.
 *
 * @param mask what a client sees of an error
 */
export function useQueryLimits(mask: (error: unknown) => Error): Plugin {
  return {
    onPluginInit({ addPlugin }) {
      const refuse = () => {
        throw tooComplex('tokens', `A query may have ${limits.tokens} tokens: send values as variables.`)
      }
      addPlugin(maxTokensPlugin({ n: limits.tokens, onReject: [refuse] }))
    },
    onParse({ params: { source } }) {
      const characters = typeof source === 'string' ? source.length : source.body.length
      if (characters > limits.characters) {
        const message = `A query may have ${limits.characters} characters, this one has ${characters}: send values as variables.`
        throw tooComplex('characters', message)
      }
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
      const { cost, error } = judge(args)
      if (error) return setResultAndStopExecution({ errors: [mask(error) as never], extensions: { cost } })
      return {
        onExecuteDone({ result, setResult }) {
          if (cost && 'data' in result) setResult({ ...result, extensions: { ...result.extensions, cost } })
        },
      }
    },
    onSubscribe({ args, setResultAndStopExecution }) {
      const { cost, error } = judge(args)
      if (error) setResultAndStopExecution({ errors: [mask(error) as never], extensions: { cost } })
    },
  }
}

const tooDeep = () => tooComplex('depth', `A query may be ${limits.depth} fields deep.`)

/**
 * What is counted without the schema, before the rules that take longer.
 *
 * @throws a GraphQLError that says which limit a document is beyond
 */
export function checkShape(schema: GraphQLSchema, document: DocumentNode): void {
  const refuse = (reason: 'aliases' | 'directives') => () => {
    throw tooComplex(reason, `A query may have ${limits[reason]} ${reason}.`)
  }
  const rules = [
    maxAliasesRule({ n: limits.aliases, onReject: [refuse('aliases')] }),
    maxDirectivesRule({ n: limits.directives, onReject: [refuse('directives')] }),
    limitIntrospection,
    NoFragmentCyclesRule,
  ]
  const [cycle] = validate(schema, document, rules, { maxErrors: 1 })
  if (cycle) throw tooComplex('fragments', boundedError(cycle).message)
}

function judge(operation: Operation): { cost?: { requested: number; limit: number }; error?: Error } {
  const measured = measure(operation)
  if (!measured) return {}
  const cost = { requested: measured.cost, limit: limits.cost }
  if (measured.depth > limits.depth) return { cost, error: tooDeep() }
  if (measured.cost <= limits.cost) return { cost }
  const message = `The query costs ${measured.cost}, and may cost ${limits.cost}: ask for fewer rows (first) or fields at a time.`
  return { cost, error: tooComplex('cost', message) }
}

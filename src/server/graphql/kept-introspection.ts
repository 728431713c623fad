import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  print,
  visit,
} from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { LRUCache } from 'lru-cache'
import type { GraphQLContext } from '../../graphql/context.ts'
import { resolvedInSlices } from '../../kernel/slices.ts'
import { affiliateSchema } from '../../schema/affiliate.ts'
import type { GraphQLState } from '../handler.ts'

/** What all kept results may take, in bytes. A whole schema takes 770,000. */
const maximumBytes = 16_000_000

/** The state of a request, with the bytes to send if they are kept. Yoga copies it, but not what it holds. */
export type YogaState = GraphQLState & { sent: { bytes?: Uint8Array } }

/** A result, and its JSON without the last brace. Yoga calls `stringify` instead of JSON's. */
type Kept = { data: ExecutionResult['data']; bytes: Buffer }

/**
 * Introspection is the same for everybody but affiliates, who see what they can read. A whole schema takes as long as a
 * hundred small queries. So its types are read in slices, between which other requests run, and its results are kept as
 * the bytes that are sent: Yoga's response has no body, and `createYogaServer` puts them in its place. The query is
 * authenticated and checked as every other one.
 */
export function useKeptIntrospection(): Plugin<object, YogaState> {
  const kept = new LRUCache<string, Kept>({ maxSize: maximumBytes, sizeCalculation: ({ bytes }) => bytes.length })
  return {
    onExecute({ args: { document, contextValue }, setExecuteFn, executeFn }) {
      if (!introspects(document)) return
      const { sent, actor } = contextValue as unknown as YogaState & GraphQLContext
      const query = onlyIntrospects(document)
      const isForAffiliate = query !== null && actor.kind === 'affiliate'
      const inSlices = ({ schema, ...args }: ExecutionArgs) =>
        executeFn({ ...args, schema: withTypesInSlices(isForAffiliate ? affiliateSchema() : schema) })
      if (!query || (query.variableDefinitions ?? []).length > 0) return setExecuteFn(inSlices)
      const text = print(visit(document, { OperationDefinition: (node) => ({ ...node, name: undefined }) }))
      const key = `${isForAffiliate ? 'affiliate' : 'public'} ${text}`
      setExecuteFn(async (args) => {
        const known = kept.get(key)
        const result: ExecutionResult = known ?? ((await inSlices(args)) as ExecutionResult)
        if (result.errors || !result.data) return result
        const { data } = result
        const bytes = known?.bytes ?? Buffer.from(`{"data":${JSON.stringify(data)}`)
        if (!known) kept.set(key, { data, bytes })
        return {
          data,
          stringify({ extensions }: ExecutionResult) {
            const end = extensions ? `,"extensions":${JSON.stringify(extensions)}}` : '}'
            sent.bytes = Buffer.concat([bytes, Buffer.from(end)])
            return ''
          },
        }
      })
    },
  }
}

/** The same schema, of which `__schema { types }` is a list of promises that resolve in slices. */
const withTypesInSlices = (schema: GraphQLSchema): GraphQLSchema =>
  Object.create(schema, {
    getTypeMap: { value: () => resolvedInSlices(Object.values(schema.getTypeMap())) },
    // It reads the map of types by name.
    getType: { value: (name: string) => schema.getType(name) },
  }) as GraphQLSchema

/** Whether an operation reads the whole schema at its root, perhaps beside other fields. */
function introspects(document: DocumentNode): boolean {
  let found = false
  visit(document, {
    Field: ({ name }) => {
      found ||= name.value === '__schema'
    },
  })
  return found || onlyIntrospects(document) !== null
}

/** The operation of a document that is one query of `__schema`, `__type` and `__typename` alone. */
function onlyIntrospects({ definitions }: DocumentNode): OperationDefinitionNode | null {
  const [operation, another] = definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION)
  if (operation?.kind !== Kind.OPERATION_DEFINITION || another || operation.operation !== 'query') return null
  const isOfSchema = operation.selectionSet.selections.every(
    (one) => one.kind === Kind.FIELD && one.name.value.startsWith('__'),
  )
  return isOfSchema ? operation : null
}

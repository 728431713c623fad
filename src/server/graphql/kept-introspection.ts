import { type DocumentNode, type ExecutionResult, Kind, print } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { LRUCache } from 'lru-cache'

/** What the texts of all kept results may take, in characters. A whole schema has 700,000. */
const maximumLength = 8_000_000

/** A result with its text: Yoga calls `stringify` instead of JSON's. */
type Kept = { data: ExecutionResult['data']; text: string }

/**
 * Introspection is the same for everybody, and a whole schema takes as long as a hundred small queries. So the texts of its results
 * are kept. The query is authenticated and checked as every other one.
 */
export function useKeptIntrospection(): Plugin {
  const kept = new LRUCache<string, Kept>({ maxSize: maximumLength, sizeCalculation: ({ text }) => text.length })
  const resultOf = ({ data, text }: Kept) => ({
    data,
    stringify: ({ extensions }: ExecutionResult) =>
      extensions ? `{"data":${text},"extensions":${JSON.stringify(extensions)}}` : `{"data":${text}}`,
  })
  return {
    onExecute({ args: { document }, setExecuteFn, executeFn }) {
      if (!onlyIntrospects(document)) return
      const key = print(document)
      setExecuteFn(async (args) => {
        const known = kept.get(key)
        if (known) return resultOf(known)
        const { data, errors } = (await executeFn(args)) as ExecutionResult
        if (errors || !data) return { data, errors }
        const found = { data, text: JSON.stringify(data) }
        kept.set(key, found)
        return resultOf(found)
      })
    },
  }
}

/** Whether a document is one query of `__schema`, `__type` and `__typename` alone, without variables. */
function onlyIntrospects({ definitions }: DocumentNode): boolean {
  const [operation, another] = definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION)
  if (operation?.kind !== Kind.OPERATION_DEFINITION || another) return false
  if (operation.operation !== 'query' || (operation.variableDefinitions ?? []).length > 0) return false
  return operation.selectionSet.selections.every((one) => one.kind === Kind.FIELD && one.name.value.startsWith('__'))
}

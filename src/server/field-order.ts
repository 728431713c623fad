import type { Plugin } from 'graphql-yoga'
import { execute } from '../graphql/execution/execute.ts'

/**
 * Runs queries by their plan, and mutations with GraphQL's own executor. Both keep the fields of a response in the order
 * of the query, as the specification demands (section 7.2.2, "Serialized Map Ordering"). Yoga's executor orders them by
 * completion.
 */
export const useFieldOrder = (): Plugin => ({
  // Envelop types the executor's arguments as its own context-aware variant of graphql-js's.
  onExecute: ({ setExecuteFn }) => setExecuteFn(execute as never),
})

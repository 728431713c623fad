import type { Plugin } from 'graphql-yoga'
import { execute } from '../../execution/execute.ts'

/**
 * Queries run by their plan, mutations by GraphQL's executor. Both keep the fields in the order of the query
 * (specification, section 7.2.2); Yoga's executor orders them by completion.
 */
export const useFieldOrder = (): Plugin => ({
  // Envelop types the executor's arguments as its own context-aware variant of graphql-js's.
  onExecute: ({ setExecuteFn }) => setExecuteFn(execute as never),
})

import type { Plugin } from 'graphql-yoga'
import { execute } from '../../execution/execute.ts'

/** Keeps the fields in the order of the query (specification, section 7.2.2), which Yoga's executor does not. */
export const useFieldOrder = (): Plugin => ({
  // Envelop types the executor's arguments as its own context-aware variant of graphql-js's.
  onExecute: ({ setExecuteFn }) => setExecuteFn(execute as never),
})

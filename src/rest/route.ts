import type { z } from 'zod'

export type OperationName = `Query.${string}` | `Mutation.${string}`

/** One endpoint: the operation of the schema that it runs, and what its documentation says. */
export type Route = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below /v1. `{id}` stands for an id. */
  path: string
  operation: OperationName
  status: number
  /** The input of the operation: a GET's query, any other method's body. Without it, query and body are ignored. */
  input?: z.ZodObject
  /** Fields of the body of which at least one is required, in addition to the required fields of `input`. */
  needsOneOf?: readonly string[]
  /** The `error` of a 422 that lists problems in `details`. Without it, `error` holds the problems themselves. */
  failure?: string
  /** Fields with another name in the schema: REST name to schema name. */
  renamed?: Readonly<Record<string, string>>
  /** The filter `state` can also be read in the convention's states: the field `conventionState` of the input. */
  hasConventionState?: boolean
  /** The states that a list has without a filter, for clients that know only those of the contract. */
  contractStates?: readonly string[]
  /** The argument that `{id}` is for, if it is not `id`. */
  idField?: 'affiliateId'
  /** Reads the resource that `{id}` names, if the operation itself does not reject an unknown id. */
  parent?: `Query.${string}`
  /** The status of results in which one of these fields is true: of the first. */
  otherwise?: readonly { field: string; status: number; meaning: string; example?: object }[]
  /** An example of the `error` of a 422 for valid input that the current state does not allow. */
  refusal?: string
  /** The possible `details` of that 422: codes for programs. */
  refusalReasons?: readonly string[]
  /** A request that fails names the fields that it does not read: one of them may be misspelled. */
  namesUnknownFields?: boolean
  /** The response is a CSV file. The operation's type has the fields `csv`, `fileName` and `skippedCount`. */
  isFile?: boolean
  /** The response is a streamed file of all rows. The operation reads one batch of them. */
  isExport?: boolean
  /** Not part of the convention, so its rate limit does not apply. */
  isOwnEndpoint?: boolean
  /** Only API keys with the superset profile have it. */
  isOfSuperset?: boolean
  /** The operation that runs instead, and writes nothing, if the query has `dry_run=true`. */
  dryRun?: `Query.${string}`
  tag: string
  summary: string
}

const withArticle = (noun: string) => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`

export const list = (path: string, operation: OperationName, tag: string, input: z.ZodObject): Route => ({
  method: 'GET',
  path,
  operation,
  status: 200,
  input,
  failure: `Could not list ${tag.toLowerCase()}.`,
  tag,
  summary: `List ${tag.toLowerCase()}`,
})

export const listOfAffiliate = ({ path, summary, ...route }: Route): Route => ({
  ...route,
  path: `/affiliates/{id}${path}`,
  idField: 'affiliateId',
  parent: 'Query.affiliate',
  summary: `${summary} of an affiliate`,
})

export const read = (path: string, operation: OperationName, tag: string, noun: string): Route => ({
  method: 'GET',
  path,
  operation,
  status: 200,
  tag,
  summary: `Read ${withArticle(noun)}`,
})

export const create = (
  path: string,
  operation: OperationName,
  tag: string,
  noun: string,
  input: z.ZodObject,
): Route => ({
  method: 'POST',
  path,
  operation,
  status: 201,
  input,
  failure: `Could not create ${noun}.`,
  tag,
  summary: `Create ${withArticle(noun)}`,
})

export const update = (
  path: string,
  operation: OperationName,
  tag: string,
  noun: string,
  input: z.ZodObject,
): Route => ({
  method: 'PUT',
  path,
  operation,
  status: 200,
  input,
  failure: `Could not update ${noun}.`,
  tag,
  summary: `Update ${withArticle(noun)}`,
})

export const exported = (noun: string, operation: OperationName, input: z.ZodObject): Route => ({
  method: 'GET',
  path: `/exports/${noun}`,
  operation,
  status: 200,
  input,
  failure: `Could not export ${noun}.`,
  isExport: true,
  isOwnEndpoint: true,
  tag: 'Exports',
  summary: `Export ${noun}`,
})

import { z } from 'zod'
import type { GraphQLContext } from '../../graphql/context.ts'
import type { GraphQLResult } from '../graphql/operations.ts'
import type { Data } from './marks.ts'
import type { ToolName } from './names.ts'

/** Who a tool is for: keys and operators in a program, affiliates with their token, or operators alone. */
export type Audience = 'program' | 'affiliate' | 'operator'

/** What a tool call is run with. */
export type Call = {
  context: GraphQLContext
  /** Runs an operation with the caller's rights. Texts in its data are marked: see `marks.ts`. @throws ToolError */
  ask(query: string, variables?: object): Promise<Data>
  /** The address of a page of the program in the dashboard. */
  page(path: string): string
  /** The largest answer, in bytes. */
  budget: number
}

export type Caller = {
  context: GraphQLContext
  /** The tool that the message calls, or `other`. Undefined for another message. */
  tool?: string | undefined
  allowsQueries: boolean
  publicUrl: string
  ask(query: string, variables?: object): Promise<GraphQLResult>
}

export type Tool<S extends z.ZodObject = z.ZodObject> = {
  name: ToolName
  title: string
  description: string
  audience: Audience
  /** Whether it changes something. No tool moves money. */
  writes?: boolean
  input: S
  /** The fields of its answer, beside those that every answer has. */
  output: z.ZodRawShape
  run(call: Call, args: z.output<S>): Promise<Record<string, unknown>>
}

export const defineTool = <S extends z.ZodObject>(tool: Tool<S>): Tool => tool as unknown as Tool

/** A failure that the caller can act on, with the code of the API. */
export class ToolError extends Error {
  constructor(
    message: string,
    readonly code: string,
    readonly problems: unknown[] = [],
  ) {
    super(message)
  }
}

export const defaultBudget = 8_000
const largestBudget = 64_000

/** An argument that every tool has. */
export const budget = z
  .number()
  .int()
  .min(1_000)
  .max(largestBudget)
  .default(defaultBudget)
  .describe(
    `The largest answer, in bytes of JSON: 1000 to ${largestBudget}. Lists end earlier, with a cursor for the rest.`,
  )

/** What the answers hold that a schema of this service describes: rows of GraphQL. */
export const rows = (what: string) => z.array(z.looseObject({})).describe(what)
export const row = (what: string) => z.looseObject({}).describe(what)
export const next = z.string().nullable().describe('The cursor of the rest: `after` of the next call. Null at the end.')

/** As many rows as fit into the budget, and the cursor of the rest. */
export function fitted<T>(
  call: Call,
  edges: readonly { cursor: string; node: T }[],
  hasNextPage: boolean,
): { items: T[]; next: string | null } {
  const items: T[] = []
  // What every answer has beside its rows.
  let size = 800
  for (const { node } of edges) {
    size += Buffer.byteLength(JSON.stringify(node)) + 1
    if (size > call.budget && items.length > 0) break
    items.push(node)
  }
  const isCut = items.length < edges.length
  return { items, next: (isCut || hasNextPage) && items.length > 0 ? (edges[items.length - 1]?.cursor ?? null) : null }
}

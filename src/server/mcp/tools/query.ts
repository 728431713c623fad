import { Kind, OperationTypeNode, parse } from 'graphql'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { defineTool, row, ToolError } from '../tool.ts'

export const query = defineTool({
  name: 'query',
  title: 'Run a GraphQL query',
  description:
    'Runs one read-only operation of the GraphQL API, within its cost limit and your rights. The resource `tributary://schema/<words>` has the part of the schema that fits a question. Use it for what the other tools do not answer.',
  audience: 'program',
  input: z.object({
    query: z.string().min(1).max(10_000).describe('One operation of the type `query`.'),
    variables: z.record(z.string(), z.unknown()).optional(),
  }),
  output: { data: row('The data of the operation.') },
  async run(call, { query: text, variables }) {
    demandRead(text)
    return { data: await call.ask(text, variables) }
  },
})

/** The queries that were found to read only, so that they are parsed once. */
const known = new LRUCache<string, true>({ max: 200 })

/** @throws ToolError for anything but queries. The API reports what is wrong with a query. */
function demandRead(text: string): void {
  if (known.has(text)) return
  let document: ReturnType<typeof parse>
  try {
    document = parse(text, { maxTokens: 2_000 })
  } catch (error) {
    throw new ToolError((error as Error).message, 'GRAPHQL_PARSE_FAILED')
  }
  const other = document.definitions.find(
    (one) => one.kind === Kind.OPERATION_DEFINITION && one.operation !== OperationTypeNode.QUERY,
  )
  if (other) throw new ToolError('This tool reads only. Use propose for a change; a person confirms it.', 'FORBIDDEN')
  known.set(text, true)
}

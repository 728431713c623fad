import { coerceInputValue, execute, type GraphQLInputType, type GraphQLObjectType, getNamedType, parse } from 'graphql'
import type { GraphQLContext } from '../graphql/context.ts'
import { invalid } from '../kernel/errors.ts'
import { problem } from '../kernel/input/parse.ts'
import { publicSchema } from '../schema/schema.ts'
import { chooseFormat, type FileFormat } from './export-file.ts'
import type { Route } from './routes.ts'
import { contractSchema, operationField } from './schema.ts'

/** What an answer that takes its time needs to know of its request. */
export type Delivery = {
  accept: string | null
  /** Aborted when the caller has gone. */
  signal: AbortSignal
  /** Runs a part of the work in a turn of its own: many slow readers leave the turns to others between their batches. */
  inTurn<T>(run: () => Promise<T>): Promise<T>
  /** Cuts the connection, so that nobody takes a part of the answer for the whole. */
  breakOff?: () => void
}

type Batch = { next: string | null; rows: Record<string, unknown>[] }

/**
 * An export, batch by batch as its reader takes it. The first batch is read before anything is answered, so that what is
 * wrong with the request is told as everywhere; what goes wrong later breaks the answer off.
 *
 * @param onFailure hears of an error after the answer has begun
 */
export async function answerExport(
  route: Route,
  { format: asked, ...given }: Record<string, unknown>,
  context: GraphQLContext,
  delivery: Delivery,
  onFailure: (error: unknown) => void,
): Promise<Response> {
  const format = chooseFormat(asked, delivery.accept)
  const variables = { ...given, ...(given.where !== undefined && { where: readConditions(route, given.where) }) }
  const columns = columnsOf(route)
  const startedAt = context.now()
  const first = await readBatch(route, variables, context)
  // What is due is what was due at the beginning, to the last row.
  const frozen = { ...context, now: () => startedAt }
  const readNext = (after: string) => delivery.inTurn(() => readBatch(route, { ...variables, after }, frozen))
  const body = streamOf(first, readNext, { format, columns, delivery, onFailure })
  const name = [context.namedProgram?.slug, route.path.split('/').at(-1), startedAt.toISOString().slice(0, 10)]
  return new Response(body, {
    headers: {
      'Content-Type': format.contentType === 'text/csv' ? 'text/csv; charset=utf-8' : format.contentType,
      'Content-Disposition': `attachment; filename="${name.filter(Boolean).join('-')}.${format.extension}"`,
      'Cache-Control': 'private, no-store',
      Vary: 'Accept, Authorization',
    },
  })
}

/**
 * Reads the JSON of `where` as GraphQL reads a variable: enums, moments and numbers are what the schema says.
 *
 * @throws INVALID_INPUT
 */
function readConditions(route: Route, where: unknown): unknown {
  if (typeof where !== 'string' || where.trim() === '') return where
  const type = publicSchema.getType(rowType(route).name.replace(/Row$/, 'Where')) as GraphQLInputType
  const told: string[] = []
  const read = coerceInputValue(parsed(where), type, (path, _value, error) => {
    told.push(`${['where', ...path].join('.')}: ${error.message}`)
  })
  if (told.length > 0) throw invalid(told.slice(0, 10).map((message) => ({ field: 'where', message })))
  return read
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw invalid([problem('where', 'must be conditions as JSON')])
  }
}

type Writing = { format: FileFormat; columns: string[]; delivery: Delivery; onFailure: (error: unknown) => void }

function streamOf(first: Batch, readNext: (after: string) => Promise<Batch>, writing: Writing): ReadableStream {
  const { format, columns, delivery, onFailure } = writing
  const encoder = new TextEncoder()
  let head = format.head(columns)
  let batch: Batch | undefined = first
  let after: string | null = null
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    if (delivery.signal.aborted) return controller.close()
    try {
      batch ??= await readNext(after as string)
    } catch (error) {
      onFailure(error)
      if (!delivery.breakOff) return controller.error(error)
      delivery.breakOff()
      return controller.close()
    }
    const text = head + format.lines(batch.rows, columns)
    if (text) controller.enqueue(encoder.encode(text))
    head = ''
    after = batch.next
    batch = undefined
    if (after === null) controller.close()
  }
  // Nothing is read ahead of the reader.
  return new ReadableStream({ pull }, { highWaterMark: 0 })
}

const columnsOf = (route: Route) => Object.keys(rowType(route).getFields())

/** The type of an export's rows; its fields are the columns. */
export function rowType({ operation }: Route): GraphQLObjectType {
  const batch = getNamedType(operationField(operation).type) as GraphQLObjectType
  return getNamedType(batch.getFields().rows?.type) as GraphQLObjectType
}

const documents = new Map<string, ReturnType<typeof parse>>()

function documentOf(route: Route): ReturnType<typeof parse> {
  const known = documents.get(route.operation)
  if (known) return known
  const field = operationField(route.operation)
  const declared = field.args.map(({ name, type }) => `$${name}: ${type}`).join(', ')
  const given = field.args.map(({ name }) => `${name}: $${name}`).join(', ')
  const document = parse(
    `query (${declared}) { batch: ${field.name}(${given}) { next rows { ${columnsOf(route).join(' ')} } } }`,
  )
  documents.set(route.operation, document)
  return document
}

async function readBatch(route: Route, variables: Record<string, unknown>, context: GraphQLContext): Promise<Batch> {
  const result = await execute({
    schema: contractSchema,
    document: documentOf(route),
    contextValue: context,
    variableValues: variables,
  })
  const [error] = result.errors ?? []
  if (error) throw error.originalError ?? error
  return result.data?.batch as Batch
}

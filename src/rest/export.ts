import { coerceInputValue, type GraphQLInputType, type GraphQLObjectType, getNamedType } from 'graphql'
import { shortened } from '../graphql/shortened.ts'
import type { Answer } from '../http/answer.ts'
import { parseJson } from '../http/body.ts'
import { invalid } from '../kernel/errors.ts'
import { problem } from '../kernel/input/parse.ts'
import { publicSchema } from '../schema/schema.ts'
import { type Batch, batchesOf, type Window } from './export-batches.ts'
import { type CsvChoice, chooseCsv, chooseFormat, type ExportFile, type ExportFormat } from './export-format.ts'
import { parquetFile } from './export-parquet.ts'
import type { Route } from './route.ts'
import { type RestContext, run } from './run.ts'
import { operationField } from './schema.ts'

export type Delivery = {
  accept: string | null
  isGone(): boolean
  /** Runs one batch in its own turn, so that slow readers do not block other requests between batches. */
  inTurn<T>(run: () => Promise<T>): Promise<T>
  /** Runs the read of a batch, which can run twice. */
  readFrom<C extends RestContext, T>(context: C, run: (context: C) => Promise<T>): Promise<T>
  /** Destroys the connection, so that no client takes a partial file for a complete one. */
  breakOff: (() => void) | undefined
}

/**
 * Streams an export at the speed of its reader. The first batch is read before the response starts, so its errors get
 * an error response. A later error closes the connection.
 * @param onFailure called with an error that occurs after the response has started
 */
export async function exportAnswer(
  route: Route,
  { format: formatName, bom, decimal, ...input }: Record<string, unknown>,
  context: RestContext,
  delivery: Delivery,
  onFailure: (error: unknown) => void,
): Promise<Answer> {
  const format = chooseFormat(formatName, delivery.accept)
  const choice = await chooseCsv(bom, decimal, format)
  const lineFormat = 'lines' in format ? format.extension : undefined
  if (input.where !== undefined) input.where = readConditions(route, input.where)
  const startedAt = context.now()
  // All batches use the time of the first, so that which commissions are due does not change within a file.
  const fixedTime = { ...context, now: () => startedAt }
  // A file has the same columns to its end.
  let own: string[] | undefined
  const readBatch = async (window: Partial<Window> = {}) => {
    // A client cannot set the parameters of batches, under any name.
    const batch = {
      ...input,
      until: undefined,
      ends: undefined,
      columns: own,
      ...window,
      format: lineFormat,
      decimal: choice.decimal,
    }
    const { data } = await delivery.readFrom(fixedTime, (context) => run(route, batch, context))
    return data as Batch
  }
  const first = await readBatch()
  own = first.columns
  const readNext = (window: Window) => delivery.inTurn(() => readBatch(window))
  const file = fileOf(format, choice, rowType(route), own)
  const body = streamOf(partsOf(batchesOf(first, readNext), file), delivery, onFailure)
  const name = [context.namedProgram?.slug, route.path.split('/').at(-1), startedAt.toISOString().slice(0, 10)]
  return {
    status: 200,
    body,
    headers: {
      'Content-Type': format.contentType === 'text/csv' ? 'text/csv; charset=utf-8' : format.contentType,
      'Content-Disposition': `attachment; filename="${name.filter(Boolean).join('-')}.${format.extension}"`,
      'Cache-Control': 'private, no-store',
      Vary: 'Accept, Authorization',
    },
  }
}

/** Reads the JSON of `where` as GraphQL reads a variable, with enums and times. @throws INVALID_INPUT */
function readConditions(route: Route, where: unknown): unknown {
  if (typeof where !== 'string' || where.trim() === '') return where
  const type = publicSchema.getType(rowType(route).name.replace(/Row$/, 'Where')) as GraphQLInputType
  const messages: string[] = []
  const conditions = coerceInputValue(readJson(where), type, (path, _value, error) => {
    messages.push(shortened(`${['where', ...path].join('.')}: ${error.message}`))
  })
  if (messages.length > 0) throw invalid(messages.slice(0, 10).map((message) => ({ field: 'where', message })))
  return conditions
}

function readJson(text: string): unknown {
  try {
    return parseJson(text, 'where')
  } catch {
    throw invalid([problem('where', 'must be conditions as JSON')])
  }
}

function fileOf(format: ExportFormat, choice: CsvChoice, type: GraphQLObjectType, own: readonly string[]): ExportFile {
  if (!('lines' in format)) return parquetFile(type, own)
  const columns = [...Object.keys(type.getFields()), ...own]
  return { head: format.head(columns, choice), rows: (rows) => format.lines(rows, columns, choice) }
}

/** The parts of the file. None is empty: the rows of a batch can be deleted before it is read. */
async function* partsOf(batches: AsyncIterable<Batch>, file: ExportFile): AsyncGenerator<string | Uint8Array> {
  let head = file.head ?? ''
  for await (const { text, rows, values } of batches) {
    const part = text ?? file.rows(wholeRows(rows, values))
    const next = typeof part === 'string' ? head + part : part
    head = ''
    if (next.length > 0) yield next
  }
  const end = file.end?.()
  if (end) yield end
}

/** The rows with the values of the columns that only the program has. */
const wholeRows = (rows: Batch['rows'], values: Batch['values']) =>
  values.length === 0 ? rows : rows.map((row, index) => Object.assign({}, row, JSON.parse(values[index] ?? '{}')))

function streamOf(
  parts: AsyncGenerator<string | Uint8Array>,
  { isGone, breakOff }: Delivery,
  onFailure: (error: unknown) => void,
): ReadableStream {
  const encoder = new TextEncoder()
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    if (isGone()) return controller.close()
    let read: IteratorResult<string | Uint8Array, void>
    try {
      read = await parts.next()
    } catch (error) {
      onFailure(error)
      if (!breakOff) return controller.error(error)
      breakOff()
      return controller.close()
    }
    // A pull that enqueued nothing would not be repeated.
    if (read.done) controller.close()
    else controller.enqueue(typeof read.value === 'string' ? encoder.encode(read.value) : read.value)
  }
  // No batch is read before the client has asked for the one before it.
  return new ReadableStream({ pull }, { highWaterMark: 0 })
}

/** The type of an export's rows. Its fields are the columns. */
export function rowType({ operation }: Pick<Route, 'operation'>): GraphQLObjectType {
  const batch = getNamedType(operationField(operation).type) as GraphQLObjectType
  return getNamedType(batch.getFields().rows?.type) as GraphQLObjectType
}

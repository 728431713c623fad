import type { z } from 'zod'
import type { ProgramCtx } from '../../kernel/context.ts'
import { isId } from '../../kernel/ids.ts'
import { parseInput, problem } from '../../kernel/input/parse.ts'
import { listingOf } from '../../listing/registry.ts'
import type { Rule } from '../../listing/rule.ts'
import { tableOf } from '../../listing/table.ts'
import { toRule, type Where } from '../../listing/where.ts'
import { type LineStyle, type Lines, lineOf } from './lines.ts'

/** Rows per batch. Between two batches no transaction is open. An embedded statement holds up all others. */
const batchSizes = { inThread: 400, elsewhere: 2_000 }

/** A batch of an export, and the id to continue after, null at the end. `text` has lines, if the file has any. */
export type Batch<Row> = {
  rows: Row[]
  text: string | null
  next: string | null
  ends: string[]
  /** The names of the columns that only this program has. They come last. `values` has those of each row, as JSON. */
  columns: string[]
  values: string[]
}

export type BatchOptions = {
  /** How to write the lines of `text`. Without it, the batch has `rows`. */
  format?: LineStyle['format'] | undefined
  decimal?: LineStyle['decimal']
  /** The id of the last row of the batch. Without it, the batch ends after so many rows. */
  until?: string | undefined
  /** Read no rows, but the ids of the last rows of this number of full batches, as `ends`. */
  ends?: number | undefined
  /** The names of the columns that only this program has: those of the first batch. By default all. */
  columns?: readonly string[] | undefined
}

const nothing = { rows: [], text: null, next: null, ends: [], columns: [], values: [] }

type Window = { where: { AND: Rule[] }; orderBy: { id: 'asc' } }

type Export<S extends z.ZodObject, Model, Row> = {
  /** The rows are those of its list in GraphQL, or of a table without one. */
  noun: string | { model: 'visit' }
  /** The filters; `where` holds the conditions of the list. */
  schema: S
  query: (input: z.output<S>, window: Window) => Query | Promise<Query>
  toRow: (record: Model) => Row
  /** Reads what `toRow` lacks. */
  complete?: (rows: Row[]) => Promise<Row[]>
  /** The same rows, as the database writes them. */
  lines: Lines
  /** The columns that only this program has. `lines` has them too. */
  own?: { columns: string[]; valuesOf: (record: Model) => object }
}

type Query = { where: object; orderBy: object; include?: object; select?: object }

/**
 * Reads the next batch of an export, oldest first by id. No row comes twice; a row that is added meanwhile comes in its
 * place or not at all. Batches whose ends are known can be read at the same time.
 * @throws INVALID_INPUT
 */
export async function readBatch<S extends z.ZodObject, Model extends { id: string }, Row>(
  ctx: ProgramCtx,
  raw: unknown,
  { format, decimal, until, ends }: BatchOptions,
  { noun, schema, query, toRow, complete, lines, own }: Export<S, Model, Row>,
): Promise<Batch<Row>> {
  const input = await parseInput(schema, raw, ({ after }: { after?: string }) =>
    after !== undefined && !isId(after) ? [problem('after', 'must be the id of a row')] : [],
  )
  const { after, where } = input as { after?: string; where?: Where }
  const listing = typeof noun === 'string' ? listingOf(noun) : noun
  const conditions = 'fields' in listing ? toRule(listing, where, { now: ctx.now() }) : {}
  const queryOf = async (id: { gt?: string | undefined; lte?: string | undefined }) =>
    query(input, { where: { AND: [conditions, { id }] }, orderBy: { id: 'asc' } })
  const table = tableOf(ctx.db, listing)
  const batchSize = ctx.db.sql.isInThread ? batchSizes.inThread : batchSizes.elsewhere
  if (ends !== undefined) {
    const found: string[] = []
    while (found.length < ends) {
      const { where, orderBy } = await queryOf({ gt: found.at(-1) ?? after })
      const end = await table.findFirst({ where, orderBy, select: { id: true }, skip: batchSize - 1 })
      if (!end) break
      found.push(end.id)
    }
    return { ...nothing, ends: found }
  }
  const rows = { ...(await queryOf({ gt: after, lte: until })), ...(until === undefined && { take: batchSize }) }
  const nextOf = (last: string | null | undefined, count: number) =>
    until ?? (count < batchSize ? null : (last ?? null))
  const written = format && (await ctx.db.reads.asText(listing.model, rows, lineOf(lines, { format, decimal })))
  const columns = own?.columns ?? []
  if (written) return { ...nothing, columns, text: written.text, next: nextOf(written.lastId, written.count) }
  const records = (await table.findMany(rows)) as unknown as Model[]
  const values = own ? records.map((record) => JSON.stringify(own.valuesOf(record))) : []
  const next = nextOf(records.at(-1)?.id, records.length)
  const made = records.map(toRow)
  return { ...nothing, rows: complete ? await complete(made) : made, columns, values, next }
}

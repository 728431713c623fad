import type { z } from 'zod'
import type { ProgramCtx } from '../../kernel/context.ts'
import { isId } from '../../kernel/ids.ts'
import { parseInput, problem } from '../../kernel/input/parse.ts'
import { listingOf } from '../../kernel/listing/registry.ts'
import type { Rule } from '../../kernel/listing/rule.ts'
import { tableOf } from '../../kernel/listing/table.ts'
import { toRule, type Where } from '../../kernel/listing/where.ts'
import { type LineFormat, type Lines, lineOf } from './lines.ts'

/** The number of rows per batch. Each batch is one short statement, and no transaction is open between two batches. */
export const batchSize = 2_000

/**
 * A batch of an export, and the id to continue after. It is null after the last batch. The rows are either lines of a file,
 * in `text`, or `rows`: where the database cannot write the lines, `text` is null.
 */
export type Batch<Row> = { rows: Row[]; text: string | null; next: string | null }

type Window = { where: { AND: Rule[] }; orderBy: { id: 'asc' }; take: number }

type Export<S extends z.ZodObject, Model, Row> = {
  /** The rows are those of its list in GraphQL. */
  noun: string
  /** The filters; `where` holds the conditions of the list. */
  schema: S
  /** The query for the rows in the words of Prisma. */
  query: (input: z.output<S>, window: Window) => object | Promise<object>
  toRow: (record: Model) => Row
  /** The same rows as `toRow` makes, as the database writes them. */
  lines: Lines
}

/**
 * Reads the next batch of an export, oldest first by id. A row that is added during the export comes at the end or not at
 * all, and no row comes twice.
 *
 * @param format how to write the lines of `text`. Without it, the batch has `rows`
 * @throws INVALID_INPUT
 */
export async function readBatch<S extends z.ZodObject, Model extends { id: string }, Row>(
  ctx: ProgramCtx,
  raw: unknown,
  format: LineFormat | undefined,
  { noun, schema, query, toRow, lines }: Export<S, Model, Row>,
): Promise<Batch<Row>> {
  const input = await parseInput(schema, raw, ({ after }: { after?: string }) =>
    after !== undefined && !isId(after) ? [problem('after', 'must be the id of a row')] : [],
  )
  const { after, where } = input as { after?: string; where?: Where }
  const listing = listingOf(noun)
  const rows = await query(input, {
    where: { AND: [toRule(listing, where, { now: ctx.now() }), after === undefined ? {} : { id: { gt: after } }] },
    orderBy: { id: 'asc' },
    take: batchSize,
  })
  const table = tableOf(ctx.db, listing)
  const nextOf = (last: string | null | undefined, count: number) => (count < batchSize ? null : (last ?? null))
  const written = format && (await table.findManyAsText?.(rows, lineOf(lines, format)))
  if (written) return { rows: [], text: written.text, next: nextOf(written.lastId, written.count) }
  const records = (await table.findMany(rows)) as unknown as Model[]
  return { rows: records.map(toRow), text: null, next: nextOf(records.at(-1)?.id, records.length) }
}

import type { z } from 'zod'
import type { ProgramCtx } from '../../kernel/context.ts'
import { isId } from '../../kernel/ids.ts'
import { parseInput, problem } from '../../kernel/input/parse.ts'
import type { Rule } from '../../kernel/listing/listing.ts'
import { listingOf } from '../../kernel/listing/registry.ts'
import { toRule, type Where } from '../../kernel/listing/where.ts'

/** The number of rows per batch. Each batch is one short statement, and no transaction is open between two batches. */
export const batchSize = 500

/** A batch of an export's rows, and the id to continue after. It is null after the last batch. */
export type Batch<Row> = { rows: Row[]; next: string | null }

type Window = { where: { AND: Rule[] }; orderBy: { id: 'asc' }; take: number }

/**
 * Reads the next batch of an export, oldest first by id. A row that is added during the export comes at the end or not at
 * all, and no row comes twice.
 *
 * @param schema the filters of the export; `where` holds the conditions of the noun's list in GraphQL
 * @throws INVALID_INPUT
 */
export async function readBatch<S extends z.ZodObject, Model extends { id: string }, Row>(
  ctx: ProgramCtx,
  noun: string,
  schema: S,
  raw: unknown,
  read: (input: z.output<S>, window: Window) => Promise<Model[]>,
  toRow: (record: Model) => Row,
): Promise<Batch<Row>> {
  const input = await parseInput(schema, raw, ({ after }: { after?: string }) =>
    after !== undefined && !isId(after) ? [problem('after', 'must be the id of a row')] : [],
  )
  const { after, where } = input as { after?: string; where?: Where }
  const window: Window = {
    where: {
      AND: [toRule(listingOf(noun), where, { now: ctx.now() }), after === undefined ? {} : { id: { gt: after } }],
    },
    orderBy: { id: 'asc' },
    take: batchSize,
  }
  const records = await read(input, window)
  const next = records.length < batchSize ? null : (records.at(-1)?.id ?? null)
  return { rows: records.map(toRow), next }
}

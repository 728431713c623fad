import type { z } from 'zod'
import type { ProgramCtx } from '../../kernel/context.ts'
import { isId } from '../../kernel/ids.ts'
import { parseInput, problem } from '../../kernel/input/parse.ts'
import { listingOf } from '../../kernel/listing/registry.ts'
import { type Rule, toRule, type Where } from '../../kernel/listing/where.ts'

/** How many rows are read at once. Each batch is a short statement of its own: no transaction is open between two. */
export const batchSize = 500

/** Some of an export's rows, and the id after which the next ones come; null after the last. */
export type Batch<Row> = { rows: Row[]; next: string | null }

type Window = { where: { AND: Rule[] }; orderBy: { id: 'asc' }; take: number }

/**
 * Reads an export's filters, and the conditions of the noun's lists in GraphQL, and its next rows, oldest first by id: a row that is added meanwhile comes at the end or not
 * at all, and none comes twice.
 *
 * @throws INVALID_INPUT
 */
export async function readBatch<S extends z.ZodObject, Found extends { id: string }, Row>(
  ctx: ProgramCtx,
  noun: string,
  schema: S,
  raw: unknown,
  read: (input: z.output<S>, window: Window) => Promise<Found[]>,
  toRow: (found: Found) => Row,
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
  const found = await read(input, window)
  const next = found.length < batchSize ? null : (found.at(-1)?.id ?? null)
  return { rows: found.map(toRow), next }
}

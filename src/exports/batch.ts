import type { z } from 'zod'
import { isId } from '../ids.ts'
import { parseInput, problem } from '../input/parse.ts'

/** How many rows are read at once. Each batch is a short statement of its own: no transaction is open between two. */
export const batchSize = 500

/** Some of an export's rows, and the id after which the next ones come; null after the last. */
export type Batch<Row> = { rows: Row[]; next: string | null }

type Window = { where: { id?: { gt: string } }; orderBy: { id: 'asc' }; take: number }

/**
 * Reads an export's filters and its next rows, oldest first by id: a row that is added meanwhile comes at the end or not
 * at all, and none comes twice.
 *
 * @throws INVALID_INPUT
 */
export async function readBatch<S extends z.ZodObject, Found extends { id: string }, Row>(
  schema: S,
  raw: unknown,
  read: (input: z.output<S>, window: Window) => Promise<Found[]>,
  toRow: (found: Found) => Row,
): Promise<Batch<Row>> {
  const input = await parseInput(schema, raw, ({ after }: { after?: string }) =>
    after !== undefined && !isId(after) ? [problem('after', 'must be the id of a row')] : [],
  )
  const { after } = input as { after?: string }
  const window: Window = {
    where: after === undefined ? {} : { id: { gt: after } },
    orderBy: { id: 'asc' },
    take: batchSize,
  }
  const found = await read(input, window)
  const next = found.length < batchSize ? null : (found.at(-1)?.id ?? null)
  return { rows: found.map(toRow), next }
}

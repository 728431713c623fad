import type { z } from 'zod'
import { builder } from '../../graphql/builder.ts'
import { programScope } from '../../graphql/context.ts'
import { argsOf } from '../../graphql/inputs.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import type { Batch, BatchOptions } from './batch.ts'
import { lineFormats } from './lines.ts'

/** Exports are only in REST. In GraphQL, clients page through connections. */
export const restOnly: ['rest'] = ['rest']

const LineFormatEnum = builder.enumType('LineFormat', {
  description: 'The format of a file of rows.',
  subGraphs: restOnly,
  values: lineFormats,
})

type Read<Row> = (ctx: ProgramCtx, raw: unknown, options: BatchOptions) => Promise<Batch<Row>>
type RowOf<R> = R extends Read<infer Row> ? Row : never

/** The type of an export's rows. A row is flat, because it becomes a line of a file. Its fields are the columns, in order. */
export const rowRef = <R extends Read<unknown>>(name: string) => builder.objectRef<RowOf<R>>(name)

/** Adds the query field `name`, which reads one batch of an export's rows. */
export function exportField(
  name: string,
  row: { name: string },
  schema: z.ZodObject,
  read: Read<unknown>,
  description: string,
): void {
  const batch = builder.objectRef<Batch<unknown>>(row.name.replace('Row', 'Rows')).implement({
    description: `A batch of rows of the export \`${name}\`.`,
    subGraphs: restOnly,
    fields: (t) => ({
      next: t.exposeID('next', {
        nullable: true,
        description: 'The id to continue after. Null after the last batch.',
      }),
      text: t.exposeString('text', {
        nullable: true,
        description:
          'The rows as lines of the format. Null without a format, and if the database cannot write the lines.',
      }),
      ends: t.exposeIDList('ends', {
        description: 'The ids that the next full batches end with, at most as many as the argument `ends` asks for.',
      }),
      rows: t.field({
        // TypeScript cannot resolve Pothos's types for a generic row.
        type: [row] as never,
        description: 'The rows of the batch, oldest first. Empty if `text` has them.',
        // As for `type` above.
        resolve: ({ rows }) => rows as never,
      }),
    }),
  })
  builder.queryField(name, (t) =>
    t.field({
      type: batch,
      description,
      subGraphs: restOnly,
      args: {
        ...argsOf(schema),
        format: t.arg({ type: LineFormatEnum, description: 'How to write the rows as lines. Default: not at all.' }),
        until: t.arg.id({
          description: 'The id of the last row of the batch. Default: the batch ends when it is full.',
        }),
        ends: t.arg.int({ description: 'Read no rows, but the ids that this number of batches end with.' }),
      },
      resolve: (_root, { format, until, ends, ...args }, ctx) =>
        read(programScope(ctx), args, {
          format: format ?? undefined,
          until: until ?? undefined,
          ends: ends ?? undefined,
        }),
    }),
  )
}

import type { z } from 'zod'
import { builder } from '../../graphql/builder.ts'
import { programScope } from '../../graphql/context.ts'
import { argsOf } from '../../graphql/inputs.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import type { Batch } from './batch.ts'

/** For REST alone: to read all rows of a list, GraphQL has its connections. */
export const restOnly: ['rest'] = ['rest']

type Read<Row> = (ctx: ProgramCtx, raw: unknown) => Promise<Batch<Row>>
type RowOf<R> = R extends Read<infer Row> ? Row : never

/** A row is flat, so that it is a line of a file; its fields are the file's columns, in this order. */
export const rowRef = <R extends Read<unknown>>(name: string) => builder.objectRef<RowOf<R>>(name)

/** The query field `name`, which reads some of an export's rows at a time. */
export function exportField(
  name: string,
  row: { name: string },
  schema: z.ZodObject,
  read: Read<unknown>,
  description: string,
): void {
  const batch = builder.objectRef<Batch<unknown>>(row.name.replace('Row', 'Rows')).implement({
    description: `Some rows of the export \`${name}\`.`,
    subGraphs: restOnly,
    fields: (t) => ({
      next: t.exposeID('next', {
        nullable: true,
        description: 'The id after which the next rows come; null after the last.',
      }),
      rows: t.field({ type: [row] as never, description: 'The rows.', resolve: ({ rows }) => rows as never }),
    }),
  })
  builder.queryField(name, (t) =>
    t.field({
      type: batch,
      description,
      subGraphs: restOnly,
      args: argsOf(schema),
      resolve: (_root, args, ctx) => read(programScope(ctx), args),
    }),
  )
}

import type { PrismaModelTypes, PrismaObjectRef } from '@pothos/plugin-prisma'
import type { z } from 'zod'
import type { ProgramCtx } from '../kernel/context.ts'
import { withOwnIds } from '../kernel/imported-ids.ts'
import type { Page, Pagination } from '../listing/page.ts'
import { builder } from './builder.ts'
import { programScope } from './context.ts'
import { argsOf } from './inputs.ts'
import { nestedQuery } from './nested-query.ts'

export const PaginationType = builder.objectRef<Pagination>('Pagination').implement({
  description: 'The position of a page in its list.',
  fields: (t) => ({
    previousPage: t.expose('previousPage', {
      type: 'SafeInt',
      nullable: true,
      description: 'The number of the previous page; null on the first page.',
    }),
    currentPage: t.expose('currentPage', { type: 'SafeInt', description: 'The number of this page, counted from 1.' }),
    nextPage: t.expose('nextPage', {
      type: 'SafeInt',
      nullable: true,
      description: 'The number of the next page; null on the last page.',
    }),
    count: t.exposeInt('count', { description: 'The number of rows on this page.' }),
    limit: t.exposeInt('limit', { description: 'The maximum number of rows on a page that was applied.' }),
    totalPages: t.exposeInt('totalPages', { description: 'The number of pages; 0 when there are no rows.' }),
    totalCount: t.exposeInt('totalCount', { description: 'The number of rows on all pages.' }),
  }),
})

/** Defines a REST list of a documented resource: newest first, in numbered pages. GraphQL clients use connections. */
export function restList<Model extends PrismaModelTypes, T extends object>(
  name: string,
  type: PrismaObjectRef<typeof builder.$inferSchemaTypes, Model, T>,
  schema: z.ZodObject,
  list: (ctx: ProgramCtx, raw: unknown, query: object) => Promise<Page<T>>,
  description: string,
): void {
  const page = builder.objectRef<Page<T>>(`${type.name}Page`).implement({
    description: `A page of the list \`${name}\`.`,
    subGraphs: ['rest'],
    fields: (t) => ({
      pagination: t.expose('pagination', {
        type: PaginationType,
        description: 'The position of this page in the list.',
      }),
      data: t.field({
        // TypeScript cannot resolve Pothos's types for a generic model.
        type: [type] as never,
        description: 'The rows, newest first.',
        resolve: (parent) => parent.data as never,
      }),
    }),
  })
  builder.queryField(`${name}Page`, (t) =>
    t.field({
      type: page,
      description,
      subGraphs: ['rest'],
      restName: name,
      args: argsOf(schema),
      resolve: async (_root, args, ctx, info) => {
        const scope = programScope(ctx)
        return list(scope, await withOwnIds(scope, args), nestedQuery(ctx, info, type.name, ['data']))
      },
    }),
  )
}

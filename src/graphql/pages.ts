import type { PrismaModelTypes, PrismaObjectRef } from '@pothos/plugin-prisma'
import type { z } from 'zod'
import type { ProgramCtx } from '../kernel/context.ts'
import type { Page, Pagination } from '../kernel/pagination/page.ts'
import { builder } from './builder.ts'
import { namedHere, programScope } from './context.ts'
import { argsOf } from './inputs.ts'
import { nestedQuery } from './nested-query.ts'

export const PaginationType = builder.objectRef<Pagination>('Pagination').implement({
  description: 'Where a page stands among all pages.',
  fields: (t) => ({
    previousPage: t.expose('previousPage', { type: 'SafeInt', nullable: true, description: 'Null on the first page.' }),
    currentPage: t.expose('currentPage', { type: 'SafeInt', description: 'This page, counted from 1.' }),
    nextPage: t.expose('nextPage', { type: 'SafeInt', nullable: true, description: 'Null on the last page.' }),
    count: t.exposeInt('count', { description: 'Rows on this page.' }),
    limit: t.exposeInt('limit', { description: 'The most rows a page can have, as it was applied.' }),
    totalPages: t.exposeInt('totalPages', { description: '0 where there are no rows.' }),
    totalCount: t.exposeInt('totalCount', { description: 'Rows on all pages.' }),
  }),
})

/** A list of one of the documented resources as REST has it: newest first, page by page. GraphQL has connections. */
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
      pagination: t.expose('pagination', { type: PaginationType, description: 'Where this page stands.' }),
      data: t.field({
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
      resolve: async (_root, args, ctx, info) =>
        list(programScope(ctx), await namedHere(ctx, args), nestedQuery(ctx, info, type.name, ['data'])) as never,
    }),
  )
}

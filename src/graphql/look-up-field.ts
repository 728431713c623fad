import type { ObjectRef } from '@pothos/core'
import type { ProgramCtx } from '../kernel/context.ts'
import { builder, type Types } from './builder.ts'
import { programScope } from './context.ts'
import { nestedQuery } from './nested-query.ts'

type Options = {
  description: string
  id: string
  subGraphs?: ('public' | 'rest')[]
}

/** Defines the field that finds one of the program's records by its id: `Query.affiliate`. */
export function lookUp<Row extends object>(
  name: string,
  type: { name: string },
  { id: idDescription, ...options }: Options,
  find: (ctx: ProgramCtx, id: string, query: object) => Promise<Row>,
): void {
  builder.queryField(name, (t) =>
    t.field({
      ...options,
      // TypeScript cannot resolve Pothos's types for a generic row.
      type: type as ObjectRef<Types, object>,
      isLookUp: true,
      args: { id: t.arg.id({ required: true, description: idDescription }) },
      resolve: (_root, { id }, ctx, info) => find(programScope(ctx), id, nestedQuery(ctx, info, type.name, [])),
    }),
  )
}

import SchemaBuilder from '@pothos/core'
import ComplexityPlugin from '@pothos/plugin-complexity'
import PrismaPlugin from '@pothos/plugin-prisma'
import SubGraphPlugin from '@pothos/plugin-sub-graph'
import type PrismaTypes from '../generated/pothos.ts'
import { getDatamodel } from '../generated/pothos.ts'
import ClientGonePlugin from './client-gone.ts'
import type { GraphQLContext } from './context.ts'
import { costOfField } from './cost.ts'

declare global {
  namespace PothosSchemaTypes {
    /** Scalars that a module defines for its own types. */
    interface ModuleScalars {}
    interface FieldOptions {
      /** What the field is called over REST, where that is not its own name in snake_case. */
      restName?: string
      /**
       * Whether an affiliate may read it with their token. Nothing that is not marked is shown to them. Of its
       * arguments they may give those that turn pages, and those that are named here.
       */
      forAffiliate?: boolean | { args: readonly string[] }
    }
  }
}

/**
 * The one builder. It defines no types; each noun's graphql.ts does. Two schemas are made of them: `public`, which
 * GraphQL clients see, and `rest`, which the REST gateway runs its operations on. Types are in both; a field of a
 * resource is in both unless it says otherwise; a query or mutation is public unless it says `subGraphs: everywhere`.
 */
export const builder = new SchemaBuilder<{
  Context: GraphQLContext
  PrismaTypes: PrismaTypes
  SubGraphs: 'public' | 'rest' | 'superset'
  DefaultFieldNullability: false
  Scalars: {
    ID: { Input: string; Output: string }
    DateTime: { Input: Date; Output: Date }
    SafeInt: { Input: number; Output: number | bigint }
    EmailAddress: { Input: string; Output: string }
    URL: { Input: string; Output: string }
    Currency: { Input: string; Output: string }
  } & Pick<PothosSchemaTypes.ModuleScalars, keyof PothosSchemaTypes.ModuleScalars>
}>({
  plugins: [ClientGonePlugin, ComplexityPlugin, PrismaPlugin, SubGraphPlugin],
  defaultFieldNullability: false,
  prisma: { client: (ctx) => ctx.db, dmmf: getDatamodel(), filterConnectionTotalCount: true },
  // Fields say what they cost; where an operation comes from outside, server/limits.ts adds it up before it runs.
  complexity: { fieldComplexity: costOfField, disabled: true },
  subGraphs: { defaultForTypes: ['public', 'rest'], fieldsInheritFromTypes: true },
})

/** For queries and mutations that the REST gateway runs too. */
export const everywhere: ['public', 'rest'] = ['public', 'rest']

/** For fields that only GraphQL shows, and those of a REST answer that the convention's table names. */
export const publicOnly: ['public'] = ['public']

/** For fields that only keys with the superset profile see over REST: src/rest/convention/table.ts names each. */
export const supersetOnly: ['superset'] = ['superset']

builder.queryType({
  description: 'What can be asked; nothing is changed by it.',
  defaultSubGraphsForFields: publicOnly,
})
builder.mutationType({
  description: 'What can be done; several in one operation are done one after the other.',
  defaultSubGraphsForFields: publicOnly,
})
builder.subscriptionType({
  description:
    'What happens in the program from now on, as server-sent events (`Accept: text/event-stream`). Each event is told at most once and never again: after a connection was lost, read what changed meanwhile with a query.',
  subGraphs: publicOnly,
  defaultSubGraphsForFields: publicOnly,
})

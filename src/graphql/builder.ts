import SchemaBuilder, { type InputType as PothosInputType } from '@pothos/core'
import ComplexityPlugin from '@pothos/plugin-complexity'
import PrismaPlugin from '@pothos/plugin-prisma'
import SubGraphPlugin from '@pothos/plugin-sub-graph'
import type PrismaTypes from '../generated/pothos.ts'
import { getDatamodel } from '../generated/pothos.ts'
import AccessPlugin from './access.ts'
import ClientGonePlugin from './client-gone.ts'
import type { GraphQLContext } from './context.ts'
import { costOfField } from './cost.ts'
import DescriptionsPlugin from './descriptions.ts'
import LookUpPlugin from './look-up.ts'

declare global {
  namespace PothosSchemaTypes {
    interface ModuleScalars {}
    interface FieldOptions {
      /** The field's name over REST, if it is not its GraphQL name in snake_case. */
      restName?: string
      /** Whether affiliate tokens can read the field, with paging and these arguments. By default they cannot. */
      forAffiliate?: boolean | { args: readonly string[] }
      /** The least role for the field. By default, analyst, and manager for mutations. Operators can use all. */
      forRole?: 'analyst' | 'finance' | 'manager' | 'owner' | 'operator'
    }
  }
}

/**
 * The schema builder. Each noun's graphql.ts defines the types. Types and fields of resources are in `public` (for
 * GraphQL clients) and `rest` by default; queries and mutations are public only, unless `subGraphs: everywhere` is set.
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
    JSONObject: { Input: Record<string, unknown>; Output: Record<string, unknown> }
  } & Pick<PothosSchemaTypes.ModuleScalars, keyof PothosSchemaTypes.ModuleScalars>
}>({
  // Pothos applies the last plugin first. So the access check is around all others, and descriptions are copied before
  // sub-graphs leave elements out.
  plugins: [
    AccessPlugin,
    LookUpPlugin,
    ClientGonePlugin,
    ComplexityPlugin,
    PrismaPlugin,
    SubGraphPlugin,
    DescriptionsPlugin,
  ],
  defaultFieldNullability: false,
  prisma: { client: (ctx) => ctx.db, dmmf: getDatamodel(), filterConnectionTotalCount: true },
  // Fields declare their cost. For operations of clients, src/server/graphql/query-limits.ts adds it up before they
  // run.
  complexity: { fieldComplexity: costOfField, disabled: true },
  subGraphs: {
    defaultForTypes: ['public', 'rest'],
    fieldsInheritFromTypes: true,
    // No field has these types: they are in the errors of a response.
    explicitlyIncludeType: ({ name }, [subGraph]) =>
      ['ErrorCode', 'ErrorReason'].includes(name) && subGraph === 'public',
  },
})

export type Types = typeof builder.$inferSchemaTypes

export type InputFields = PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>

/** Defines the fields of an object type whose rows are `Row`. */
export type ObjectFields<Row> = PothosSchemaTypes.ObjectFieldBuilder<Types, Row>

export type InputType = PothosInputType<Types>

/** For queries and mutations that the REST gateway runs as well. */
export const everywhere: ['public', 'rest'] = ['public', 'rest']

/** For fields that only GraphQL has, and fields of REST responses that the convention's table lists. */
export const publicOnly: ['public'] = ['public']

/** For fields that REST returns only to API keys with the superset profile. src/resources lists them. */
export const supersetOnly: ['superset'] = ['superset']

builder.queryType({
  description: 'Reads data. Queries change nothing.',
  defaultSubGraphsForFields: publicOnly,
})
builder.mutationType({
  description: 'Changes data. Several mutations in one operation run one after the other.',
  defaultSubGraphsForFields: publicOnly,
})
builder.subscriptionType({
  description:
    'Events of the program as they happen, sent as server-sent events (`Accept: text/event-stream`). Events of one record come in the order of their commits. With `after`, a subscription begins after an event of the log, so that nothing is missed after a lost connection; an event can then come twice.',
  subGraphs: publicOnly,
  defaultSubGraphsForFields: publicOnly,
})

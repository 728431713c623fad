import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core'
import type { GraphQLFieldResolver, GraphQLResolveInfo } from 'graphql'
import type { GraphQLContext } from './context.ts'

declare global {
  namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      beforeQueries: BeforeQueriesPlugin<Types>
    }
  }
}

type Resolver<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types['Context'], object>
type Step = (ctx: GraphQLContext, info: GraphQLResolveInfo) => Promise<void>

const steps: Step[] = []

/** Runs a step before every query field of the public schema, after its access check. Call it before the schema is built. */
export function beforeQueries(step: Step): void {
  steps.push(step)
}

class BeforeQueriesPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(resolve: Resolver<Types>, { kind }: PothosOutputFieldConfig<Types>): Resolver<Types> {
    const isPublic = (this.options as { subGraph?: unknown }).subGraph === 'public'
    if (!isPublic || kind !== 'Query') return resolve
    return async (source, args, context, info) => {
      for (const step of steps) await step(context as GraphQLContext, info)
      return resolve(source, args, context, info)
    }
  }
}

const pluginName = 'beforeQueries' as const
SchemaBuilder.registerPlugin(pluginName, BeforeQueriesPlugin)
export default pluginName

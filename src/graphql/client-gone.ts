import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core'
import { defaultFieldResolver, type GraphQLFieldResolver } from 'graphql'
import { addCheck } from '../execution/field-access.ts'
import { endIfGone } from '../kernel/slices.ts'
import type { GraphQLContext } from './context.ts'

declare global {
  namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      clientGone: ClientGonePlugin<Types>
    }
  }
}

type Resolver<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types['Context'], object>

/** Stops resolving fields after the client has gone or the deadline has passed. Running resolvers finish. */
class ClientGonePlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(resolve: Resolver<Types>, field: PothosOutputFieldConfig<Types>): Resolver<Types> {
    // Reading a loaded column costs nothing, and the REST schema recognizes the default resolver.
    if (resolve === defaultFieldResolver) return resolve
    const checking: Resolver<Types> = (parent, args, context, info) => {
      endIfGone((context as GraphQLContext).signal)
      return resolve(parent, args, context, info)
    }
    return addCheck('client gone', resolve, checking, field.resolve)
  }
}

const pluginName = 'clientGone' as const
SchemaBuilder.registerPlugin(pluginName, ClientGonePlugin)
export default pluginName

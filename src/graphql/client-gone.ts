import SchemaBuilder, { BasePlugin, type SchemaTypes } from '@pothos/core'
import { defaultFieldResolver, type GraphQLFieldResolver } from 'graphql'
import { TributaryError } from '../kernel/errors.ts'
import type { GraphQLContext } from './context.ts'

declare global {
  namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      clientGone: ClientGonePlugin<Types>
    }
  }
}

type Resolver<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types['Context'], object>

/** Nobody hears it. */
const clientGone = () => new TributaryError('UNAVAILABLE', 'The client has gone away.')

/**
 * Where the client has gone away, no further field is begun: what is under way comes to its end, so that nothing is half
 * written and the request keeps its turn for as long as the database works for it.
 */
class ClientGonePlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(resolve: Resolver<Types>): Resolver<Types> {
    // A column that is there already costs nothing, and the REST schema reads it by its own name.
    if (resolve === defaultFieldResolver) return resolve
    return (parent, args, context, info) => {
      if ((context as GraphQLContext).signal?.aborted) throw clientGone()
      return resolve(parent, args, context, info)
    }
  }
}

const pluginName = 'clientGone' as const
SchemaBuilder.registerPlugin(pluginName, ClientGonePlugin)
export default pluginName

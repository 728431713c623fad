import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core'
import { defaultFieldResolver, type GraphQLFieldResolver } from 'graphql'
import { addCheck } from '../execution/field-access.ts'
import { clientGone } from '../kernel/errors.ts'
import type { GraphQLContext } from './context.ts'

declare global {
  namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      clientGone: ClientGonePlugin<Types>
    }
  }
}

type Resolver<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types['Context'], object>

/** Ends the operation: with the error of its deadline, or because no client is left to receive one. */
const endOf = ({ reason }: AbortSignal): unknown =>
  reason === undefined || reason instanceof DOMException ? clientGone() : reason

/** Stops resolving fields after the client has gone or the deadline has passed. Running resolvers finish. */
class ClientGonePlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(resolve: Resolver<Types>, field: PothosOutputFieldConfig<Types>): Resolver<Types> {
    // Reading a loaded column costs nothing, and the REST schema recognizes the default resolver.
    if (resolve === defaultFieldResolver) return resolve
    const checking: Resolver<Types> = (parent, args, context, info) => {
      const { signal } = context as GraphQLContext
      if (signal?.aborted) throw endOf(signal)
      return resolve(parent, args, context, info)
    }
    return addCheck('client gone', resolve, checking, field.resolve)
  }
}

const pluginName = 'clientGone' as const
SchemaBuilder.registerPlugin(pluginName, ClientGonePlugin)
export default pluginName

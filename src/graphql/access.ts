import { defaultFieldResolver, type GraphQLField, type GraphQLSchema } from 'graphql'
import { forbidden } from '../errors.ts'
import type { GraphQLContext } from './context.ts'

/** The one answer to who may write: every mutation of the schema and every REST operation that is one asks here. @throws FORBIDDEN */
export function demandWriteAccess({ actor }: Pick<GraphQLContext, 'actor'>): void {
  if (actor.kind === 'api_key' && actor.access !== 'full')
    throw forbidden('This key may only read. Use a key with full access.')
}

/** Puts the question before every mutation there is, so that a new one can not forget it. Changes the schema in place. */
export function guardSchema(schema: GraphQLSchema): GraphQLSchema {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) guardMutation(field)
  return schema
}

function guardMutation(field: GraphQLField<unknown, GraphQLContext>): void {
  const { resolve = defaultFieldResolver } = field
  field.resolve = (source, args, context, info) => {
    demandWriteAccess(context)
    return resolve(source, args, context, info)
  }
}

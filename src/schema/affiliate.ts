import { MapperKind, mapSchema, pruneSchema } from '@graphql-tools/utils'
import { type GraphQLFieldConfig, GraphQLObjectType, type GraphQLSchema } from 'graphql'
import { argsForAffiliates } from '../graphql/access.ts'
import { publicSchema } from './schema.ts'

let made: GraphQLSchema | undefined

/**
 * The part of the public schema that an affiliate token can read: what is marked `forAffiliate`, and the types that
 * this needs. Introspection with such a token shows it, and schema.affiliate.graphql holds it. Made at its first use.
 */
export const affiliateSchema = (): GraphQLSchema => {
  made ??= pruneSchema(withFieldsOfAffiliates(publicSchema))
  return made
}

const withFieldsOfAffiliates = (schema: GraphQLSchema) => {
  const open = mapSchema(schema, { [MapperKind.OBJECT_FIELD]: openField, [MapperKind.ROOT_FIELD]: openField })
  return mapSchema(open, {
    // A type without all fields of an interface does not implement it.
    [MapperKind.OBJECT_TYPE]: (type) => {
      const config = type.toConfig()
      const interfaces = config.interfaces.filter((one) =>
        Object.keys(one.getFields()).every((name) => config.fields[name]),
      )
      return new GraphQLObjectType({ ...config, interfaces })
    },
  })
}

function openField(field: GraphQLFieldConfig<unknown, unknown>): GraphQLFieldConfig<unknown, unknown> | null {
  const { forAffiliate } = (field.extensions?.pothosOptions ?? {}) as PothosSchemaTypes.FieldOptions
  const allowed = argsForAffiliates(forAffiliate)
  if (!allowed) return null
  return {
    ...field,
    args: Object.fromEntries(Object.entries(field.args ?? {}).filter(([name]) => allowed.includes(name))),
  }
}

import { MapperKind, mapSchema } from '@graphql-tools/utils'
import {
  defaultFieldResolver,
  GraphQLEnumType,
  type GraphQLField,
  type GraphQLFieldConfig,
  type GraphQLFieldResolver,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLScalarType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
} from 'graphql'
import type { ApiKeyProfile } from '../generated/prisma/enums.ts'
import type { GraphQLContext } from '../graphql/context.ts'
import { everythingSchema, restSchema } from '../schema/schema.ts'
import { wireName } from './names.ts'
import { withConvention } from './superset.ts'

type Field = GraphQLFieldConfig<unknown, GraphQLContext>

/**
 * An argument as the request gave it. REST clients are to hear of every problem of an input at once, in the contract's
 * words, so GraphQL does not look at it: the verb's own zod schema does, as it does for GraphQL clients.
 */
const AsGiven = new GraphQLScalarType({ name: 'AsGiven', serialize: (value) => value, parseValue: (value) => value })

/** A mutation's payload is GraphQL's; REST answers with the one resource in it, where the mutation says which that is. */
function unwrapped({ type, resolve, extensions }: GraphQLFieldConfig<unknown, unknown>) {
  const { resource } = extensions as { resource?: string }
  if (!resource) return {}
  const payload = getNamedType(type) as GraphQLObjectType
  return {
    type: payload.getFields()[resource]?.type as GraphQLOutputType,
    resolve: async (...args: Parameters<GraphQLFieldResolver<unknown, unknown>>) =>
      ((await resolve?.(...args)) as Record<string, unknown> | undefined)?.[resource],
  }
}

/** A field that still reads what it is called in the schema, under whatever name it is answered. */
const renamable = (field: Field, name: string): Field => ({
  ...field,
  resolve:
    field.resolve ??
    ((source, args, context, info) => defaultFieldResolver(source, args, context, { ...info, fieldName: name })),
})

/** The operations that REST runs, in the contract's words: fields in snake_case, enum values in lower case. */
export const contractSchema = mapSchema(restSchema, {
  [MapperKind.OBJECT_FIELD]: (field, name) => {
    const { restName } = (field.extensions?.pothosOptions ?? {}) as { restName?: string }
    return [restName ?? wireName(name), renamable(field, name)]
  },
  [MapperKind.OBJECT_TYPE]: (type) => {
    const { restName } = type.extensions as { restName?: string }
    return restName ? new GraphQLObjectType({ ...type.toConfig(), name: restName }) : type
  },
  [MapperKind.ROOT_FIELD]: (field, name) => {
    const { restName } = (field.extensions?.pothosOptions ?? {}) as { restName?: string }
    const args = Object.entries(field.args ?? {}).map(([arg, config]) => [arg, { ...config, type: AsGiven }])
    return [restName ?? name, { ...field, ...unwrapped(field), args: Object.fromEntries(args) }]
  },
  [MapperKind.ENUM_TYPE]: (type) => {
    if (!isEnumType(type)) return type
    const values = type.getValues().map(({ value, description }) => [value, { value, description }])
    return new GraphQLEnumType({ name: type.name, values: Object.fromEntries(values) })
  },
})

/** The same operations, answered as each profile of keys is. */
export const schemas: Readonly<Record<ApiKeyProfile, GraphQLSchema>> = {
  contract: contractSchema,
  superset: withConvention(contractSchema, everythingSchema, renamable),
}

/** The field behind `Query.affiliates` and the like. */
export function operationField(
  operation: `${'Query' | 'Mutation'}.${string}`,
  profile: ApiKeyProfile = 'contract',
): GraphQLField<unknown, unknown> {
  const [kind, name] = operation.split('.') as ['Query' | 'Mutation', string]
  const schema = schemas[profile]
  const type = kind === 'Query' ? schema.getQueryType() : schema.getMutationType()
  const field = type?.getFields()[name]
  if (!field) throw new Error(`REST runs ${operation}, which the schema does not have.`)
  return field
}

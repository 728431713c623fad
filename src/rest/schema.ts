import { MapperKind, mapSchema } from '@graphql-tools/utils'
import {
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
import { columnResolver } from '../execution/field-access.ts'
import { extensionsOf } from '../execution/pothos.ts'
import type { ApiKeyProfile } from '../generated/prisma/enums.ts'
import type { GraphQLContext } from '../graphql/context.ts'
import { snakeCase } from '../kernel/text.ts'
import { buildRestParts } from '../schema/schema.ts'
import type { OperationName } from './route.ts'
import { tables, withConvention } from './superset.ts'

type Field = GraphQLFieldConfig<unknown, GraphQLContext>

/** An argument that the zod schema validates instead of GraphQL, so that all problems have the contract's names. */
const AsGiven = new GraphQLScalarType({ name: 'AsGiven' })

/** Replaces a mutation's payload by the one resource in it, if the mutation names that. REST has no payloads. */
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

/** A field that still reads the property of its original name when it is renamed. */
const renamable = (field: Field, name: string): Field => ({ ...field, resolve: field.resolve ?? columnResolver(name) })

/** The operations that REST runs, with the contract's names: fields in snake_case, enum values in lower case. */
const withContractNames = (operations: GraphQLSchema): GraphQLSchema =>
  mapSchema(operations, {
    [MapperKind.OBJECT_FIELD]: (field, name) => {
      const { restName } = extensionsOf(field).pothosOptions ?? {}
      return [restName ?? snakeCase(name), renamable(field, name)]
    },
    [MapperKind.OBJECT_TYPE]: (type) => {
      const { restName } = type.extensions as { restName?: string }
      return restName ? new GraphQLObjectType({ ...type.toConfig(), name: restName }) : type
    },
    [MapperKind.ROOT_FIELD]: (field, name) => {
      const { restName } = extensionsOf(field).pothosOptions ?? {}
      const args = Object.entries(field.args ?? {}).map(([arg, config]) => [arg, { ...config, type: AsGiven }])
      return [restName ?? name, { ...field, ...unwrapped(field), args: Object.fromEntries(args) }]
    },
    [MapperKind.ENUM_TYPE]: (type) => {
      if (!isEnumType(type)) return type
      const values = type.getValues().map(({ value, description }) => [value, { value, description }])
      return new GraphQLEnumType({ name: type.name, values: Object.fromEntries(values) })
    },
  })

export const schemas = buildSchemas()

/** The schema of each profile: rest/superset.ts adds the fields that the convention's table lists. */
function buildSchemas(): Readonly<Record<ApiKeyProfile, GraphQLSchema>> {
  const { operations, everything } = buildRestParts()
  const contract = withContractNames(operations)
  return {
    contract: withConvention(contract, tables.contract, everything, renamable),
    superset: withConvention(contract, tables.superset, everything, renamable),
  }
}

/** The root field of an operation such as `Query.affiliates`. */
export function operationField(
  operation: OperationName,
  profile: ApiKeyProfile = 'contract',
): GraphQLField<unknown, unknown> {
  const [kind, name] = operation.split('.') as ['Query' | 'Mutation', string]
  const schema = schemas[profile]
  const type = kind === 'Query' ? schema.getQueryType() : schema.getMutationType()
  const field = type?.getFields()[name]
  if (!field) throw new Error(`The schema has no operation ${operation}.`)
  return field
}

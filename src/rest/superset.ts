import { MapperKind, mapSchema } from '@graphql-tools/utils'
import {
  type DocumentNode,
  GraphQLBoolean,
  GraphQLEnumType,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  GraphQLString,
  getNamedType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import type { ApiKeyProfile } from '../generated/prisma/enums.ts'
import type { GraphQLContext } from '../graphql/context.ts'
import { memoize } from '../kernel/memoize.ts'
import type { FieldSource, Superset } from '../resources/superset.ts'
import { convention } from './convention/table.ts'

type Field = GraphQLFieldConfig<unknown, GraphQLContext>
type FieldMap = GraphQLFieldConfigMap<unknown, GraphQLContext>
/** Kept in a field's extensions if the field is not in every response. */
type Hidden = Pick<FieldSource, 'onExpand' | 'onlyIn'>
type Table = Readonly<Record<string, Superset>>

const constantTypes = { String: GraphQLString, Boolean: GraphQLBoolean, Int: GraphQLInt }

/** The profiles' parts of the table. A sale is no resource of the contract, so it is described once. */
export const tables = { contract: { Sale: convention.Sale }, superset: convention } satisfies Record<
  ApiKeyProfile,
  Table
>

/**
 * Adds fields of the convention's table to the contract's schema.
 * @param everything the schema that the added fields are taken from
 * @param renamable makes a field resolve its value when it is added under another name
 */
export function withConvention(
  contract: GraphQLSchema,
  table: Table,
  everything: GraphQLSchema,
  renamable: (field: Field, name: string) => Field,
): GraphQLSchema {
  const fieldsOf = (schema: GraphQLSchema, typeName: string) =>
    (typeNamed(schema, typeName) as GraphQLObjectType).toConfig().fields as FieldMap
  const schemaField = (typeName: string, name: string) => {
    const field = fieldsOf(everything, typeName)[name]
    if (!field) throw new Error(`The convention's table names ${typeName}.${name}, which the schema does not have.`)
    return renamable(field, name)
  }

  /** The type of a resource within another. */
  const withinTypeOf = memoize((typeName: string): GraphQLObjectType => {
    const type = everything.getType(typeName) as GraphQLObjectType
    if (!table[typeName]) return type
    const inside = fieldsWithin(typeName)
    const outside = Object.entries(resourceFields(typeName))
    const isSame =
      outside.length === Object.keys(inside).length &&
      outside.every(([name, { extensions }]) => Object.hasOwn(inside, name) && !extensions?.hidden)
    if (isSame) return type
    const { extensions, description } = type
    return new GraphQLObjectType({
      name: `${typeName}Within`,
      description: [description, 'Within another resource.'].filter(Boolean).join(' '),
      extensions,
      fields: inside,
    })
  })

  const objectTypes = new Map<string, GraphQLObjectType>()
  /** Objects of the same name are the same everywhere. */
  const objectTypeOf = (typeName: string, { name, fields }: Extract<FieldSource, { kind: 'object' }>) => {
    const { description, extensions } = everything.getType(typeName) as GraphQLObjectType
    const entries = Object.entries(fields).map(([key, source]) => [key, fieldOf(typeName, key, source)])
    const type =
      objectTypes.get(name) ??
      new GraphQLObjectType({ name, description, extensions, fields: Object.fromEntries(entries) })
    objectTypes.set(name, type)
    return type
  }

  const enumTypeOf = memoize((name: string): GraphQLEnumType => {
    const known = contract.getType(name)
    if (isEnumType(known)) return known
    const config = (everything.getType(name) as GraphQLEnumType).toConfig()
    const values = Object.values(config.values).map(({ value, description }) => [value, { value, description }])
    return new GraphQLEnumType({ ...config, values: Object.fromEntries(values) })
  })
  /** Values of enums are in lower case over REST. */
  const inLowerCase = (field: Field): Field => {
    const type = getNamedType(field.type)
    return isEnumType(type) ? withType(field, enumTypeOf(type.name)) : field
  }

  const fieldOf = (typeName: string, name: string, source: FieldSource): Field => {
    const contractField = (wireName: string) => fieldsOf(contract, typeName)[wireName] as Field
    switch (source.kind) {
      case 'same':
        return sameAs(contractField(source.contractField), source.contractField)
      case 'constant':
        return constantField(source)
      case 'state':
        return inWordsOfKey(contractField(name), schemaField(typeName, source.schemaField))
      case 'field':
        return inLowerCase(schemaField(typeName, source.schemaField))
      case 'object': {
        const field = schemaField(typeName, source.schemaField)
        return withType(field, objectTypeOf(getNamedType(field.type).name, source))
      }
      case 'resource':
        return withType(schemaField(typeName, source.schemaField), withinTypeOf(source.type))
    }
  }

  const own = (typeName: string) => (contract.getType(typeName) ? fieldsOf(contract, typeName) : {})

  const resourceFields = (typeName: string): FieldMap => {
    const more = Object.entries(table[typeName] ?? {}).filter(([, { onlyWithin }]) => !onlyWithin)
    return { ...own(typeName), ...fieldMap(typeName, more) }
  }

  const fieldsWithin = (typeName: string): FieldMap => {
    const leaves = Object.entries(own(typeName)).filter(([, { type }]) => isLeafType(getNamedType(type)))
    const more = Object.entries(table[typeName] ?? {}).flatMap(([name, source]): [string, FieldSource][] => {
      const { onExpand, onlyIn, within, ...rest } = source
      if (within === 'never' || (!within && (onExpand || onlyIn))) return []
      return [[name, within === 'onExpand' ? { ...rest, onExpand: true } : rest]]
    })
    return { ...Object.fromEntries(leaves), ...fieldMap(typeName, more) }
  }

  const fieldMap = (typeName: string, sources: [string, FieldSource][]): FieldMap =>
    Object.fromEntries(
      sources.map(([name, source]) => {
        const field = fieldOf(typeName, name, source)
        const { onExpand, onlyIn } = source
        if (!onExpand && !onlyIn) return [name, field]
        return [name, { ...field, extensions: { ...field.extensions, hidden: { onExpand, onlyIn } } }]
      }),
    )

  return mapSchema(contract, {
    [MapperKind.OBJECT_TYPE]: (type) =>
      table[type.name] ? new GraphQLObjectType({ ...type.toConfig(), fields: resourceFields(type.name) }) : type,
  })
}

/** The type with this name, or with this name over REST. */
const typeNamed = (schema: GraphQLSchema, name: string) =>
  schema.getType(name) ?? Object.values(schema.getTypeMap()).find(({ extensions }) => extensions.restName === name)

const sameAs = (field: Field, name: string): Field => ({
  ...field,
  description: `The same as \`${name}\`.`,
  extensions: { ...field.extensions, sameAs: name },
})

/** Outside of the schemas that a response is made of, so that its resolver does not keep them in memory. */
function constantField({ type: name, value, why: description }: Extract<FieldSource, { kind: 'constant' }>): Field {
  const type = constantTypes[name]
  if (value === null) return { type, description, resolve: () => null }
  return { type: new GraphQLNonNull(type), description, extensions: { constant: value }, resolve: () => value }
}

/** The field with another type inside. */
function withType(field: Field, type: GraphQLObjectType | GraphQLEnumType): Field {
  const wrapped = (outer: GraphQLOutputType): GraphQLOutputType => {
    if (isNonNullType(outer)) return new GraphQLNonNull(wrapped(outer.ofType))
    return isListType(outer) ? new GraphQLList(wrapped(outer.ofType)) : type
  }
  return { ...field, type: wrapped(field.type) }
}

/** The contract's state, or the convention's for API keys with its words. The type has the states of both. */
function inWordsOfKey(contractField: Field, conventionField: Field): Field {
  const [inContract, inConvention] = [contractField.resolve, conventionField.resolve]
  return {
    ...conventionField,
    type: new GraphQLNonNull(statesOfBoth(contractField, conventionField)),
    resolve: (source, args, context, info) =>
      (context.words === 'convention' ? inConvention : inContract)?.(source, args, context, info),
  }
}

function statesOfBoth(contractField: Field, conventionField: Field): GraphQLEnumType {
  const [contractType, conventionType] = [contractField, conventionField].map(
    ({ type }) => getNamedType(type) as GraphQLEnumType,
  )
  const states = [contractType, conventionType].flatMap((type) => type?.getValues() ?? [])
  return new GraphQLEnumType({
    name: `${conventionType?.name}`,
    description: `${contractType?.description} In the contract's words, or in the convention's if the API key has them.`,
    values: Object.fromEntries(states.map(({ value, description }) => [value, { value, description }])),
  })
}

/** Removes optional fields that are not in `expanded`, and those of another operation's response. */
export function withoutHidden(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: string,
  expanded: ReadonlySet<string>,
): DocumentNode {
  const types = new TypeInfo(schema)
  return visit(
    document,
    visitWithTypeInfo(types, {
      Field(node) {
        const { onExpand, onlyIn } = (types.getFieldDef()?.extensions.hidden ?? {}) as Hidden
        if (onExpand && !expanded.has(node.name.value)) return null
        return onlyIn && onlyIn !== operation ? null : undefined
      },
    }),
  )
}

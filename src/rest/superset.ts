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
  isLeafType,
  isListType,
  isNonNullType,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import type { GraphQLContext } from '../graphql/context.ts'
import { memoize } from '../kernel/memoize.ts'
import { convention, type FieldSource, type Fields } from './convention/table.ts'

type Field = GraphQLFieldConfig<unknown, GraphQLContext>
type FieldMap = GraphQLFieldConfigMap<unknown, GraphQLContext>
/** Kept in a field's extensions if the field is not in every response. */
type Hidden = Pick<FieldSource, 'onExpand' | 'onlyIn'>

const constantTypes = { String: GraphQLString, Boolean: GraphQLBoolean, Int: GraphQLInt }
const table: Readonly<Record<string, Fields>> = convention

/**
 * Adds the fields of the convention's table to the contract's schema.
 *
 * @param everything the schema that the added fields are taken from
 * @param renamable makes a field resolve its value when it is added under another name
 */
export function withConvention(
  contract: GraphQLSchema,
  everything: GraphQLSchema,
  renamable: (field: Field, name: string) => Field,
): GraphQLSchema {
  const fieldsOf = (schema: GraphQLSchema, typeName: string) =>
    (schema.getType(typeName) as GraphQLObjectType).toConfig().fields as FieldMap
  const schemaField = (typeName: string, name: string) => {
    const field = fieldsOf(everything, typeName)[name]
    if (!field) throw new Error(`The convention's table names ${typeName}.${name}, which the schema does not have.`)
    return renamable(field, name)
  }

  const plainTypeOf = memoize((typeName: string) => {
    const { extensions, description } = everything.getType(typeName) as GraphQLObjectType
    const leaves = Object.entries(resourceFields(typeName)).filter(
      ([, { type, extensions: hidden }]) => isLeafType(getNamedType(type)) && !hidden?.hidden,
    )
    return new GraphQLObjectType({
      name: `${typeName}Within`,
      description: [description, 'Without embedded resources.'].filter(Boolean).join(' '),
      extensions,
      fields: Object.fromEntries(leaves),
    })
  })

  const fieldOf = (typeName: string, name: string, source: FieldSource): Field => {
    const contractField = (wireName: string) => fieldsOf(contract, typeName)[wireName] as Field
    switch (source.kind) {
      case 'same':
        return sameAs(contractField(source.contractField), source.contractField)
      case 'constant': {
        const type = constantTypes[source.type]
        const { value, why: description } = source
        if (value === null) return { type, description, resolve: () => null }
        return { type: new GraphQLNonNull(type), description, extensions: { constant: value }, resolve: () => value }
      }
      case 'state':
        return inWordsOfKey(contractField(name), schemaField(typeName, source.schemaField))
      case 'field':
        return schemaField(typeName, source.schemaField)
      case 'object': {
        const field = schemaField(typeName, source.schemaField)
        const inner = getNamedType(field.type) as GraphQLObjectType
        const fields = Object.entries(source.fields).map(([key, each]) => [key, fieldOf(inner.name, key, each)])
        const { description, extensions } = inner
        return withType(
          field,
          new GraphQLObjectType({
            name: `${typeName}${inner.name}`,
            description,
            extensions,
            fields: Object.fromEntries(fields),
          }),
        )
      }
      case 'resource': {
        const field = schemaField(typeName, source.schemaField)
        return source.plain ? withType(field, plainTypeOf(getNamedType(field.type).name)) : field
      }
    }
  }

  const resourceFields = (typeName: string): FieldMap => {
    const own = contract.getType(typeName) ? fieldsOf(contract, typeName) : {}
    const more = Object.entries(table[typeName] ?? {}).map(([name, source]) => {
      const field = fieldOf(typeName, name, source)
      const { onExpand, onlyIn } = source
      if (!onExpand && !onlyIn) return [name, field]
      return [name, { ...field, extensions: { ...field.extensions, hidden: { onExpand, onlyIn } } }]
    })
    return { ...own, ...Object.fromEntries(more) }
  }

  return mapSchema(contract, {
    [MapperKind.OBJECT_TYPE]: (type) =>
      table[type.name] ? new GraphQLObjectType({ ...type.toConfig(), fields: resourceFields(type.name) }) : type,
  })
}

const sameAs = (field: Field, name: string): Field => ({
  ...field,
  description: `The same as \`${name}\`.`,
  extensions: { ...field.extensions, sameAs: name },
})

/** The field with another object type. */
function withType(field: Field, type: GraphQLObjectType): Field {
  const wrapped = (outer: GraphQLOutputType): GraphQLOutputType => {
    if (isNonNullType(outer)) return new GraphQLNonNull(wrapped(outer.ofType))
    return isListType(outer) ? new GraphQLList(wrapped(outer.ofType)) : type
  }
  return { ...field, type: wrapped(field.type) }
}

/** The contract's state, or the convention's for API keys with its words. The type has the states of both. */
const inWordsOfKey = (contractField: Field, conventionField: Field): Field => ({
  ...conventionField,
  type: new GraphQLNonNull(statesOfBoth(contractField, conventionField)),
  resolve: (source, args, context, info) =>
    (context.words === 'convention' ? conventionField : contractField).resolve?.(source, args, context, info),
})

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

/**
 * Removes fields from an operation: optional ones that are not in `expanded`, and those of another operation's response.
 * `expanded` applies to the resource that is returned, not to resources within it.
 */
export function withoutHidden(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: string,
  expanded: ReadonlySet<string>,
): DocumentNode {
  const types = new TypeInfo(schema)
  const isResource = () => Object.hasOwn(table, getNamedType(types.getType())?.name ?? '')
  let depth = 0
  return visit(
    document,
    visitWithTypeInfo(types, {
      Field: {
        enter(node) {
          const { onExpand, onlyIn } = (types.getFieldDef()?.extensions.hidden ?? {}) as Hidden
          if (onExpand && !(expanded.has(node.name.value) && depth === 1)) return null
          if (onlyIn && onlyIn !== operation) return null
          if (isResource()) depth += 1
          return undefined
        },
        leave() {
          if (isResource()) depth -= 1
        },
      },
    }),
  )
}

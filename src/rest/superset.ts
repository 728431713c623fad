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
import { convention, type Fields, type Spelling } from './convention/table.ts'

type Field = GraphQLFieldConfig<unknown, GraphQLContext>
type FieldMap = GraphQLFieldConfigMap<unknown, GraphQLContext>

const fixedTypes = { String: GraphQLString, Boolean: GraphQLBoolean, Int: GraphQLInt }
const table: Readonly<Record<string, Fields>> = convention

/**
 * The contract's schema with what the convention's table adds to its resources.
 *
 * @param everything where the fields come from that the contract does not show
 * @param inWords a field of it that can be called by another name
 */
export function withConvention(
  contract: GraphQLSchema,
  everything: GraphQLSchema,
  inWords: (field: Field, name: string) => Field,
): GraphQLSchema {
  const fieldsOf = (schema: GraphQLSchema, typeName: string) =>
    (schema.getType(typeName) as GraphQLObjectType).toConfig().fields as FieldMap
  const schemaField = (typeName: string, name: string) => {
    const field = fieldsOf(everything, typeName)[name]
    if (!field) throw new Error(`The convention's table names ${typeName}.${name}, which the schema does not have.`)
    return inWords(field, name)
  }

  const plainTypes = new Map<string, GraphQLObjectType>()
  const plainTypeOf = (typeName: string): GraphQLObjectType => {
    const known = plainTypes.get(typeName)
    if (known) return known
    const { extensions, description } = everything.getType(typeName) as GraphQLObjectType
    const leaves = Object.entries(resourceFields(typeName)).filter(
      ([, { type, extensions: hidden }]) => isLeafType(getNamedType(type)) && !hidden?.hidden,
    )
    const made = new GraphQLObjectType({
      name: `${typeName}Within`,
      description: [description, 'Without what it holds in turn.'].filter(Boolean).join(' '),
      extensions,
      fields: Object.fromEntries(leaves),
    })
    plainTypes.set(typeName, made)
    return made
  }

  const fieldOf = (typeName: string, name: string, spelling: Spelling): Field => {
    const contractField = (wireName: string) => fieldsOf(contract, typeName)[wireName] as Field
    switch (spelling.is) {
      case 'same':
        return sameAs(contractField(spelling.contractField), spelling.contractField)
      case 'fixed': {
        const type = fixedTypes[spelling.type]
        const { value, why: description } = spelling
        if (value === null) return { type, description, resolve: () => null }
        return { type: new GraphQLNonNull(type), description, extensions: { constant: value }, resolve: () => value }
      }
      case 'worded':
        return eitherWord(contractField(name), schemaField(typeName, spelling.schemaField))
      case 'field':
        return schemaField(typeName, spelling.schemaField)
      case 'object': {
        const field = schemaField(typeName, spelling.schemaField)
        const inner = getNamedType(field.type) as GraphQLObjectType
        const fields = Object.entries(spelling.fields).map(([key, one]) => [key, fieldOf(inner.name, key, one)])
        const { description, extensions } = inner
        return inside(
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
        const field = schemaField(typeName, spelling.schemaField)
        return spelling.plain ? inside(field, plainTypeOf(getNamedType(field.type).name)) : field
      }
    }
  }

  const resourceFields = (typeName: string): FieldMap => {
    const own = contract.getType(typeName) ? fieldsOf(contract, typeName) : {}
    const more = Object.entries(table[typeName] ?? {}).map(([name, spelling]) => {
      const field = fieldOf(typeName, name, spelling)
      const { onExpand, onlyIn } = spelling
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

/** The field, leading to another type. */
function inside(field: Field, type: GraphQLObjectType): Field {
  const wrapped = (outer: GraphQLOutputType): GraphQLOutputType => {
    if (isNonNullType(outer)) return new GraphQLNonNull(wrapped(outer.ofType))
    return isListType(outer) ? new GraphQLList(wrapped(outer.ofType)) : type
  }
  return { ...field, type: wrapped(field.type) }
}

/** The contract's word, or the convention's for keys that ask for it. The type has both. */
const eitherWord = (contractField: Field, conventionField: Field): Field => ({
  ...conventionField,
  type: new GraphQLNonNull(bothWords(contractField, conventionField)),
  resolve: (source, args, context, info) =>
    (context.words === 'convention' ? conventionField : contractField).resolve?.(source, args, context, info),
})

function bothWords(contractField: Field, conventionField: Field): GraphQLEnumType {
  const [own, other] = [contractField, conventionField].map(({ type }) => getNamedType(type) as GraphQLEnumType)
  const words = [own, other].flatMap((type) => type?.getValues() ?? [])
  return new GraphQLEnumType({
    name: `${other?.name}`,
    description: `${own?.description} In the contract's words, or in the convention's where the key asks for them.`,
    values: Object.fromEntries(words.map(({ value, description }) => [value, { value, description }])),
  })
}

/**
 * The operation without the fields that only those get who ask for them, or that belong to another operation's answer.
 * What is asked for is added to the resource that is answered, not to those within it.
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
          const { onExpand, onlyIn } = (types.getFieldDef()?.extensions.hidden ?? {}) as Pick<
            Spelling,
            'onExpand' | 'onlyIn'
          >
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

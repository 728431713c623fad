import SchemaBuilder, { BasePlugin, type SchemaTypes } from '@pothos/core'
import {
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql'
import type { Listing } from '../listing/listing.ts'
import { inWords } from './names.ts'

declare global {
  namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      copiedFrom: DescriptionsPlugin<Types>
    }
  }
}

type Source = { type: string; fields: readonly string[]; before: string; after: string }

/**
 * Copies the description of an object type's field to a field, input field or enum value.
 * @param fields names to look for, the first that the type has counts
 * @param texts what to put before and after that description
 */
const copiedFrom = (
  type: string,
  fields: readonly string[],
  { before = '', after = '' }: { before?: string; after?: string } = {},
) => ({ extensions: { copiedFrom: { type, fields, before, after } satisfies Source } })

type Element = { description?: string | null | undefined; extensions: Readonly<Record<string, unknown>> }

/** Copies descriptions when the schema is complete, because inputs and types are defined in any order. */
class DescriptionsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override afterBuild(schema: GraphQLSchema): GraphQLSchema {
    for (const type of Object.values(schema.getTypeMap()))
      for (const element of elementsOf(type)) {
        const source = element.extensions.copiedFrom as Source | undefined
        if (source) element.description = copiedDescription(schema, source)
      }
    return schema
  }
}

function elementsOf(type: GraphQLNamedType): readonly Element[] {
  if (isEnumType(type)) return type.getValues()
  return isObjectType(type) || isInputObjectType(type) ? Object.values(type.getFields()) : []
}

function copiedDescription(schema: GraphQLSchema, { type: typeName, fields, before, after }: Source): string {
  const type = schema.getType(typeName)
  const known = isObjectType(type) || isInterfaceType(type) ? type.getFields() : {}
  const field = fields.map((name) => known[name]).find((candidate) => candidate !== undefined)
  if (!field) throw new Error(`${typeName} has none of the fields ${fields.join(', ')} to copy a description from.`)
  return [before, field.description, after].filter(Boolean).join(' ')
}

/**
 * The description of a listing's field: its own, else that of the object type's field with the same name. An amount in
 * cents is an object with its currency there.
 * @param texts what to put before and after it
 */
export function listedDescription(
  listing: Listing,
  name: string,
  { before = '', after = '' }: { before?: string; after?: string } = {},
) {
  const field = listing.fields[name]
  const reference = /^(.+)Id$/.exec(name)?.[1]
  const own =
    field?.description ??
    (reference && reference in listing.fields
      ? `The id of the ${inWords(listing.noun)}'s ${inWords(reference)}.`
      : undefined)
  if (own) return { description: [before, own, after].filter(Boolean).join(' ') }
  return copiedFrom(listing.noun, [name, name.replace(/Cents$/, '')], { before, after })
}

const pluginName = 'copiedFrom' as const
SchemaBuilder.registerPlugin(pluginName, DescriptionsPlugin)
export default pluginName

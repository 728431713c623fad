import { type GraphQLField, type GraphQLSchema, isObjectType } from 'graphql'
import { requireDetails } from '../kernel/library-details.ts'

/** What Pothos and the kit keep about a field. The types of Pothos do not declare it. */
type Extensions = {
  pothosExposedField?: string
  /** What the field needs of the database beside the columns of its row. */
  pothosPrismaSelect?: object
  pothosPrismaRelationField?: { name: string; isList: boolean }
  pothosOptions?: { restName?: string }
  /** The list of related rows that a connection of ours shows. */
  connectedRows?: string
  constant?: unknown
  /** All columns that a computed field reads: see `fromColumns`. */
  columns?: readonly string[]
}

export const extensionsOf = (field: { extensions?: object | null | undefined }): Extensions => field.extensions ?? {}

type Defined = { definition: { extensions?: object | null | undefined } }

/** The related rows that a field reads of its row. */
export function relationsOf({ definition }: Defined): string[] {
  const { pothosPrismaRelationField: relation, connectedRows, pothosPrismaSelect: select } = extensionsOf(definition)
  if (relation) return [relation.name]
  if (connectedRows) return [connectedRows]
  return typeof select === 'object'
    ? Object.entries(select).flatMap(([name, wanted]) => (wanted === true ? [] : [name]))
    : []
}

/** The related rows that several of the fields read. */
export function sharedRelations(fields: readonly Defined[]): Set<string> {
  const names = fields.flatMap(relationsOf)
  return new Set(names.filter((name, at) => names.indexOf(name) !== at))
}

/** The extensions of a connection that selects related rows by a function. */
export const connecting = (select: object, connectedRows: string): Extensions => ({
  pothosPrismaSelect: select,
  connectedRows,
})

/** @throws DetailGone if an upgrade of Pothos has removed a detail, without which queries are slow or wrong */
export function checkPothos(schema: GraphQLSchema): void {
  const fields = Object.values(schema.getTypeMap()).flatMap((type): GraphQLField<unknown, unknown>[] =>
    isObjectType(type) ? Object.values(type.getFields()) : [],
  )
  const has = (isThere: (extensions: Extensions) => boolean) => fields.some((field) => isThere(extensionsOf(field)))
  requireDetails('@pothos/plugin-prisma', 'src/execution/pothos.ts', {
    'extensions.pothosExposedField': has(({ pothosExposedField }) => typeof pothosExposedField === 'string'),
    'extensions.pothosPrismaSelect': has(
      ({ pothosPrismaSelect, connectedRows }) => pothosPrismaSelect !== undefined && !connectedRows,
    ),
    'extensions.pothosPrismaRelationField': has(
      ({ pothosPrismaRelationField: relation }) =>
        typeof relation?.name === 'string' && typeof relation.isList === 'boolean',
    ),
    'extensions.pothosOptions': has(({ pothosOptions }) => typeof pothosOptions === 'object'),
  })
}

import { getDatamodel } from '../../generated/pothos.ts'
import type { PrismaClient } from '../../generated/prisma/client.ts'
import type { ModelKey } from '../../kernel/db.ts'
import { runtimeModels } from '../seams/prisma.ts'

/** A field that is a column. `type` is Prisma's name of its type, or `Enum`. */
export type Column = { name: string; column: string; type: string; isRequired: boolean }

/** A field that holds rows of another table. `pairs` are the columns that have to be equal: here, and there. */
export type Relation = {
  name: string
  target: Model
  isList: boolean
  isRequired: boolean
  isOwner: boolean
  pairs: readonly (readonly [here: Column, there: Column])[]
}

export type Model = {
  name: string
  key: ModelKey
  table: string
  columns: Map<string, Column>
  relations: Map<string, Relation>
  /** The unique keys by their name in `where`: the fields of each. */
  uniques: Map<string, readonly string[]>
  /** A column that is never null, and is not in a program's own key. */
  id: Column
}

/** The models, from what Prisma and Pothos generated. Foreign keys reference primary keys; a test checks that. */
export function readModels(prisma: PrismaClient): Map<string, Model> {
  const { models: described } = getDatamodel().datamodel
  const runtime = runtimeModels(prisma)
  const models = new Map<string, Model>()
  for (const [name, { fields, primaryKey, uniqueIndexes }] of Object.entries(described)) {
    const own = runtime[name] as NonNullable<(typeof runtime)[string]>
    const columns = new Map<string, Column>()
    const uniques = new Map<string, readonly string[]>()
    for (const field of fields) {
      if (field.kind === 'object') continue
      const column = own.fields.find((known) => known.name === field.name)?.dbName ?? field.name
      const type = field.isList ? 'List' : field.kind === 'enum' ? 'Enum' : field.type
      columns.set(field.name, { name: field.name, column, type, isRequired: field.isRequired })
      if (field.isId || field.isUnique) uniques.set(field.name, [field.name])
    }
    for (const key of [primaryKey, ...uniqueIndexes]) if (key) uniques.set(key.name ?? key.fields.join('_'), key.fields)
    const keyFields = keyOf(described[name] as Described)
    models.set(name, {
      name,
      key: `${name.charAt(0).toLowerCase()}${name.slice(1)}` as ModelKey,
      table: own.dbName ?? name,
      columns,
      relations: new Map(),
      uniques,
      id: columns.get(keyFields.at(-1) as string) as Column,
    })
  }
  for (const [name, { fields }] of Object.entries(described)) {
    const model = models.get(name) as Model
    for (const field of fields) {
      if (field.kind !== 'object') continue
      const target = models.get(field.type) as Model
      const pairs = pairsOf(model, field, target, described)
      const { isList, isRequired, relationFromFields = [] } = field
      const isOwner = relationFromFields.length > 0
      model.relations.set(field.name, { name: field.name, target, isList, isRequired, isOwner, pairs })
    }
  }
  return models
}

type Described = ReturnType<typeof getDatamodel>['datamodel']['models'][string]
type DescribedField = Described['fields'][number]

const keyOf = ({ primaryKey, fields }: Described): readonly string[] =>
  primaryKey?.fields ?? fields.filter(({ isId }) => isId).map(({ name }) => name)

function pairsOf(
  model: Model,
  field: DescribedField,
  target: Model,
  described: Record<string, Described>,
): Relation['pairs'] {
  if (field.relationFromFields?.length) return foreignKey(model, field, target, described[target.name] as Described)
  const opposite = described[target.name]?.fields.find(
    ({ relationName, relationFromFields }) => relationName === field.relationName && relationFromFields?.length,
  )
  if (!opposite) throw new Error(`${model.name}.${field.name} has no foreign key`)
  const pairs = foreignKey(target, opposite, model, described[model.name] as Described)
  return pairs.map(([there, here]) => [here, there] as const)
}

function foreignKey(from: Model, field: DescribedField, to: Model, describedTo: Described): Relation['pairs'] {
  const key = keyOf(describedTo)
  const columns = field.relationFromFields ?? []
  if (columns.length !== key.length) throw new Error(`${from.name}.${field.name} does not reference a primary key`)
  return columns.map(
    (name, index) => [from.columns.get(name) as Column, to.columns.get(key[index] as string) as Column] as const,
  )
}

/** Thrown for a query that is not compiled, so that Prisma runs it. */
export class NotCompiled extends Error {}

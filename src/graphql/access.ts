import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  isLeafType,
  isObjectType,
} from 'graphql'
import { forbidden } from '../errors.ts'
import type { GraphQLContext } from './context.ts'

/**
 * Who may do what, held in one place by standing before every field of the public schema.
 *
 * An affiliate's token reads what is marked `forAffiliate`, and nothing that is not: a new field is out of reach until
 * somebody decides otherwise. What they read begins at `Query.me`, and stays with the same affiliate, for two reasons:
 * the relations that are marked lead from a row to rows of the same affiliate (the doctor examines that sales,
 * commissions, payouts, links and coupons agree in this with the rows they name), or to a campaign's terms, from where
 * nothing that is marked leads on; and a row that carries another affiliate's or program's id shows none of its fields.
 */
export function guardSchema(schema: GraphQLSchema): GraphQLSchema {
  const mutations = schema.getMutationType()
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue
    for (const field of Object.values(type.getFields())) guardField(type, field, type === mutations)
  }
  return schema
}

/** The one answer to who may write: every mutation of the schema and every REST operation that is one asks here. @throws FORBIDDEN */
export function demandWriteAccess({ actor }: Pick<GraphQLContext, 'actor'>): void {
  if (actor.kind === 'api_key' && actor.access !== 'full')
    throw forbidden('This key may only read. Use a key with full access.')
}

type Field = GraphQLField<unknown, GraphQLContext>

function guardField(type: GraphQLObjectType, field: Field, writes: boolean): void {
  const { resolve = defaultFieldResolver, subscribe } = field
  const allowed = argsForAffiliates(field)
  const demandAccess = (source: unknown, args: Asked, context: GraphQLContext, info: GraphQLResolveInfo) => {
    if (writes) demandWriteAccess(context)
    if (context.actor.kind !== 'affiliate') return
    if (!allowed) throw forbidden(`An affiliate token does not read ${type.name}.${field.name}.`)
    const [other] = [...argsGiven(info).filter((name) => !allowed.includes(name)), ...hiddenConditions(field, args)]
    if (other) throw forbidden(`An affiliate token does not read ${type.name}.${field.name} by ${other}.`)
    if (!isOwn(type, source, context)) throw forbidden("An affiliate token reads what is its own affiliate's alone.")
  }
  field.resolve = (source, args, context, info) => {
    demandAccess(source, args, context, info)
    return resolve(source, args, context, info)
  }
  if (!subscribe) return
  field.subscribe = (source, args, context, info) => {
    demandAccess(source, args, context, info)
    return subscribe(source, args, context, info)
  }
}

const ofPages = ['first', 'last', 'after', 'before', 'where', 'orderBy']

const markOf = (field: Pick<Field, 'extensions'>) =>
  (field.extensions.pothosOptions as PothosSchemaTypes.FieldOptions | undefined)?.forAffiliate

/** Which arguments an affiliate may give to a field; undefined where they may not read it. */
function argsForAffiliates(field: Field): readonly string[] | undefined {
  const mark = markOf(field)
  if (!mark) return undefined
  return typeof mark === 'object' ? [...ofPages, ...mark.args] : ofPages
}

const argsGiven = ({ fieldNodes }: GraphQLResolveInfo): string[] =>
  fieldNodes.flatMap((node) => (node.arguments ?? []).map(({ name }) => name.value))

type Asked = { where?: unknown; orderBy?: unknown }

/** What rows are asked for by, beside what the affiliate sees of them: by what is hidden, rows would tell it one by one. */
function hiddenConditions(field: Field, { where, orderBy }: Asked): string[] {
  const rowType = rowTypeOf(field)
  if (!rowType) return []
  const orders = ((orderBy ?? []) as { field: string }[]).map(({ field: name }) => name)
  return [...conditionsOf(where), ...orders].filter((name) => {
    const fields = rowType.getFields()
    const shown = fields[name] ?? fields[`${name}Cents`]
    return !shown || markOf(shown) !== true || !isLeafType(getNamedType(shown.type))
  })
}

/** The type of the rows of a connection. */
function rowTypeOf(field: Field): GraphQLObjectType | undefined {
  const connection = getNamedType(field.type)
  const rows = isObjectType(connection) ? connection.getFields().nodes : undefined
  const type = rows && getNamedType(rows.type)
  return type && isObjectType(type) ? type : undefined
}

/** The fields that a `where` looks at, through `and`, `or` and `not`. */
function conditionsOf(where: unknown): string[] {
  if (Array.isArray(where)) return where.flatMap(conditionsOf)
  return Object.entries((where ?? {}) as Record<string, unknown>).flatMap(([name, asked]) =>
    name === 'and' || name === 'or' || name === 'not' ? conditionsOf(asked) : [name],
  )
}

function isOwn(type: GraphQLObjectType, source: unknown, { actor, namedProgram }: GraphQLContext): boolean {
  if (actor.kind !== 'affiliate' || source === null || typeof source !== 'object') return true
  const { programId, affiliateId, id } = source as Record<string, unknown>
  const owner = type.name === 'Affiliate' ? id : affiliateId
  return (
    (programId === undefined || programId === namedProgram?.id) &&
    (owner === actor.affiliateId || (owner === undefined && type.name !== 'Affiliate'))
  )
}

import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isObjectType,
} from 'graphql'
import type { GraphQLContext } from '../graphql/context.ts'
import { forbidden } from '../kernel/errors.ts'

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
  const args = argsForAffiliates(field)
  const demandAccess = (source: unknown, context: GraphQLContext, info: GraphQLResolveInfo) => {
    if (writes) demandWriteAccess(context)
    if (context.actor.kind !== 'affiliate') return
    if (!args) throw forbidden(`An affiliate token does not read ${type.name}.${field.name}.`)
    const other = argsGiven(info).find((name) => !args.includes(name))
    if (other) throw forbidden(`An affiliate token does not read ${type.name}.${field.name} by ${other}.`)
    if (!isOwn(type, source, context)) throw forbidden("An affiliate token reads what is its own affiliate's alone.")
  }
  field.resolve = (source, args, context, info) => {
    demandAccess(source, context, info)
    return resolve(source, args, context, info)
  }
  if (!subscribe) return
  field.subscribe = (source, args, context, info) => {
    demandAccess(source, context, info)
    return subscribe(source, args, context, info)
  }
}

const paging = ['first', 'last', 'after', 'before']

/** Which arguments an affiliate may give to a field; undefined where they may not read it. */
function argsForAffiliates(field: Pick<Field, 'extensions'>): readonly string[] | undefined {
  const { forAffiliate } = (field.extensions.pothosOptions ?? {}) as PothosSchemaTypes.FieldOptions
  if (!forAffiliate) return undefined
  return forAffiliate === true ? paging : [...paging, ...forAffiliate.args]
}

const argsGiven = ({ fieldNodes }: GraphQLResolveInfo): string[] =>
  fieldNodes.flatMap((node) => (node.arguments ?? []).map(({ name }) => name.value))

function isOwn(type: GraphQLObjectType, source: unknown, { actor, namedProgram }: GraphQLContext): boolean {
  if (actor.kind !== 'affiliate' || source === null || typeof source !== 'object') return true
  const { programId, affiliateId, id } = source as Record<string, unknown>
  const owner = type.name === 'Affiliate' ? id : affiliateId
  return (
    (programId === undefined || programId === namedProgram?.id) &&
    (owner === actor.affiliateId || (owner === undefined && type.name !== 'Affiliate'))
  )
}

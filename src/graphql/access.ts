import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core'
import type { GraphQLFieldResolver, GraphQLResolveInfo } from 'graphql'
import { addCheck } from '../execution/field-access.ts'
import type { PersonActor } from '../kernel/context.ts'
import { forbidden } from '../kernel/errors.ts'
import type { GraphQLContext } from './context.ts'

declare global {
  namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      access: AccessPlugin<Types>
    }
  }
}

type Resolver<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types['Context'], object>

/**
 * Checks access before every field of the public schema. Mutations need write access. Affiliate tokens read only fields
 * marked `forAffiliate`, so new fields are closed to them.
 *
 * An affiliate starts at `Query.me`. Marked relations lead to rows of the same affiliate (the doctor checks that), or
 * to the terms of a campaign, from where none leads on. A row of another affiliate or program shows none of its fields.
 * The REST gateway checks access per operation.
 */
class AccessPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(resolve: Resolver<Types>, field: PothosOutputFieldConfig<Types>): Resolver<Types> {
    return this.isPublic ? guarded(resolve, field) : resolve
  }

  override wrapSubscribe(
    subscribe: Resolver<Types> | undefined,
    field: PothosOutputFieldConfig<Types>,
  ): Resolver<Types> | undefined {
    return this.isPublic && subscribe ? guarded(subscribe, field) : subscribe
  }

  private get isPublic(): boolean {
    return (this.options as { subGraph?: unknown }).subGraph === 'public'
  }
}

/**
 * Every mutation, over GraphQL and over REST, calls this first.
 * @param name the mutation, where it can be one that a connected application runs
 * @throws FORBIDDEN for a read-only API key, an application that acts as a person, and for people who see the portal as
 *   an affiliate sees it
 */
export function demandWriteAccess({ actor }: Pick<GraphQLContext, 'actor'>, name?: string): void {
  if (actor.kind === 'person' && actor.app && !(name === 'propose' && actor.app.canPropose))
    throw forbidden(
      name === 'propose'
        ? 'This connection may only read. Connect again, and allow it to propose changes.'
        : 'An application that acts as a person can only propose changes.',
    )
  if (actor.kind === 'api_key' && actor.access !== 'full')
    throw forbidden('This key may only read. Use a key with full access.')
  if (actor.kind === 'affiliate' && actor.viewer)
    throw forbidden(
      'You see what this affiliate sees, and can change nothing here. The affiliate can, or you in the dashboard.',
    )
}

function guarded<Types extends SchemaTypes>(
  resolve: Resolver<Types>,
  { kind, name, parentType, pothosOptions }: PothosOutputFieldConfig<Types>,
): Resolver<Types> {
  const { forAffiliate, forRole } = pothosOptions as PothosSchemaTypes.FieldOptions
  const allowedArgs = argsForAffiliates(forAffiliate)
  const role = forRole ?? (kind === 'Mutation' ? 'manager' : 'analyst')
  const checking: Resolver<Types> = (source, args, context, info) => {
    if (kind === 'Mutation') demandWriteAccess(context as GraphQLContext, name)
    demandRole(role, context as GraphQLContext)
    demandAffiliateAccess({ name, parentType, allowedArgs }, source, context as GraphQLContext, info)
    return resolve(source, args, context, info)
  }
  // All signed-in people can use what an analyst can, so only affiliate tokens need this check.
  return kind === 'Mutation' || role !== 'analyst' ? checking : addCheck('affiliate access', resolve, checking)
}

const ranks = ['analyst', 'finance', 'manager', 'owner', 'operator'] as const
export type Role = (typeof ranks)[number]

/** Whether a person has at least this role in the program of the request. */
export const hasRole = (role: Role, { isOperator, role: own }: Pick<PersonActor, 'isOperator' | 'role'>): boolean =>
  isOperator || role === 'analyst' || (own !== null && ranks.indexOf(own) >= ranks.indexOf(role))

/** A role with its article, as refusals name it. */
export const roleInWords = (role: Role): string =>
  ({ analyst: 'an analyst', finance: 'finance', manager: 'a manager', owner: 'an owner', operator: 'an operator' })[
    role
  ]

/** @throws FORBIDDEN if a person is signed in whose role in the program is below the given one */
function demandRole(role: Role, { actor }: GraphQLContext): void {
  if (actor.kind !== 'person' || hasRole(role, actor)) return
  if (role === 'operator') throw forbidden('Only an operator of this installation can do this.')
  throw forbidden(
    actor.role === null
      ? 'The request must name a program of yours: set the X-Program-Id header to its id or slug.'
      : `Your role in this program is ${actor.role}. This needs the role of ${roleInWords(role)}: ask an owner of the program.`,
  )
}

/** @throws FORBIDDEN if an affiliate token cannot read this field of this row with these arguments */
function demandAffiliateAccess(
  { name, parentType, allowedArgs }: { name: string; parentType: string; allowedArgs: readonly string[] | undefined },
  source: unknown,
  context: GraphQLContext,
  info: GraphQLResolveInfo,
): void {
  if (context.actor.kind !== 'affiliate') return
  const field = `${parentType}.${name}`
  if (!allowedArgs) throw forbidden(`An affiliate token cannot read ${field}.`)
  const other = argsGiven(info).find((given) => !allowedArgs.includes(given))
  if (other) throw forbidden(`An affiliate token cannot read ${field} with the argument ${other}.`)
  if (!isOwn(parentType, source, context))
    throw forbidden('An affiliate token can only read records of its own affiliate.')
}

const paging = ['first', 'last', 'after', 'before']

/** The arguments that an affiliate token can use; undefined if it cannot read the field. */
export function argsForAffiliates(
  forAffiliate: PothosSchemaTypes.FieldOptions['forAffiliate'],
): readonly string[] | undefined {
  if (!forAffiliate) return undefined
  return forAffiliate === true ? paging : [...paging, ...forAffiliate.args]
}

const argsGiven = ({ fieldNodes }: GraphQLResolveInfo): string[] =>
  fieldNodes.flatMap((node) => (node.arguments ?? []).map(({ name }) => name.value))

function isOwn(typeName: string, source: unknown, { actor, namedProgram }: GraphQLContext): boolean {
  if (actor.kind !== 'affiliate' || source === null || typeof source !== 'object') return true
  const { programId, affiliateId, id } = source as Record<string, unknown>
  const owner = typeName === 'Affiliate' ? id : affiliateId
  return (
    (programId === undefined || programId === namedProgram?.id) &&
    (owner === actor.affiliateId || (owner === undefined && typeName !== 'Affiliate'))
  )
}

const pluginName = 'access' as const
SchemaBuilder.registerPlugin(pluginName, AccessPlugin)
export default pluginName

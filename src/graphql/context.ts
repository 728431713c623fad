import type { ApiKey, Program } from '../generated/prisma/client.ts'
import type { Ctx, ProgramCtx } from '../kernel/context.ts'
import { forbidden, notFound } from '../kernel/errors.ts'
import type { WhereScope } from '../kernel/listing/where.ts'
import type { SelectedField } from './cost.ts'

export type EventKind = 'sale' | 'commission' | 'payout'

/** The events of a subscription, one at a time. */
export type EventStream = {
  /**
   * Iterates over the ids of the records of this kind that have events from now on: in the named program, or of one
   * affiliate only.
   *
   * @throws REFUSED if there are too many subscriptions; UNAVAILABLE
   */
  open(kind: EventKind, affiliateId?: string | null): Promise<AsyncIterableIterator<string>>
  /** Call it when the response to the last event has been sent. */
  answered(): void
  /** Ends the iteration, also for a reader that is waiting. */
  end(): void
}

/**
 * The context of resolvers. A resolver accesses data only through one of the scopes below. `now` is the clock of the named
 * program or, without a program, the real clock.
 */
export type GraphQLContext = Ctx & {
  /** The real clock, also for sandbox programs. */
  trueNow: () => Date
  /** The program of the key, or the one that the operator names in X-Program-Id. */
  namedProgram: Program | null
  /** The fields of REST responses to this key. */
  profile: ApiKey['profile']
  /** How REST responses to this key spell states. */
  words: ApiKey['words']
  /** The base URL of the service for clients, without a trailing slash. */
  publicUrl: string
  /** Aborted when the client disconnects. */
  signal?: AbortSignal
  events: EventStream
  /** The fields that a client's operation selects, at any depth. Set before it is executed; REST operations have none. */
  selectedFields?: readonly SelectedField[]
}

/** The scope of one program's data. @throws FORBIDDEN if no program is named */
export function programScope(ctx: GraphQLContext): ProgramCtx {
  const { namedProgram: program } = ctx
  if (!program) {
    throw forbidden(
      "An operator token reads a program's data only when the request names the program: set the X-Program-Id header.",
    )
  }
  return { ...ctx, program }
}

/** The scope of all programs. @throws FORBIDDEN unless the caller is the operator */
export function operatorScope(ctx: GraphQLContext): Ctx {
  if (ctx.actor.kind !== 'operator') throw forbidden('Only an operator can do this. Use the operator token.')
  return { ...ctx, now: ctx.trueNow }
}

/**
 * The scope of a program's own record. The operator can access every program, an API key only its own.
 *
 * @throws NOT_FOUND for any other program
 */
export function ownerScope(ctx: GraphQLContext, programId: string): Ctx {
  if (ctx.actor.kind !== 'operator' && ctx.namedProgram?.id !== programId) throw notFound('Program', programId)
  return { ...ctx, now: ctx.trueNow }
}

/** The clock for `where`, and whether only fields for affiliates are allowed. */
export const whereScope = (ctx: GraphQLContext): WhereScope => ({
  now: ctx.now(),
  ownFieldsOnly: ctx.actor.kind === 'affiliate',
})

/** The scope of one affiliate's own data. @throws FORBIDDEN unless the caller has an affiliate token */
export function affiliateScope(ctx: GraphQLContext): ProgramCtx & { affiliateId: string } {
  if (ctx.actor.kind !== 'affiliate') throw forbidden('Only an affiliate token has a `me`: see createAffiliateToken.')
  return { ...programScope(ctx), affiliateId: ctx.actor.affiliateId }
}

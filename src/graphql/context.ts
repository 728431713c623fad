import type { GraphQLField } from 'graphql'
import type { ApiKey, Program } from '../generated/prisma/client.ts'
import type { Ctx, ProgramCtx } from '../kernel/context.ts'
import { forbidden, notFound } from '../kernel/errors.ts'
import type { WhereScope } from '../kernel/listing/where.ts'

export type EventKind = 'sale' | 'commission' | 'payout'

/** The events that a subscription is told, one after the other. */
export type EventStream = {
  /**
   * Ids of what things of this kind something happens to from now on, in the named program, or to one affiliate's alone.
   *
   * @throws REFUSED where there are too many subscriptions; UNAVAILABLE
   */
  open(kind: EventKind, affiliateId?: string | null): Promise<AsyncIterableIterator<string>>
  /** The event that was taken last is answered. */
  answered(): void
  /** No more events, also for a reader that waits. */
  end(): void
}

/**
 * What resolvers are given. A resolver reaches data only through one of the scopes, and says which. `now` is the clock
 * of the named program; where there is none, the true one.
 */
export type GraphQLContext = Ctx & {
  /** What a clock on the wall says, also where a sandbox is named. */
  trueNow: () => Date
  /** The program of the key, or the one that an operator named. */
  namedProgram: Program | null
  /** How the key wants REST to answer. */
  profile: ApiKey['profile']
  words: ApiKey['words']
  /** The address that clients reach the service at, without a slash at the end. */
  publicUrl: string
  /** Says when the client has gone away. */
  signal?: AbortSignal
  events: EventStream
  /** The fields that a client's operation selects, at any depth. Set before it is executed; REST operations have none. */
  selectedFields?: readonly GraphQLField<unknown, unknown>[]
}

/** @throws FORBIDDEN where no program is named */
export function programScope(ctx: GraphQLContext): ProgramCtx {
  const { namedProgram: program } = ctx
  if (!program) {
    throw forbidden(
      "An operator token reads a program's data only when the request names the program: set the X-Program-Id header.",
    )
  }
  return { ...ctx, program }
}

/** @throws FORBIDDEN for a program's key */
export function operatorScope(ctx: GraphQLContext): Ctx {
  if (ctx.actor.kind !== 'operator') throw forbidden('Only an operator can do this. Use the operator token.')
  return { ...ctx, now: ctx.trueNow }
}

/**
 * What is about one program as a whole: the operator reaches any, a program's key its own, and no other exists to it.
 *
 * @throws NOT_FOUND
 */
export function ownerScope(ctx: GraphQLContext, programId: string): Ctx {
  if (ctx.actor.kind !== 'operator' && ctx.namedProgram?.id !== programId) throw notFound('Program', programId)
  return { ...ctx, now: ctx.trueNow }
}

/** What conditions of `where` go by, and how far they may look. */
export const whereScope = (ctx: GraphQLContext): WhereScope => ({
  now: ctx.now(),
  ownFieldsOnly: ctx.actor.kind === 'affiliate',
})

/** What is the affiliate's whose token it is. @throws FORBIDDEN for everybody else */
export function affiliateScope(ctx: GraphQLContext): ProgramCtx & { affiliateId: string } {
  if (ctx.actor.kind !== 'affiliate') throw forbidden('Only an affiliate token has a `me`: see createAffiliateToken.')
  return { ...programScope(ctx), affiliateId: ctx.actor.affiliateId }
}

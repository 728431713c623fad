import type { ApiKey, Program } from '../generated/prisma/client.ts'
import type { Bucket } from '../kernel/bucket.ts'
import { type Ctx, isOperator, type ManagementCtx, type ProgramCtx } from '../kernel/context.ts'
import { forbidden, notFound } from '../kernel/errors.ts'
import type { Mailer } from '../kernel/mail.ts'
import type { WhereScope } from '../listing/where.ts'
import type { SelectedField } from './cost.ts'

export type EventSelection = {
  /** Null for all types. */
  types: readonly string[] | null
  affiliateId?: string | null | undefined
  /** Whether the affiliate itself subscribes: such subscriptions have a limit of their own. */
  isOfAffiliate?: boolean | undefined
  /** Whether the ids of the events are iterated over, or those of their subjects. */
  yields: 'event' | 'subject'
}

export type EventStream = {
  /**
   * Iterates over the ids of events or of their subjects, after an event of the log, else from now on.
   * @throws INVALID_INPUT if `after` is not an event's id; REFUSED if there are too many subscriptions; UNAVAILABLE
   */
  open(selection: EventSelection & { after?: string | null | undefined }): Promise<AsyncIterableIterator<string>>
  /** Call it when the response to the last event has been sent. */
  answered(): void
  end(): void
}

/** The context of resolvers, which access data only through a scope below. `now` is the clock of the named program. */
export type GraphQLContext = Ctx & {
  /** The real clock, also for sandbox programs. */
  trueNow: () => Date
  /** The program of the key, or the one that the operator names in X-Program-Id. */
  namedProgram: Program | null
  profile: ApiKey['profile']
  /** How REST responses to this key spell states. */
  words: ApiKey['words']
  /** The base URL of the service for clients, without a trailing slash. */
  publicUrl: string
  /** The base URL of the pages for affiliates of the named program. */
  affiliateUrl: string
  /** The network address of the caller. Undefined for work that no request has caused. */
  clientAddress?: () => string
  /** Lists the request among those that failed, although it succeeds: it repeats a report, with other values. */
  remark?: ((problem: string) => void) | undefined
  /** Without it, the files of assets are in the database. */
  bucket?: Bucket | undefined
  /** Without it, the service sends no mail. */
  mailer?: Mailer | undefined
  /** The newest version of the service if it is newer than this one. Undefined if nobody is asked. */
  newerVersion?: (() => string | null) | undefined
  /** The scheduled backups of the installation. Undefined without any. */
  backups?: { findProblem(): Promise<string | null>; ageSeconds(): Promise<number>; everySeconds: number } | undefined
  /** The free space of the disk with the embedded database, in bytes. Undefined on PostgreSQL. */
  freeBytes?: (() => Promise<number>) | undefined
  events: EventStream
  webhooks: { key: Buffer; targets: { problemOf(url: string): Promise<string | null> } }
  /** What calls of payout services need of the installation. */
  payoutServices: {
    key: Buffer
    urls: Readonly<Record<string, string>>
    now: () => Date
    onStep?: ((step: string) => void) | undefined
  }
  /** The fields that a client's operation selects, at any depth. Undefined for REST. */
  selectedFields?: readonly SelectedField[]
}

/** The scope of one program's data. @throws FORBIDDEN if no program is named */
export function programScope(ctx: GraphQLContext): ProgramCtx {
  const { namedProgram: program } = ctx
  if (!program) {
    throw forbidden(
      'The request must name the program whose data it is about: set the X-Program-Id header to its id or slug.',
    )
  }
  return { program, ...ctx, db: ctx.db.ofProgram(program.id) }
}

/** The scope of all programs. @throws FORBIDDEN unless the caller is the operator */
export function operatorScope(ctx: GraphQLContext): Ctx {
  if (!isOperator(ctx.actor)) throw forbidden('Only an operator can do this. Use the operator token.')
  return { ...ctx, now: ctx.trueNow }
}

/**
 * The scope of data that only people and the operator token manage: API keys, settings. An operator manages every
 * program, another person the one that the request names. The field decides which role it takes.
 * @throws FORBIDDEN for an API key or an affiliate token
 */
export function managementScope(ctx: GraphQLContext): ManagementCtx {
  const { actor } = ctx
  if (actor.kind === 'person' && !actor.isOperator)
    return { ...ctx, now: ctx.trueNow, onlyProgramId: programScope(ctx).program.id }
  return operatorScope(ctx)
}

/** The scope of a program's record: every program for the operator, its own for an API key. @throws NOT_FOUND */
export function ownerScope(ctx: GraphQLContext, programId: string): Ctx {
  if (!isOperator(ctx.actor) && ctx.namedProgram?.id !== programId) throw notFound('Program', programId)
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

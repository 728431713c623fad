import type { EventStream, GraphQLContext } from '../../graphql/context.ts'
import { clientAddress } from '../../http/client-address.ts'
import type { Incoming } from '../../http/incoming.ts'
import type { AppDb } from '../../kernel/db.ts'
import { DeadlineExceeded } from '../../kernel/deadline.ts'
import { forbidden } from '../../kernel/errors.ts'
import type { PublicUrl } from '../../kernel/public-url.ts'
import { clockOf } from '../../modules/programs/clock.ts'
import type { RequestState } from '../handler.ts'
import type { Identity } from './authenticate.ts'

/** What the contexts of all requests have in common. */
type SharedContext = Pick<
  GraphQLContext,
  'webhooks' | 'payoutServices' | 'cell' | 'bucket' | 'mailer' | 'newerVersion' | 'backups' | 'freeBytes'
>

export type ContextOptions = {
  db: AppDb
  now: () => Date
  publicUrl: PublicUrl
  /** How many proxies are in front of the service. */
  trustedProxies: number
  shared: SharedContext
}

/** What operations ask of a signal. One of Node.js would cost more than a small request. */
class LightSignal {
  private readonly endsAt: number

  constructor(
    private readonly incoming: Pick<Incoming, 'isGone'>,
    private readonly ms: number,
  ) {
    this.endsAt = performance.now() + ms
  }

  get aborted(): boolean {
    return performance.now() > this.endsAt || this.incoming.isGone()
  }

  get reason(): DeadlineExceeded | undefined {
    return performance.now() > this.endsAt ? new DeadlineExceeded(Math.round(this.ms / 1000)) : undefined
  }
}

/** Aborted when the client has gone, or after this time. */
export const signalOf = (incoming: Pick<Incoming, 'isGone'>, ms = Number.POSITIVE_INFINITY): AbortSignal =>
  new LightSignal(incoming, ms) as object as AbortSignal

/** The context of an operation. @param identify returns the caller, who can change while a subscription is open */
export function contextOf(
  identify: () => Identity,
  incoming: Incoming,
  { log, requestId, known }: RequestState,
  { db, now, publicUrl, trustedProxies, shared }: ContextOptions,
  events: EventStream,
): GraphQLContext {
  const { actor, program, apiKey } = identify()
  return {
    db,
    publicUrl: publicUrl(),
    affiliateUrl: publicUrl(program ?? undefined),
    log,
    requestId,
    signal: signalOf(incoming),
    clientAddress: () => clientAddress(incoming, trustedProxies),
    events,
    // The first remark is kept.
    remark: (problem) => {
      known.remark ??= problem
    },
    // This is the only place that chooses a sandbox's own clock; everything that is done in the program uses it.
    now: () => {
      const { program } = identify()
      return (program ? clockOf(program, now) : now)()
    },
    trueNow: now,
    actor,
    namedProgram: program,
    profile: apiKey?.profile ?? 'contract',
    words: apiKey?.words ?? 'contract',
    // Last: in Node.js 20, each property that follows a spread costs 1.5 µs.
    ...shared,
  }
}

/** For requests that cannot subscribe. */
export const noEvents: EventStream = {
  open: () => Promise.reject(forbidden('Subscriptions are available over GraphQL only.')),
  answered() {},
  end() {},
}

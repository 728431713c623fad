/** What went wrong in a call of a service. */
type ProblemKind =
  /** The credentials are wrong, or were revoked. */
  | 'unauthorized'
  /** The service has read the request, and does not do it. */
  | 'refused'
  /** It asks to come back later. */
  | 'limited'
  /** The request did not leave: no connection, or none that is safe. */
  | 'unreachable'
  /** It may have been done: the connection ended, the time was over, or the answer cannot be read. */
  | 'unanswered'
  /** The time of this turn is over. The next one goes on. */
  | 'unfinished'

/** A payment that the service refuses, by our id. */
export type RefusedPayment = { ourId: string; reason: string }

type Details = { retryAfterMs?: number | undefined; payments?: readonly RefusedPayment[]; body?: unknown }

/** Why a call of a service has no result, in a sentence for people. */
export class ServiceProblem extends Error {
  override readonly name = 'ServiceProblem'
  constructor(
    readonly kind: ProblemKind,
    message: string,
    readonly details: Details = {},
  ) {
    super(message)
  }
  /** Whether the service has surely not done what this call asked for. */
  get isSure(): boolean {
    return this.kind !== 'unanswered' && this.kind !== 'unfinished'
  }
}

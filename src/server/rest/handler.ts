import type { GraphQLContext } from '../../graphql/context.ts'
import type { Answer } from '../../http/answer.ts'
import { answerPrivately } from '../../http/conditional.ts'
import type { Incoming } from '../../http/incoming.ts'
import type { ReadFrom } from '../../kernel/db.ts'
import { answerRest, pathOf } from '../../rest/gateway.ts'
import { matchRoute, type RouteMatch } from '../../rest/routes.ts'
import { type Admit, type Operation, turnHolderOf } from '../entrance/admit.ts'
import { fromPrimary, isOperationOf, isPureRead, isReplicaRead } from '../entrance/reads.ts'
import { toTributaryError } from '../error-report.ts'
import type { Handler, RequestState } from '../handler.ts'
import type { AdmitKey } from '../limits/convention-limit.ts'
import { runWithDeadline } from '../limits/deadline.ts'
import { inTurn, type Turns } from '../limits/turns.ts'
import { isAnswer } from '../operations/replicas.ts'
import type { Docs } from '../pages/api-reference/serve.ts'
import type { Tracing } from '../traces/tracing.ts'

export type RestOptions = {
  admit: Admit
  admitKey: AdmitKey
  turns: Turns
  /** Returns the OpenAPI document at a path, which needs no key; null for any other path. */
  answerDocument: Docs['answerDocument']
  /** How long an operation may take. */
  operationMs: number
  tracing: Tracing | undefined
  readFrom?: ReadFrom | undefined
}

/** `/v1`: the REST gateway. Everything but the OpenAPI documents needs an API key, also paths that do not exist. */
export function createRest(options: RestOptions): Handler {
  const { admit, admitKey, turns, answerDocument, operationMs, tracing, readFrom = fromPrimary } = options

  return (incoming, state) => {
    const match = matchRoute(incoming.method, pathOf(incoming.path))
    // The documents have no route.
    const document = match && 'route' in match ? null : answerDocument(incoming)
    if (document) return document
    // The command line exports as the operator.
    const acceptsTokens = match && 'route' in match && match.route.isExport ? 'operator' : false
    return admit(incoming, state, { acceptsTokens }, (body) => operationOf(match, incoming, state, body))
  }

  function operationOf(
    match: RouteMatch,
    incoming: Incoming,
    state: RequestState,
    body: Uint8Array,
  ): Operation<Answer> {
    const route = match && 'route' in match ? match.route : undefined
    const name = route?.operation
    const isRead = name !== undefined && isOperationOf(isPureRead, name)
    const from = name !== undefined && isOperationOf(isReplicaRead, name) ? readFrom : fromPrimary
    const toError = (error: unknown) => toTributaryError(error, state.log)
    const answer = (context: GraphQLContext) =>
      answerRest({ incoming, body }, match, context, toError, {
        accept: incoming.header('accept'),
        isGone: () => incoming.isGone(),
        inTurn: (run) => inTurn(turns, run, { holder: turnHolderOf(context) }),
        readFrom: from,
        breakOff: incoming.breakOff,
      })
    const answerInTime = (context: GraphQLContext) => {
      // An export takes as long as its client reads. Each of its statements has a timeout.
      if (route?.isExport) return answer(context)
      const read = (within: GraphQLContext) => from(within, answer, isAnswer)
      // The signal of a read ends it.
      return isRead ? read(context) : runWithDeadline(context, operationMs, read)
    }
    const run = async (context: GraphQLContext) => {
      const admission = context.profile === 'superset' ? await admitKey(context, match) : undefined
      const answered =
        admission?.refusal ??
        (await (tracing ? tracing.operation(name ?? '/v1', {}, () => answerInTime(context)) : answerInTime(context)))
      const answerOfCaller = answerPrivately(incoming, answered)
      if (admission) Object.assign(answerOfCaller.headers, admission.headers)
      return answerOfCaller
    }
    return { name, isRead, run }
  }
}

import { type ExecutionResult, GraphQLError, getOperationAST, OperationTypeNode } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { demandWriteAccess } from '../../graphql/access.ts'
import type { GraphQLContext } from '../../graphql/context.ts'
import { statuses } from '../../http/statuses.ts'
import type { ErrorCode } from '../../kernel/errors.ts'
import { answerOnce, replayedHeader } from '../../modules/idempotency/answer-once.ts'
import { readIdempotencyKey } from '../../modules/idempotency/key.ts'
import { completedError } from '../graphql-errors.ts'
import type { GraphQLState } from '../handler.ts'

/** What the pipeline of Yoga needs to write an error as before. */
type StoredError = Pick<GraphQLError, 'message' | 'positions' | 'path' | 'extensions'>
type StoredResult = { data: ExecutionResult['data']; errors?: StoredError[] }

type Context = GraphQLContext & GraphQLState & { request: Request }

/** Runs a mutation with an `Idempotency-Key` once, in one transaction. @param maskedError hides causes */
export function useIdempotency(maskedError: (error: unknown) => GraphQLError): Plugin<object, GraphQLState> {
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      const context = args.contextValue as unknown as Context
      const isMutation = getOperationAST(args.document, args.operationName)?.operation === OperationTypeNode.MUTATION
      if (!isMutation || !context.request.headers.has('idempotency-key')) return
      const { request, requestId, traceId, body } = context
      const run = async (db: GraphQLContext['db']) => {
        // The answer is kept for a client that has gone away.
        const contextValue = { ...context, db, signal: undefined }
        const { data, errors } = (await executeFn({ ...args, contextValue })) as ExecutionResult
        const completed = errors?.map((error) => completedError(maskedError(error), { requestId, traceId }))
        const status = statusOf(data, completed)
        // What failed undid the other fields too.
        const result: ExecutionResult = { data: status < 500 ? data : null, ...(completed && { errors: completed }) }
        return { result, answer: { status, headers: {}, body: JSON.stringify(storedOf(result)) } }
      }
      setExecuteFn(async () => {
        try {
          demandWriteAccess(context)
          const key = readIdempotencyKey(request.headers.get('idempotency-key')) as string
          const keyed = { key, method: request.method, target: '/graphql', body }
          const answered = await answerOnce(context, keyed, run)
          if ('result' in answered) return answered.result
          context.isReplay = true
          return restored(JSON.parse(answered.replay.body), args.document.loc?.source)
        } catch (error) {
          return { errors: [maskedError(error)] }
        }
      })
    },
    onResponse({ response, serverContext }) {
      if (serverContext.isReplay) response.headers.set(...replayedHeader)
    },
  }
}

const storedOf = ({ data, errors }: ExecutionResult): StoredResult => ({
  data,
  ...(errors && {
    errors: errors.map(({ message, positions, path, extensions }) => ({ message, positions, path, extensions })),
  }),
})

const restored = ({ data, errors }: StoredResult, source: GraphQLError['source']): ExecutionResult => ({
  data,
  ...(errors && { errors: errors.map(({ message, ...of }) => new GraphQLError(message, { ...of, source })) }),
})

/** The status that a request of these fields alone would have: of the gravest error, or 200 if a field has a value. */
function statusOf(data: ExecutionResult['data'], errors: readonly GraphQLError[] = []): number {
  const gravest = Math.max(200, ...errors.map(({ extensions }) => statuses[extensions.code as ErrorCode]))
  const hasValue = Object.values(data ?? {}).some((value) => value !== null)
  return hasValue && gravest < 500 ? 200 : gravest
}

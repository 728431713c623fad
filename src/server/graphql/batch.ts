import type { GraphQLContext } from '../../graphql/context.ts'
import { acceptedMediaTypes } from '../../http/accept.ts'
import { parseJson } from '../../http/body.ts'
import { decodeText, type Incoming } from '../../http/incoming.ts'
import { clientGone, TributaryError } from '../../kernel/errors.ts'
import { excerpt } from '../../kernel/text.ts'
import type { Operation } from '../entrance/admit.ts'
import { toTributaryError } from '../error-report.ts'
import { graphQLErrorAnswer, resultTypes } from '../graphql-errors.ts'
import type { HandlerAnswer, KnownOfRequest, RequestState } from '../handler.ts'
import { isJsonType } from './media-types.ts'

/** Apollo's `BatchHttpLink` sends ten at most, if it is not told otherwise. */
export const mostOperations = 10

/** Runs one operation for an admitted caller. Returns its JSON. */
export type RunText = (context: GraphQLContext, state: RequestState, text: string) => Promise<string>

/**
 * The operation of a request whose body is a list of operations, or null. They run one after the other, in their order,
 * each with its own limits, and count as that many requests. An operation that fails stops none of the others.
 */
export function readBatch(
  runText: RunText,
  incoming: Incoming,
  state: RequestState,
  body: Uint8Array,
): Operation<HandlerAnswer> | null {
  if (incoming.method !== 'POST' || !isJsonType(incoming.header('content-type')) || !isList(body)) return null
  const batch = { name: undefined, isRead: false }
  try {
    const operations = operationsOf(incoming, body)
    const type = typeOf(incoming)
    return {
      ...batch,
      requests: operations.length,
      async run(context, renew) {
        const results: string[] = []
        // A mutation can change the program, and what the caller may do.
        let current = () => Promise.resolve(context)
        for (const operation of operations) {
          if (incoming.isGone()) throw clientGone()
          const known: KnownOfRequest = {}
          const text = JSON.stringify(operation)
          const result = await current()
            .then((caller) => runText(caller, { ...state, known }, text))
            .catch((error) => failedResult(toTributaryError(error, state.log), state, known))
          results.push(result)
          if (known.mutations) current = renew
          noteOperation(state.known, known)
        }
        const headers = { 'Content-Type': `${type}; charset=utf-8` }
        return { status: 200, headers, body: `[${results.join(',')}]` }
      },
    }
  } catch (error) {
    // Only authenticated callers get errors of the body.
    return { ...batch, run: () => Promise.reject(error) }
  }
}

const whiteSpace = new Set([0x20, 0x09, 0x0a, 0x0d])

function isList(body: Uint8Array): boolean {
  const first = body.find((byte) => !whiteSpace.has(byte))
  return first === '['.charCodeAt(0)
}

function operationsOf(incoming: Incoming, body: Uint8Array): object[] {
  if (incoming.header('idempotency-key') !== null)
    throw new TributaryError(
      'BAD_REQUEST',
      'A batch takes no Idempotency-Key. Send the mutation that has the key in a request of its own.',
    )
  const operations = parseJson(decodeText(body), 'The body') as unknown[]
  if (operations.length === 0) throw new TributaryError('BAD_REQUEST', 'The batch has no operations.')
  if (operations.length > mostOperations)
    throw new TributaryError(
      'BAD_REQUEST',
      `The batch has ${operations.length} operations; the limit is ${mostOperations}. Send several requests.`,
    )
  return operations.map((operation, index) => {
    if (operation !== null && typeof operation === 'object' && !Array.isArray(operation)) return operation
    throw new TributaryError('BAD_REQUEST', `Operation ${index + 1} of the batch is not a JSON object.`)
  })
}

/** The result of an operation that was not executed, such as one after the rights of its caller have ended. */
function failedResult(error: TributaryError, state: RequestState, known: KnownOfRequest): string {
  Object.assign(known, { errorCode: error.code, problem: error.message })
  return String(graphQLErrorAnswer(error, state, null).body)
}

/** The media type of the list of results. */
function typeOf(incoming: Incoming): string {
  const [type] = acceptedMediaTypes(incoming.header('accept'), resultTypes)
  if (type !== undefined) return type
  const message = `Accept allows no media type of a batch. Add ${resultTypes.join(' or ')} to it.`
  throw new TributaryError('NOT_ACCEPTABLE', message)
}

/** The line of the log names all operations and mutations, and the first error. */
function noteOperation(known: KnownOfRequest, { operation, mutations, errorCode, problem = '' }: KnownOfRequest): void {
  if (operation) known.operation = known.operation ? excerpt(`${known.operation}, ${operation}`) : operation
  if (mutations) known.mutations = [...(known.mutations ?? []), ...mutations]
  if (errorCode && !known.errorCode) Object.assign(known, { errorCode, problem })
}

import type { Answer } from '../http/answer.ts'
import { failure } from '../http/statuses.ts'
import type { TributaryError } from '../kernel/errors.ts'

/** Of JSON-RPC: an error of the server that the protocol does not name. */
const serverError = -32_000

/** An error of JSON-RPC, for a request that failed as a whole. The message is also `error`, as in REST. */
export function mcpErrorAnswer(error: TributaryError): Answer {
  const body = {
    jsonrpc: '2.0',
    id: null,
    error: { code: serverError, message: error.message, data: { code: error.code } },
  }
  const answer = failure(error.code, body)
  return { ...answer, failure: { code: error.code, problem: error.message } }
}

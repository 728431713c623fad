import type { ErrorCode } from '../kernel/errors.ts'
import { defineEnum } from './enums.ts'

// Clients generate a type from this enum. No field has it: see `explicitlyIncludeType` in builder.ts.
defineEnum('ErrorCode', 'The codes of errors: `extensions.code` of an error is always one of these.', {
  UNAUTHENTICATED: 'The API key or token is missing, unknown, revoked or expired.',
  FORBIDDEN: 'The API key or token does not allow the operation, for example a mutation with a read-only key.',
  NOT_FOUND: 'No record that a mutation changes has the id. Look-ups by id return null instead.',
  INVALID_INPUT: 'The input is not valid. `extensions.problems` lists every problem with its field and path.',
  REFUSED:
    'The input is valid, but the current state does not allow the operation. The message says why; `extensions.reasons` has words for programs where there are several reasons.',
  UNAVAILABLE:
    'The service or its database is not available at the moment. The only code that can be retried as it is.',
  INTERNAL: 'The service has a defect. Its log has the cause under the request id.',
  BAD_REQUEST: 'The request is malformed, for example invalid JSON or a variable that does not fit its type.',
  METHOD_NOT_ALLOWED: 'The HTTP method is not allowed, for example a mutation by GET.',
  NOT_ACCEPTABLE: 'No media type in the `Accept` header can be served.',
  PAYLOAD_TOO_LARGE: 'The request body is too large.',
  UNSUPPORTED_MEDIA_TYPE: 'The `Content-Type` of the request body is not supported. Send `application/json`.',
  GRAPHQL_PARSE_FAILED: 'The document is not GraphQL.',
  GRAPHQL_VALIDATION_FAILED: 'The document does not fit the schema.',
  QUERY_TOO_COMPLEX: 'The operation exceeds a limit and was not executed. `extensions.reasons` names the limit.',
  PERSISTED_QUERY_NOT_FOUND: 'No persisted operation has this id.',
} satisfies Record<ErrorCode, string>)

import { getNamedType } from 'graphql'
import type { ApiKeyProfile } from '../../generated/prisma/enums.ts'
import { snakeCase } from '../../kernel/text.ts'
import { contractFieldsOf, originOf } from '../contract.ts'
import { expandableOf } from '../convention/table.ts'
import { rowType } from '../export.ts'
import { namesOf } from '../names.ts'
import type { Route } from '../route.ts'
import { routesOf } from '../routes.ts'
import { operationField } from '../schema.ts'
import { bodyExample, idExample, responseExample } from './examples.ts'
import { exportExample } from './export-examples.ts'
import { exportDescription, exportResponseOf, fileParameters } from './exports.ts'
import { keyParameter, withKey } from './idempotency.ts'
import { problemExample } from './problem-examples.ts'
import {
  cached,
  errorResponseOf,
  fileResponseOf,
  limited,
  notModified,
  readFileResponseOf,
  responseOf,
  sharedErrors,
} from './responses.ts'
import {
  aliasesOf,
  bodySchema,
  type InputField,
  inputFields,
  refTo,
  type Schema,
  withConventionStates,
  withWireNames,
} from './schemas.ts'

/** A row of the route table with its names in the document. */
export type DocumentedRoute = {
  route: Route
  operationId: string
  typeName: string
  profile: ApiKeyProfile
  fields: InputField[]
  /** The contract's route, if this one is an alias of it. */
  aliasOf: Route | undefined
}

/** `contract`: only the endpoints and fields of the contract. `all`: also what else a key of the profile can use. */
export type Scope = 'contract' | 'all'

/** The rows of the table, in its order. Operation ids of aliases end in a number. */
export function documentedRoutes(profile: ApiKeyProfile, scope: Scope): DocumentedRoute[] {
  const rows = new Map<string, Route[]>()
  const documented = routesOf(profile).filter((route) => scope === 'all' || contractFieldsOf(route))
  return documented.map((row) => {
    const route = scope === 'all' ? row : { ...row, dryRun: undefined }
    const earlier = rows.get(route.operation) ?? []
    rows.set(route.operation, [...earlier, route])
    const typeName = typeNameOf(route)
    return {
      route,
      operationId: operationName(route, typeName) + (earlier.length > 0 ? earlier.length + 1 : ''),
      typeName,
      profile,
      fields: fieldsOf(route, profile, scope),
      aliasOf: earlier[0],
    }
  })
}

const fieldName = ({ operation }: Route) => operation.slice(operation.indexOf('.') + 1)
const typeNameOf = ({ operation }: Route) => getNamedType(operationField(operation).type).name
const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** A mutation's name is a verb already; a query's is a noun. */
function operationName(route: Route, typeName: string): string {
  if (route.operation.startsWith('Mutation.') || route.isExport) return fieldName(route)
  return (typeName.endsWith('Page') ? 'list' : 'read') + capitalized(fieldName(route))
}

/** The fields of the route's query or body. An id in the path is not among them. */
function fieldsOf(route: Route, profile: ApiKeyProfile, scope: Scope): InputField[] {
  if (!route.input) return []
  const names = namesOf(route)
  const isInConvention = profile === 'superset' && names.hasConventionState
  const renamed = { ...names.renamed, ...(isInConvention && { state: 'conventionState' }) }
  const fields = inputFields(route.input, { ...names, renamed })
  const described = scope === 'contract' ? contractFieldsOf(route) : undefined
  const own = fields
    .filter(({ name }) => name !== (route.idField && snakeCase(route.idField)))
    .filter(({ name }) => !described || described.includes(name))
  return profile === 'superset'
    ? own.flatMap((field) => [withConventionStates(field, names.unusedStates ?? []), ...aliasesOf(field)])
    : own
}

export const hasBody = ({ route, fields }: DocumentedRoute) => route.method !== 'GET' && fields.length > 0

export const bodyName = ({ operationId }: DocumentedRoute) => `${capitalized(operationId)}Body`

export const bodySchemaOf = ({ route, fields }: DocumentedRoute): Schema => bodySchema(fields, route.needsOneOf)

/** Where an endpoint that is not of the contract comes from. */
const originNotes = {
  contract: null,
  convention: 'Not part of the contract: clients of the convention use it.',
  tributary: 'Not part of the contract or the convention: an addition of this service.',
} as const

export function operationOf(documented: DocumentedRoute): Schema {
  const { route, operationId, fields, aliasOf } = documented
  const parameters = [
    ...(route.path.includes('{id}') ? [idParameter(documented)] : []),
    ...(route.method === 'GET' ? fields.flatMap(queryParameters) : []),
    ...expandParameter(documented),
    ...(route.dryRun ? [dryRunParameter] : []),
    ...(route.isExport ? fileParameters : []),
    ...keyParameter(route),
  ]
  const alias = aliasOf && !route.parent
  const same = aliasOf && `${alias ? 'An alias of' : 'The same as'} \`${aliasOf.method} ${aliasOf.path}\``
  const filtered = route.parent ? ' with the id as `affiliate_id`' : ''
  const description = withWireNames(operationField(route.operation).description ?? '')
  return {
    operationId,
    tags: [route.tag],
    summary: alias ? `${route.summary} (alias)` : route.summary,
    'x-origin': originOf(route),
    description: [
      description,
      originNotes[originOf(route)],
      same && `${same}${filtered}.`,
      route.isExport && exportDescription(route),
    ]
      .filter(Boolean)
      .join('\n\n'),
    ...(parameters.length > 0 && { parameters }),
    ...(hasBody(documented) && { requestBody: requestBody(documented) }),
    responses: withLimits(documented, withKey(route, responsesOf(documented))),
  }
}

/** The noun that the id in the path belongs to: the route's resource, unless `idField` names another. */
const nounOfId = ({ route, typeName }: DocumentedRoute) =>
  nounOf(route.idField ? capitalized(route.idField).replace(/Id$/, '') : typeName)

function idParameter(documented: DocumentedRoute): Schema {
  return {
    name: 'id',
    in: 'path',
    required: true,
    description: `The id of the ${nounOfId(documented)}.`,
    schema: { type: 'string' },
    example: idExample(documented.route.path),
  }
}

/** Lists are accepted as `state=a&state=b`, and as `state[]=a&state[]=b`, which many clients send. */
function queryParameters({ name, description, schema, wire }: InputField): Schema[] {
  const parameter = { name, in: 'query', required: wire.required ?? false, description, schema }
  if (wire.type !== 'array') return [parameter]
  const list = { ...parameter, style: 'form', explode: true }
  return [list, { ...list, name: `${name}[]`, description: `The same as \`${name}\`, with brackets.` }]
}

const dryRunParameter: Schema = {
  name: 'dry_run',
  in: 'query',
  required: false,
  description:
    'If `true`, nothing is written. The response is the same, but with status 200, and its ids do not exist.',
  schema: { type: 'boolean', default: false },
}

/** The optional fields of the superset. */
function expandParameter({ route, profile, typeName }: DocumentedRoute): Schema[] {
  if (profile === 'contract' || route.isExport || route.isFile) return []
  const names = expandableOf(typeName.replace(/Page$/, ''))
  if (names.length === 0) return []
  return [
    {
      name: 'expand[]',
      in: 'query',
      required: false,
      description: 'Optional fields to include. Also accepted as `expand`, once or several times.',
      schema: { type: 'array', items: { type: 'string', enum: names } },
      style: 'form',
      explode: true,
    },
  ]
}

/** Adds a 429. Where the convention's rate limit applies, the operation's own responses have its headers. */
function withLimits({ route, profile }: DocumentedRoute, responses: Schema): Schema {
  if (profile === 'contract' || route.isOwnEndpoint) return { ...responses, 429: refTo('responses', 'TooManyRequests') }
  const withHeaders = Object.entries(responses as Record<string, Schema>).map(([status, response]) =>
    '$ref' in response
      ? [status, response]
      : [status, { ...response, headers: { ...(response.headers as Schema), ...limited } }],
  )
  const wait = { ...limited, 'Retry-After': refTo('headers', 'Retry-After') }
  const tooMany = errorResponseOf('The rate limit is exceeded.', 'Too many requests. Try again in 12 seconds.', wait)
  return { ...Object.fromEntries(withHeaders), 429: tooMany }
}

function requestBody(documented: DocumentedRoute): Schema {
  const names = documented.fields.map(({ name }) => name)
  const schema = refTo('schemas', bodyName(documented))
  const mediaType = { schema, example: bodyExample(fieldName(documented.route), names) }
  return {
    required: documented.fields.some(({ wire }) => wire.required),
    content: { 'application/json': mediaType, 'application/x-www-form-urlencoded': mediaType },
  }
}

function responsesOf(documented: DocumentedRoute): Schema {
  const { route, typeName, profile } = documented
  if (route.isExport) {
    return {
      200: exportResponseOf(exportExample(fieldName(route), Object.keys(rowType(route).getFields()))),
      ...unprocessable(documented),
      ...sharedErrors({ hasBody: false, writes: false }),
    }
  }
  const content = (more?: object) => ({
    schema: refTo('schemas', typeName),
    example: responseExample({ typeName, operation: fieldName(route), profile, more }),
  })
  const { otherwise } = route
  // A GET that runs a mutation is not a read: its response is for this request only.
  const isRead = route.operation.startsWith('Query.') && route.method === 'GET'
  return {
    [route.status]: route.isFile
      ? isRead
        ? readFileResponseOf(route.path)
        : fileResponseOf('The file.')
      : responseOf(descriptionOf(documented), content(), isRead ? cached : {}),
    ...(isRead && !route.isFile && { 304: notModified }),
    ...Object.fromEntries(
      (otherwise ?? []).map(({ status, meaning, field, example }) => {
        return [status, responseOf(meaning, content({ [field]: true, ...example }))]
      }),
    ),
    ...(route.path.includes('{id}') && { 404: notFoundResponse(documented) }),
    ...unprocessable(documented),
    ...sharedErrors({ hasBody: hasBody(documented), writes: route.operation.startsWith('Mutation.') }),
  }
}

const nounOf = (typeName: string) => typeName.replace(/\B[A-Z]/g, ' $&').toLowerCase()

function descriptionOf({ route, typeName }: DocumentedRoute): string {
  if (typeName.endsWith('Page')) return `A page of ${route.tag.toLowerCase()}.`
  if (route.otherwise) return `The ${route.summary.replace('Report a ', '')} was recorded.`
  return route.status === 201 ? `The new ${nounOf(typeName)}.` : `The ${nounOf(typeName)}.`
}

function notFoundResponse(documented: DocumentedRoute): Schema {
  const noun = nounOfId(documented)
  const error = `${capitalized(noun)} not found: ${idExample(documented.route.path)}`
  return errorResponseOf(`The program has no ${noun} with this id.`, error)
}

/** 422: invalid input, or valid input that the current state does not allow. */
function unprocessable({ route, fields }: DocumentedRoute): Schema {
  const problems = fields.length > 0 && {
    schema: refTo('schemas', 'ValidationError'),
    example: problemExample(fieldName(route), route.failure),
  }
  const { refusal: error, refusalReasons: details } = route
  const refusal = error && {
    schema: refTo('schemas', details ? 'Refusal' : 'Error'),
    example: { error, ...(details && { details }) },
  }
  if (problems && refusal)
    return {
      422: responseOf('The input is invalid, or the current state does not allow it.', either(problems, refusal)),
    }
  if (problems) return { 422: responseOf('The input is invalid.', problems) }
  return refusal ? { 422: responseOf('The current state does not allow it.', refusal) } : {}
}

type Content = { schema: Schema; example: object }

const either = (problems: Content, refusal: Content): Schema => ({
  schema: { anyOf: [problems.schema, refusal.schema] },
  examples: {
    problems: { summary: 'The input is invalid', value: problems.example },
    refused: { summary: 'The current state does not allow it', value: refusal.example },
  },
})

import { getNamedType } from 'graphql'
import type { ApiKeyProfile } from '../../generated/prisma/enums.ts'
import { expandableOf } from '../convention/table.ts'
import { namesOf, wireName } from '../names.ts'
import type { Route } from '../route.ts'
import { routes } from '../routes.ts'
import { operationField } from '../schema.ts'
import { answerExample, bodyExample, exportExample, idExample, problemExample } from './examples.ts'
import { exportDescription, exportResponseOf, formatParameter, notAcceptable } from './exports.ts'
import { cached, errorResponseOf, fileResponseOf, limited, notModified, responseOf, sharedErrors } from './responses.ts'
import {
  aliasesOf,
  bodySchema,
  type InputField,
  inputFields,
  inWireWords,
  refTo,
  type Schema,
  withOtherWords,
} from './schemas.ts'

/** A row of the route table with what the document calls it. */
export type Documented = {
  route: Route
  operationId: string
  typeName: string
  profile: ApiKeyProfile
  fields: InputField[]
  /** The contract's own route, where this row is another way to the same. */
  aliasOf: Route | undefined
}

/** The rows of the table, in its order. A further row of one operation has a number after the operation's name. */
export function documentedRoutes(profile: ApiKeyProfile): Documented[] {
  const rows = new Map<string, Route[]>()
  return routes.map((route) => {
    const earlier = rows.get(route.operation) ?? []
    rows.set(route.operation, [...earlier, route])
    const typeName = typeNameOf(route)
    return {
      route,
      operationId: operationName(route, typeName) + (earlier.length > 0 ? earlier.length + 1 : ''),
      typeName,
      profile,
      fields: fieldsOf(route, profile),
      aliasOf: earlier[0],
    }
  })
}

const fieldName = ({ operation }: Route) => operation.slice(operation.indexOf('.') + 1)
const typeNameOf = ({ operation }: Route) => getNamedType(operationField(operation).type).name
const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** A mutation is called by a verb already; a query by a noun. */
function operationName(route: Route, typeName: string): string {
  if (route.operation.startsWith('Mutation.') || route.isExport) return fieldName(route)
  return (typeName.endsWith('Page') ? 'list' : 'read') + capitalized(fieldName(route))
}

/** What the path says, the body does not say again. */
function fieldsOf(route: Route, profile: ApiKeyProfile): InputField[] {
  if (!route.input) return []
  const fields = inputFields(route.input, namesOf(route, profile))
  const own = fields.filter(({ name }) => name !== (route.idField && wireName(route.idField)))
  return profile === 'superset' ? own.flatMap((field) => [withOtherWords(field), ...aliasesOf(field)]) : own
}

export const hasBody = ({ route, fields }: Documented) => route.method !== 'GET' && fields.length > 0

/** The name of a body's schema. */
export const bodyName = ({ operationId }: Documented) => `${capitalized(operationId)}Body`

export const bodySchemaOf = ({ route, fields }: Documented): Schema => bodySchema(fields, route.needsOneOf)

export function operationOf(documented: Documented): Schema {
  const { route, operationId, fields, aliasOf } = documented
  const parameters = [
    ...(route.path.includes('{id}') ? [idParameter(documented)] : []),
    ...(route.method === 'GET' ? fields.flatMap(queryParameters) : []),
    ...expandParameter(documented),
    ...(route.dryRun ? [dryRunParameter] : []),
    ...(route.isExport ? [formatParameter] : []),
  ]
  const same = aliasOf && `The same as \`${aliasOf.method} ${aliasOf.path}\`, for clients that call it so.`
  const description = inWireWords(operationField(route.operation).description ?? '')
  return {
    operationId,
    tags: [route.tag],
    summary: aliasOf ? `${route.summary} (alias)` : route.summary,
    description: [description, same, route.isExport && exportDescription(route)].filter(Boolean).join('\n\n'),
    ...(parameters.length > 0 && { parameters }),
    ...(hasBody(documented) && { requestBody: requestBody(documented) }),
    responses: withLimits(documented, responsesOf(documented)),
  }
}

/** What the id in the path is of: the route's own resource, or the one that the field it stands for names. */
const nounOfId = ({ route, typeName }: Documented) =>
  nounOf(route.idField ? capitalized(route.idField).replace(/Id$/, '') : typeName)

function idParameter(documented: Documented): Schema {
  return {
    name: 'id',
    in: 'path',
    required: true,
    description: `The id of the ${nounOfId(documented)}.`,
    schema: { type: 'string' },
    example: idExample(documented.route.path),
  }
}

/** A list is read as `state=a&state=b`, and as `state[]=a&state[]=b`, which is how many clients write it. */
function queryParameters({ name, description, schema, wire }: InputField): Schema[] {
  const parameter = { name, in: 'query', required: wire.required ?? false, description, schema }
  if (wire.type !== 'array') return [parameter]
  const list = { ...parameter, style: 'form', explode: true }
  return [list, { ...list, name: `${name}[]`, description: `The same as \`${name}\`, written with brackets.` }]
}

const dryRunParameter: Schema = {
  name: 'dry_run',
  in: 'query',
  required: false,
  description:
    'With `true` the answer is the same, with status 200, and nothing is written: the ids in it name nothing.',
  schema: { type: 'boolean', default: false },
}

/** Of the superset: what of the answer appears only where it is named. */
function expandParameter({ route, profile, typeName }: Documented): Schema[] {
  if (profile === 'contract' || route.isExport || route.isFile) return []
  const names = expandableOf(typeName.replace(/Page$/, ''))
  if (names.length === 0) return []
  return [
    {
      name: 'expand[]',
      in: 'query',
      required: false,
      description: 'What else the answer is to have. Read as `expand` too, once or several times.',
      schema: { type: 'array', items: { type: 'string', enum: names } },
      style: 'form',
      explode: true,
    },
  ]
}

/** Beyond the limit of the superset's keys: 429; every answer of the operation itself says what is left. */
function withLimits({ route, profile }: Documented, responses: Schema): Schema {
  if (profile === 'contract' || route.isOurs) return responses
  const told = Object.entries(responses as Record<string, Schema>).map(([status, response]) =>
    '$ref' in response
      ? [status, response]
      : [status, { ...response, headers: { ...(response.headers as Schema), ...limited } }],
  )
  const wait = { ...limited, 'Retry-After': refTo('headers', 'Retry-After') }
  const tooMany = errorResponseOf('More than the limit allows.', 'Too many requests. Try again in 12 seconds.', wait)
  return { ...Object.fromEntries(told), 429: tooMany }
}

function requestBody(documented: Documented): Schema {
  const names = documented.fields.map(({ name }) => name)
  const schema = refTo('schemas', bodyName(documented))
  const mediaType = { schema, example: bodyExample(fieldName(documented.route), names) }
  return {
    required: documented.fields.some(({ wire }) => wire.required),
    content: { 'application/json': mediaType, 'application/x-www-form-urlencoded': mediaType },
  }
}

function responsesOf(documented: Documented): Schema {
  const { route, typeName, profile } = documented
  if (route.isExport) {
    return {
      200: exportResponseOf(exportExample(fieldName(route))),
      406: notAcceptable,
      ...unprocessable(documented),
      ...sharedErrors({ hasBody: false, writes: false }),
    }
  }
  const answer = (more?: object) => ({
    schema: refTo('schemas', typeName),
    example: answerExample({ typeName, operation: fieldName(route), profile, more }),
  })
  const { otherwise } = route
  // A GET that runs a mutation makes something for this one request.
  const isRead = route.operation.startsWith('Query.') && route.method === 'GET'
  return {
    [route.status]: route.isFile
      ? fileResponseOf('The file.')
      : responseOf(answerMeaning(documented), answer(), isRead ? cached : {}),
    ...(isRead && { 304: notModified }),
    ...(otherwise && {
      [otherwise.status]: responseOf(otherwise.meaning, answer({ [otherwise.field]: true })),
    }),
    ...(route.path.includes('{id}') && { 404: notFoundResponse(documented) }),
    ...unprocessable(documented),
    ...sharedErrors({ hasBody: hasBody(documented), writes: route.operation.startsWith('Mutation.') }),
  }
}

const nounOf = (typeName: string) => typeName.replace(/\B[A-Z]/g, ' $&').toLowerCase()

function answerMeaning({ route, typeName }: Documented): string {
  if (typeName.endsWith('Page')) return `A page of ${route.tag.toLowerCase()}.`
  if (route.otherwise) return `The ${route.summary.replace('Report a ', '')} was recorded.`
  return route.status === 201 ? `The new ${nounOf(typeName)}.` : `The ${nounOf(typeName)}.`
}

function notFoundResponse(documented: Documented): Schema {
  const noun = nounOfId(documented)
  const error = `${capitalized(noun)} not found: ${idExample(documented.route.path)}`
  return errorResponseOf(`The program has no ${noun} with this id.`, error)
}

/** 422: the input has problems, or what there is does not allow it, or either. */
function unprocessable({ route, fields }: Documented): Schema {
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
    return { 422: responseOf('The input has problems, or it is refused.', either(problems, refusal)) }
  if (problems) return { 422: responseOf('The input has problems.', problems) }
  return refusal ? { 422: responseOf('What there is does not allow it.', refusal) } : {}
}

type Content = { schema: Schema; example: object }

const either = (problems: Content, refusal: Content): Schema => ({
  schema: { anyOf: [problems.schema, refusal.schema] },
  examples: {
    problems: { summary: 'The input has problems', value: problems.example },
    refused: { summary: 'What there is does not allow it', value: refusal.example },
  },
})

import type { ApiKeyProfile } from '../../generated/prisma/enums.ts'
import { descriptionPaths } from '../routes.ts'
import { operationField } from '../schema.ts'
import { bodyName, bodySchemaOf, documentedRoutes, hasBody, operationOf } from './operations.ts'
import {
  cached,
  errorResponseOf,
  errorSchemas,
  headers,
  limitHeaders,
  notModified,
  responseOf,
  sharedResponses,
} from './responses.ts'
import { collectEnums, collectSchemas, refTo, type Schema } from './schemas.ts'
import { introduction, securitySchemes, supersetIntroduction, tags } from './texts.ts'

/** The version of the interface. Source: the contract's section on versioning. */
const version = '1.0.0'

export type OpenApiDocument = Schema & { paths: Record<string, Record<string, Schema>>; components: Schema }

/**
 * The description of the REST API, made from what serves it: the route table, the inputs that the verbs read and the
 * schema whose operations run. What is not served can not stand here, and the other way round.
 *
 * @param publicUrl the service's address, without a slash at the end
 * @param profile of the keys that it is for
 */
export function createOpenApiDocument(publicUrl: string, profile: ApiKeyProfile = 'contract'): OpenApiDocument {
  const documented = documentedRoutes(profile)
  const paths: OpenApiDocument['paths'] = {}
  const schemas = new Map<string, Schema>()
  for (const row of documented) {
    const { method, path, operation } = row.route
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(row) }
    if (row.route.isExport) continue
    const { type } = operationField(operation, profile)
    if (row.route.isFile) collectEnums(type, schemas)
    else collectSchemas(type, schemas)
  }
  // Words that only bodies know, as no answer of the contract has them.
  for (const { wire, schema } of documented.flatMap(({ fields }) => fields)) {
    const { enumName, enum: values } = wire.items ?? wire
    if (enumName && !schemas.has(enumName) && JSON.stringify(schema).includes('"$ref"'))
      schemas.set(enumName, { type: 'string', enum: values })
  }
  const bodies = documented.filter(hasBody).map((row) => [bodyName(row), bodySchemaOf(row)])
  return {
    openapi: '3.1.0',
    info: {
      title: titles[profile],
      version,
      description: [introduction(publicUrl), ...(profile === 'superset' ? [supersetIntroduction] : [])].join('\n\n'),
      contact: { name: 'Tributary', url: publicUrl },
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: `${publicUrl}/v1`, description: 'This service.' }],
    security: Object.keys(securitySchemes).map((name) => ({ [name]: [] })),
    tags,
    paths: { ...paths, ...ownPaths },
    components: {
      securitySchemes,
      headers: { ...headers, ...(profile === 'superset' && limitHeaders) },
      responses: sharedResponses,
      schemas: { ...Object.fromEntries(schemas), ...Object.fromEntries(bodies), ...errorSchemas },
    },
  }
}

const ownSchema: Schema = {
  type: 'object',
  required: ['openapi', 'info', 'paths'],
  properties: {
    openapi: { type: 'string', description: 'The version of OpenAPI.' },
    info: { type: 'object', description: 'What is described.' },
    paths: { type: 'object', description: 'The operations.' },
  },
  additionalProperties: true,
}

const titles: Record<ApiKeyProfile, string> = { contract: 'Tributary', superset: 'Tributary (superset)' }

/** The documents are served too, and are the only things that need no key. */
const ownOperation = (operationId: string, profile: ApiKeyProfile): Schema => ({
  operationId,
  tags: ['Description'],
  summary: `Read the description of the ${profile} profile`,
  description: `The OpenAPI description of the interface, as it is to keys of the ${profile} profile. Needs no API key.`,
  security: [],
  responses: {
    200: responseOf(
      'The document.',
      { schema: ownSchema, example: { openapi: '3.1.0', info: { title: titles[profile], version }, paths: {} } },
      cached,
    ),
    304: notModified,
    412: errorResponseOf('What `If-Match` names is not current.', 'The ETag in If-Match is not the current one.', {
      ETag: refTo('headers', 'ETag'),
    }),
  },
})

const ownPaths: OpenApiDocument['paths'] = {
  [descriptionPaths.contract]: { get: ownOperation('readOpenApi', 'contract') },
  [descriptionPaths.superset]: { get: ownOperation('readSupersetOpenApi', 'superset') },
}

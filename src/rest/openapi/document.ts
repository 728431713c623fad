import { descriptionPath } from '../routes.ts'
import { operationField } from '../schema.ts'
import { bodyName, bodySchemaOf, documentedRoutes, hasBody, operationOf } from './operations.ts'
import {
  cached,
  errorResponseOf,
  errorSchemas,
  headers,
  notModified,
  responseOf,
  sharedResponses,
} from './responses.ts'
import { collectEnums, collectSchemas, refTo, type Schema } from './schemas.ts'
import { introduction, securitySchemes, tags } from './texts.ts'

/** The version of the interface. Source: the contract's section on versioning. */
const version = '1.0.0'

export type OpenApiDocument = Schema & { paths: Record<string, Record<string, Schema>>; components: Schema }

/**
 * The description of the REST API, made from what serves it: the route table, the inputs that the verbs read and the
 * schema whose operations run. What is not served can not stand here, and the other way round.
 *
 * @param publicUrl the service's address, without a slash at the end
 */
export function createOpenApiDocument(publicUrl: string): OpenApiDocument {
  const documented = documentedRoutes()
  const paths: OpenApiDocument['paths'] = {}
  const schemas = new Map<string, Schema>()
  for (const row of documented) {
    const { method, path, operation } = row.route
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(row) }
    if (row.route.isExport) continue
    const { type } = operationField(operation)
    if (row.route.isFile) collectEnums(type, schemas)
    else collectSchemas(type, schemas)
  }
  // Words that only bodies know, as no answer of the contract has them.
  for (const { wire } of documented.flatMap(({ fields }) => fields)) {
    const { enumName, enum: values } = wire.items ?? wire
    if (enumName && !schemas.has(enumName)) schemas.set(enumName, { type: 'string', enum: values })
  }
  const bodies = documented.filter(hasBody).map((row) => [bodyName(row), bodySchemaOf(row)])
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tributary',
      version,
      description: introduction(publicUrl),
      contact: { name: 'Tributary', url: publicUrl },
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: `${publicUrl}/v1`, description: 'This service.' }],
    security: Object.keys(securitySchemes).map((name) => ({ [name]: [] })),
    tags,
    paths: { ...paths, [descriptionPath]: { get: ownOperation } },
    components: {
      securitySchemes,
      headers,
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

/** This document is served too, and is the one thing that needs no key. */
const ownOperation: Schema = {
  operationId: 'readOpenApi',
  tags: ['Description'],
  summary: 'Read this document',
  description: 'The OpenAPI description of the interface. Needs no API key.',
  security: [],
  responses: {
    200: responseOf(
      'This document.',
      { schema: ownSchema, example: { openapi: '3.1.0', info: { title: 'Tributary', version }, paths: {} } },
      cached,
    ),
    304: notModified,
    412: errorResponseOf('What `If-Match` names is not current.', 'What If-Match names is not current.', {
      ETag: refTo('headers', 'ETag'),
    }),
  },
}

import type { ApiKeyProfile } from '../../generated/prisma/enums.ts'
import { descriptionPaths } from '../routes.ts'
import { operationField } from '../schema.ts'
import { replayHeaders } from './idempotency.ts'
import { bodyName, bodySchemaOf, documentedRoutes, hasBody, operationOf, type Scope } from './operations.ts'
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

/** The version of the API. Source: the contract's section on versioning. */
const version = '1.0.0'

export type OpenApiDocument = Schema & { paths: Record<string, Record<string, Schema>>; components: Schema }

/**
 * The OpenAPI document, generated from the route table, the inputs and the schema that runs them.
 * @param publicUrl the service's address, without a trailing slash
 * @param profile the profile of the API keys that the document is for
 * @param scope the document of the contract has only what the contract has; that of the superset has all
 */
export function createOpenApiDocument(
  publicUrl: string,
  profile: ApiKeyProfile = 'contract',
  scope: Scope = profile === 'contract' ? 'contract' : 'all',
): OpenApiDocument {
  const documented = documentedRoutes(profile, scope)
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
  // Enums that are only in inputs.
  for (const { wire, schema } of documented.flatMap(({ fields }) => fields)) {
    const { enumName, enum: values } = wire.items ?? wire
    if (enumName && !schemas.has(enumName) && JSON.stringify(schema).includes('"$ref"'))
      schemas.set(enumName, { type: 'string', enum: values })
  }
  const isUsed = (tag: string) =>
    (scope === 'all' && tag === 'Description') || documented.some(({ route }) => route.tag === tag)
  const bodies = documented.filter(hasBody).map((row) => [bodyName(row), bodySchemaOf(row)])
  return {
    openapi: '3.1.0',
    info: {
      title: titles[profile],
      version,
      description: [introduction(publicUrl), ...(profile === 'superset' ? [supersetIntroduction] : [])].join('\n\n'),
      contact: { name: 'Tributary', url: publicUrl },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: `${publicUrl}/v1`, description: 'This service.' }],
    security: Object.keys(securitySchemes).map((name) => ({ [name]: [] })),
    tags: tags.filter(({ name }) => isUsed(name)),
    paths: { ...paths, ...(scope === 'all' && ownPaths) },
    components: {
      securitySchemes,
      headers: { ...headers, ...replayHeaders, ...(profile === 'superset' && limitHeaders) },
      responses: sharedResponses,
      schemas: { ...Object.fromEntries(schemas), ...Object.fromEntries(bodies), ...errorSchemas },
    },
  }
}

const ownSchema: Schema = {
  type: 'object',
  required: ['openapi', 'info', 'paths'],
  properties: {
    openapi: { type: 'string', description: 'The version of the OpenAPI specification.' },
    info: { type: 'object', description: 'Title, version and description of the API.' },
    paths: { type: 'object', description: 'The operations by path.' },
  },
  additionalProperties: true,
}

const titles: Record<ApiKeyProfile, string> = { contract: 'Tributary', superset: 'Tributary (superset)' }

/** The documents describe their own endpoints too: the only ones without authentication. */
const ownOperation = (operationId: string, profile: ApiKeyProfile): Schema => ({
  operationId,
  tags: ['Description'],
  summary: `Read the OpenAPI document of the ${profile} profile`,
  description: `The OpenAPI document for API keys with the ${profile} profile. It needs no API key.`,
  security: [],
  responses: {
    200: responseOf(
      'The document.',
      { schema: ownSchema, example: { openapi: '3.1.0', info: { title: titles[profile], version }, paths: {} } },
      cached,
    ),
    304: notModified,
    412: errorResponseOf(
      'The version that `If-Match` names is not current.',
      'The ETag in If-Match is not the current one.',
      {
        ETag: refTo('headers', 'ETag'),
      },
    ),
  },
})

const ownPaths: OpenApiDocument['paths'] = {
  [descriptionPaths.contract]: { get: ownOperation('readOpenApi', 'contract') },
  [descriptionPaths.superset]: { get: ownOperation('readSupersetOpenApi', 'superset') },
}

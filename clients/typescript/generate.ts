import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isObjectType, isScalarType, isSpecifiedScalarType } from 'graphql'
import { eventTypes } from '../../src/modules/events/types.ts'
import { createOpenApiDocument } from '../../src/rest/openapi/document.ts'
import { publicSchema } from '../../src/schema/schema.ts'

type Schema = { [keyword: string]: unknown }
type Parameter = { name: string; in: string; required?: boolean; description?: string; schema: Schema }
type Content = Record<string, { schema?: Schema }>
type Operation = {
  summary?: string
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, { content?: Content }>
}

const folder = fileURLToPath(new URL('generated/', import.meta.url))

/** Writes the types of REST from both OpenAPI documents, and what tools ask of the schema, into `generated`, which is not committed. */
export function generate(): void {
  mkdirSync(folder, { recursive: true })
  for (const profile of ['contract', 'superset'] as const) {
    const { paths, components } = createOpenApiDocument('http://127.0.0.1:4000', profile, 'all')
    writeFileSync(`${folder}${profile}.ts`, typesOf(paths as never, (components as { schemas: never }).schemas))
  }
  writeFileSync(`${folder}graphql.ts`, aboutSchema())
}

/** What JSON has of each scalar. */
const jsonTypes: Record<string, string> = {
  SafeInt: 'number',
  EventType: eventTypes.map((type) => `'${type}'`).join(' | '),
  EventData: 'Record<string, unknown>',
  JSONObject: 'Record<string, unknown>',
}

/** The types of scalars for GraphQL Codegen, and the types without an id for the keys of graphcache. */
function aboutSchema(): string {
  const types = Object.values(publicSchema.getTypeMap())
  const scalars = types.filter((type) => isScalarType(type) && !isSpecifiedScalarType(type)).map(({ name }) => name)
  const values = types
    .filter(isObjectType)
    .filter((type) => !/^__|^(Query|Mutation|Subscription)$/.test(type.name) && !type.getFields().id)
    .map(({ name }) => name)
  const typeOfScalar = Object.fromEntries(scalars.sort().map((name) => [name, jsonTypes[name] ?? 'string']))
  return `// Generated from the GraphQL schema.

/** The setting \`scalars\` of GraphQL Codegen: what JSON has of each scalar. */
export const scalars = ${JSON.stringify(typeOfScalar, null, 2)} as const

const valueTypes = ${JSON.stringify(values.sort(), null, 2)}

/** The option \`keys\` of urql's graphcache: types without an id are parts of the object that has them. */
export const keys: Record<string, () => null> = Object.fromEntries(valueTypes.map((name) => [name, () => null]))
`
}

function typesOf(paths: Record<string, Record<string, Operation>>, schemas: Record<string, Schema>): string {
  const types = Object.entries(schemas).map(
    ([name, schema]) => `${comment(schema)}export type ${name} = ${typeOf(schema)}\n`,
  )
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationOf(`${method.toUpperCase()} ${path}`, operation)),
  )
  return `// Generated from the OpenAPI document.\n\n${types.join('\n')}\nexport type Operations = {\n${operations.join('\n')}\n}\n`
}

/** What an operation takes and responds with: `'GET /sales': { args: { query?: … }; response: SalePage }`. */
function operationOf(name: string, { summary, parameters = [], requestBody, responses }: Operation): string {
  const ofPath = parameters.filter((parameter) => parameter.in === 'path')
  const ofQuery = parameters.filter((parameter) => parameter.in === 'query')
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  const body = requestBody?.content['application/json']?.schema
  const args = [
    ...(ofPath.length > 0 ? [`path: ${fieldsOf(ofPath)}`] : []),
    ...(ofQuery.length > 0
      ? [`query${ofQuery.some(({ required }) => required) ? '' : '?'}: ${fieldsOf(ofQuery)}`]
      : []),
    ...(body ? [`body${requestBody?.required ? '' : '?'}: ${typeOf(body)}`] : []),
  ]
  return `  /** ${plain(summary ?? name)} */\n  '${name}': { args: { ${args.join('; ')} }; response: ${responseOf(success?.content)} }`
}

/** Exports and other files are texts. */
function responseOf(content: Content | undefined): string {
  if (!content) return 'undefined'
  const { schema } = content['application/json'] ?? {}
  return schema ? typeOf(schema) : 'string'
}

const fieldsOf = (parameters: Parameter[]): string =>
  `{ ${parameters.map(({ name, required, schema }) => `${key(name)}${required ? '' : '?'}: ${typeOf(schema)}`).join('; ')} }`

function typeOf(schema: Schema): string {
  const { $ref, const: only, enum: values, anyOf, oneOf, type, items, properties, additionalProperties } = schema
  if (typeof $ref === 'string') return $ref.split('/').at(-1) as string
  if (only !== undefined) return JSON.stringify(only)
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ')
  const alternatives = (anyOf ?? oneOf) as Schema[] | undefined
  if (alternatives) return alternatives.map((one) => wrapped(typeOf(one))).join(' | ')
  if (Array.isArray(type)) return type.map((one) => typeOf({ ...schema, type: one })).join(' | ')
  if (type === 'null') return 'null'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'string' || type === 'boolean') return type
  if (type === 'array') return `${wrapped(typeOf((items ?? {}) as Schema))}[]`
  if (type !== 'object') return 'unknown'
  if (!properties)
    return `Record<string, ${typeof additionalProperties === 'object' ? typeOf(additionalProperties as Schema) : 'unknown'}>`
  const required = (schema.required ?? []) as string[]
  const fields = Object.entries(properties as Record<string, Schema>).map(
    ([name, field]) => `  ${comment(field)}  ${key(name)}${required.includes(name) ? '' : '?'}: ${typeOf(field)}`,
  )
  return `{\n${fields.join('\n')}\n}`
}

const wrapped = (type: string) => (type.includes('|') ? `(${type})` : type)
const key = (name: string) => (/^\w+$/.test(name) ? name : `'${name}'`)
const comment = ({ description }: Schema) => (typeof description === 'string' ? `/** ${plain(description)} */\n` : '')
const plain = (text: string) => text.replaceAll('*/', '* /').replace(/\s+/g, ' ')

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) generate()

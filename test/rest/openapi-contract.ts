import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect } from 'vitest'
import type { ApiKeyProfile } from '../../src/generated/prisma/enums.ts'
import { createOpenApiDocument } from '../../src/rest/openapi/document.ts'

export type Operation = { method: string; path: string; operation: any }

/** Rejects fields that the document does not name. The document itself allows future fields. */
function closed(schema: any): any {
  if (Array.isArray(schema)) return schema.map(closed)
  if (schema === null || typeof schema !== 'object') return schema
  const parts = Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, closed(part)]))
  const isOpenObject = schema.type === 'object' && schema.properties && schema.additionalProperties === undefined
  return isOpenObject ? { ...parts, additionalProperties: false } : parts
}

/** All examples of a media type, a parameter or a header. */
export const examplesOf = (part: any): unknown[] => [
  ...(part.example === undefined ? [] : [part.example]),
  ...Object.values(part.examples ?? {}).map((example: any) => example.value),
]

/** All that a key of a profile can use, as a document, with functions that validate responses against it. */
export function readDocument(profile: ApiKeyProfile, scope: 'contract' | 'all' = 'all') {
  const document = createOpenApiDocument('https://affiliates.acme.test', profile, scope) as any

  const operations: Operation[] = Object.entries(document.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )

  const findOperation = (operationId: string): Operation => {
    const found = operations.find(({ operation }) => operation.operationId === operationId)
    if (!found) throw new Error(`The document has no operation ${operationId}.`)
    return found
  }

  const resolve = (part: any): any =>
    part?.$ref
      ? part.$ref
          .slice(2)
          .split('/')
          .reduce((value: any, key: string) => value[key], document)
      : part

  const ajv = new Ajv2020({ allErrors: true, strict: false })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'document', components: { schemas: closed(document.components.schemas) } })

  const absolute = (schema: any): any =>
    JSON.parse(JSON.stringify(closed(schema)).replaceAll('"#/components', '"document#/components'))

  function expectValid(schema: object, value: unknown, what: string): void {
    const validate = ajv.compile(absolute(schema))
    validate(value)
    expect({ what, problems: validate.errors ?? [] }).toEqual({ what, problems: [] })
  }

  /** Checks that a response's status, headers and complete body are documented. */
  async function expectDocumented({ method, path, operation }: Operation, response: Response): Promise<any> {
    const what = `${method} ${path} ${response.status}`
    expect({ what, statuses: Object.keys(operation.responses) }).toEqual({
      what,
      statuses: expect.arrayContaining([String(response.status)]),
    })
    const documented = resolve(operation.responses[response.status])
    for (const [name, header] of Object.entries(documented.headers as Record<string, unknown>)) {
      if (resolve(header).required === false && !response.headers.has(name)) continue
      expectValid(resolve(header).schema, response.headers.get(name), `${what}, header ${name}`)
    }
    const text = await response.text()
    if (!documented.content) return void expect(text).toBe('')
    const [type] = (response.headers.get('content-type') ?? '').split(';') as [string]
    expect(Object.keys(documented.content)).toContain(type)
    const body = type === 'application/json' ? JSON.parse(text) : text
    expectValid(documented.content[type].schema, body, what)
    return body
  }

  return { document, operations, findOperation, resolve, expectValid, expectDocumented }
}

export const contract = readDocument('contract')
export const superset = readDocument('superset')

import fc from 'fast-check'
import { superset } from '../rest/openapi-contract.ts'
import { anything, numbers, type Samples, texts, unstored } from './values.ts'

const { resolve, operations } = superset
type RestRequest = { operation: (typeof operations)[number]; path: string; init: RequestInit }

/** A value that a schema allows, or nearly. */
function sampleOf(given: unknown, samples: Samples): fc.Arbitrary<unknown> {
  const schema = resolve(given)
  const choices = [
    ...(schema.examples ?? []),
    ...(schema.enum ?? []),
    ...(schema.const === undefined ? [] : [schema.const]),
  ]
  const types = [schema.type].flat().filter(Boolean)
  const parts: fc.Arbitrary<unknown>[] = [...(schema.anyOf ?? schema.oneOf ?? [])].map((part) =>
    sampleOf(part, samples),
  )
  if (choices.length > 0) parts.push(fc.constantFrom(...choices))
  if (types.includes('string') && !schema.enum) parts.push(texts(samples))
  if (types.includes('integer') || types.includes('number')) parts.push(numbers, fc.integer({ min: 0, max: 100_000 }))
  if (types.includes('boolean')) parts.push(fc.boolean())
  if (types.includes('null')) parts.push(fc.constant(null))
  if (types.includes('array')) parts.push(fc.array(sampleOf(schema.items, samples), { maxLength: 3 }))
  const allowed = parts.length > 0 ? fc.oneof(...parts) : anything(samples)
  return fc.oneof({ weight: 9, arbitrary: allowed }, { weight: 1, arbitrary: anything(samples) })
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
const pairsOf = (fields: Record<string, unknown>) =>
  Object.entries(fields).flatMap(([name, value]) => [value].flat().map((each) => [name, textOf(each)]))
/** Half a character has no encoding. */
const encoded = (text: string) => encodeURIComponent(text.toWellFormed())

/** A request of any documented operation. */
export const restRequests = (samples: Samples): fc.Arbitrary<RestRequest> =>
  fc.oneof(...operations.map((operation) => requestOf(operation, samples)))

function requestOf(operation: RestRequest['operation'], samples: Samples): fc.Arbitrary<RestRequest> {
  const parameters = ((operation.operation.parameters ?? []) as unknown[]).map((parameter) => resolve(parameter))
  const query = parameters.filter((parameter) => parameter.in === 'query')
  const body = resolve(operation.operation.requestBody?.content['application/json'].schema)
  const fieldsOf = (fields: [string, fc.Arbitrary<unknown>][], requiredKeys: string[]) =>
    fc.record(Object.fromEntries(fields), { requiredKeys }) as fc.Arbitrary<Record<string, unknown>>
  return fc
    .record({
      id: texts(unstored(samples)),
      query: fieldsOf(
        query.map(({ name, schema }) => [name, sampleOf(schema, unstored(samples))]),
        [],
      ),
      fields: fieldsOf(
        Object.entries(body?.properties ?? {}).map(([name, schema]) => [name, sampleOf(schema, samples)]),
        body?.required ?? [],
      ),
      more: fc.option(fc.dictionary(texts(samples), anything(samples), { maxKeys: 2 }), { freq: 9 }),
      isForm: fc.boolean(),
    })
    .map(({ id, query, fields, more, isForm }) => {
      const search = pairsOf(query).map(([name = '', value = '']) => `${encoded(name)}=${encoded(value)}`)
      const path = `${operation.path.replace('{id}', encoded(id) || '%20')}${search.length > 0 ? `?${search.join('&')}` : ''}`
      const sent = { ...fields, ...more }
      const form = pairsOf(sent).map(([name = '', value = '']) => `${encoded(name)}=${encoded(value)}`)
      const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json'
      const init: RequestInit = { method: operation.method }
      if (body)
        Object.assign(init, { headers: { 'Content-Type': type }, body: isForm ? form.join('&') : JSON.stringify(sent) })
      return { operation, path, init }
    })
}

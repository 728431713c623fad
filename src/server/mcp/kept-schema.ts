import type { z } from 'zod'

/** The parts of a schema that the protocol's library reads. */
type Standard = z.ZodObject['~standard'] & {
  jsonSchema: Record<'input' | 'output', (options: { target: string }) => Record<string, unknown>>
}

/** The schema, whose JSON Schema is made once: a request makes a server of its own, which asks for it. */
export function keptSchema<S extends z.ZodObject>(schema: S): S {
  const standard = schema['~standard'] as Standard
  const kept = new Map<string, Record<string, unknown>>()
  const keep = (side: 'input' | 'output') => (options: { target: string }) => {
    const key = `${side} ${options.target}`
    const made = kept.get(key) ?? standard.jsonSchema[side](options)
    kept.set(key, made)
    return made
  }
  const { validate, vendor, version } = standard
  const jsonSchema = { input: keep('input'), output: keep('output') }
  // The library takes any schema of this form. TypeScript knows ours as one of zod.
  return { '~standard': { validate, vendor, version, jsonSchema } } as unknown as S
}

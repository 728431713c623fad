import { readFileSync } from 'node:fs'
import { parse, validate } from 'graphql'
import { expect, it } from 'vitest'
import { publicSchema } from '../../../../src/schema/schema.ts'

const readme = readFileSync('README.md', 'utf8')
const examples = [...readme.matchAll(/```graphql\n([\s\S]*?)```/g)].map(([, code]) => code as string)

it('every GraphQL example in the README is valid against the schema', () => {
  expect(examples.length).toBeGreaterThan(5)
  for (const example of examples) expect([example, validate(publicSchema, parse(example))]).toEqual([example, []])
})

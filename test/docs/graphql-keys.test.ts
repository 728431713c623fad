import { readFileSync } from 'node:fs'
import { isObjectType } from 'graphql'
import { expect, it } from 'vitest'
import { publicSchema } from '../../src/schema/schema.ts'

it('docs/graphql.md lists every type without `id`, for the keys of graphcache; `npm run generate` writes the list', () => {
  const roots = ['Query', 'Mutation', 'Subscription']
  const values = Object.values(publicSchema.getTypeMap())
    .filter(isObjectType)
    .filter(({ name }) => !name.startsWith('__') && !roots.includes(name))
    .filter((type) => !type.getFields().id)
    .map(({ name }) => name)
  const [, listed = ''] = /const valueTypes = `\n([^`]*)`/.exec(readFileSync('docs/graphql.md', 'utf8')) ?? []
  expect(listed.trim().split(/\s+/)).toEqual(values.sort())
})

import { readFile } from 'node:fs/promises'
import { getNamedType, isObjectType } from 'graphql'
import { expect, it } from 'vitest'
import { printPublicSchema } from '../../src/schema/print.ts'
import { publicSchema } from '../../src/schema/schema.ts'

it('schema.graphql is up to date; `npm run generate` writes it', async () => {
  expect(await readFile(new URL('../../schema.graphql', import.meta.url), 'utf8')).toBe(printPublicSchema())
})

it('names of things have the right plural', async () => {
  const words = printPublicSchema().match(/\b[a-z]*[^aeiou\W]ys\b/g)
  expect(words).toBeNull()
})

it('what a connection lists is a Node, except values that no record is', () => {
  const values = Object.values(publicSchema.getTypeMap()).flatMap((type) => {
    if (!isObjectType(type) || !type.name.endsWith('Edge')) return []
    const node = getNamedType(type.getFields().node?.type)
    return isObjectType(node) && node.getInterfaces().some(({ name }) => name === 'Node') ? [] : [String(node)]
  })
  expect(values.sort()).toEqual(['ExpectedPayout', 'InstallationHistoryEntry'])
})

import { expect, it } from 'vitest'
import { viewOf } from '../../../src/pages/graphiql/result/view.ts'
import { readLink, writeLink } from '../../../src/pages/parts/query-link.ts'

it('restores the query and its variables from a link, in any script', async () => {
  const linked = { query: '# Grüße, 日本\n{ affiliates { nodes { id } } }', variables: '{"a": "ß"}' }
  const fragment = await writeLink(linked)
  expect(fragment).toMatch(/^#query=[\w-]+$/)
  expect(await readLink(fragment)).toEqual(linked)
})

it('compresses a long query', async () => {
  const query = `{ ${'affiliates { nodes { id email } } '.repeat(100)}}`
  expect((await writeLink({ query, variables: '' })).length).toBeLessThan(query.length / 5)
})

it.each(['', '#', '#other', '#query=', '#query=%%%', '#query=AAAA', '#query=bm90IGpzb24'])(
  'returns null for the fragment "%s"',
  async (fragment) => {
    expect(await readLink(fragment)).toBeNull()
  },
)

it('rejects a link that decompresses to more than the limit', async () => {
  expect(await readLink(await writeLink({ query: ' '.repeat(1_000_000), variables: '' }))).toBeNull()
})

it.each([
  ['# view: chart\n{ a }', 'chart'],
  ['# What it shows.\n  #view:TABLE\nquery X { a }', 'table'],
  ['{ a } # no view: chart', undefined],
  ['{ a }', undefined],
])('%j selects the view %s', (query, view) => {
  expect(viewOf(query)).toBe(view)
})

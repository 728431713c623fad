import { expect, it } from 'vitest'
import { readLink, writeLink } from '../../../../src/server/pages/graphiql/link.ts'
import { viewOf } from '../../../../src/server/pages/graphiql/result/view.ts'

it('a link brings back the query and its variables, whatever they are written in', async () => {
  const linked = { query: '# Grüße, 日本\n{ affiliates { nodes { id } } }', variables: '{"a": "ß"}' }
  const fragment = await writeLink(linked)
  expect(fragment).toMatch(/^#query=[\w-]+$/)
  expect(await readLink(fragment)).toEqual(linked)
})

it('a long query makes a shorter link', async () => {
  const query = `{ ${'affiliates { nodes { id email } } '.repeat(100)}}`
  expect((await writeLink({ query, variables: '' })).length).toBeLessThan(query.length / 5)
})

it.each(['', '#', '#other', '#query=', '#query=%%%', '#query=AAAA', '#query=bm90IGpzb24'])(
  '%s is no link',
  async (fragment) => {
    expect(await readLink(fragment)).toBeNull()
  },
)

it('a link that unpacks to more than a query ever has is none', async () => {
  expect(await readLink(await writeLink({ query: ' '.repeat(1_000_000), variables: '' }))).toBeNull()
})

it.each([
  ['# view: chart\n{ a }', 'chart'],
  ['# What it shows.\n  #view:TABLE\nquery X { a }', 'table'],
  ['{ a } # no view: chart', undefined],
  ['{ a }', undefined],
])('%j asks for the view %s', (query, view) => {
  expect(viewOf(query)).toBe(view)
})

import { expect, it } from 'vitest'
import { createTestApp, type GraphQLClient } from '../../support/app.ts'
import { addMember, setUpOperator } from '../../support/people.ts'

const test = await createTestApp()
const olga = await setUpOperator(test)
const program = await test.createProgram()
const other = await test.createProgram()
const join = (email: string, role: string, slug = program.slug) => addMember(test, olga, slug, { email, role })
const ann = await join('ann@example.com', 'ANALYST')
const max = await join('max@example.com', 'MANAGER')

const save = (client: GraphQLClient, name: string, query: string, list = 'AFFILIATES') =>
  client(`mutation ($input: SaveViewInput!) { saveView(input: $input) { savedView { name query } } }`, {
    input: { list, name, query },
  })
const remove = (client: GraphQLClient, name: string, list = 'AFFILIATES') =>
  client(`mutation ($input: DeleteSavedViewInput!) { deleteSavedView(input: $input) { savedViews { name } } }`, {
    input: { list, name },
  })
const views = async (client: GraphQLClient, list = 'AFFILIATES') =>
  (await client(`{ savedViews(list: ${list}) { name query } }`)).savedViews

it('an analyst saves a view, replaces it under the same name, and deletes it', async () => {
  const client = ann.graphql(program.slug)
  await save(client, 'Active', 'state=active')
  await save(client, 'Paid', 'state=paid', 'PAYOUTS')
  await save(client, 'Active', 'state=active&order=-created')
  expect(await views(client)).toEqual([{ name: 'Active', query: 'state=active&order=-created' }])
  expect(await views(client, 'PAYOUTS')).toEqual([{ name: 'Paid', query: 'state=paid' }])
  expect((await remove(client, 'Active')).deleteSavedView.savedViews).toEqual([])
  await expect(remove(client, 'Active')).rejects.toThrow('Saved view not found: Active')
})

it('no other person sees, replaces or deletes it: neither another member nor an operator', async () => {
  await save(ann.graphql(program.slug), 'Mine', 'state=disabled')
  for (const somebody of [max, olga]) {
    const client = somebody.graphql(program.slug)
    expect(await views(client)).toEqual([])
    await expect(remove(client, 'Mine')).rejects.toThrow('not found')
    await save(client, 'Mine', 'state=suspicious')
  }
  expect(await views(ann.graphql(program.slug))).toEqual([{ name: 'Mine', query: 'state=disabled' }])
})

it('is of one program', async () => {
  await save(olga.graphql(program.slug), 'Here', 'state=active')
  expect(await views(olga.graphql(other.slug))).toEqual([])
  await expect(views(ann.graphql(other.slug))).rejects.toThrow('Program not found')
})

it('is refused to API keys and to the operator token, which are not people', async () => {
  const token: GraphQLClient = (query, variables) => test.operator(query, variables, { 'X-Program-Id': program.id })
  for (const client of [program.graphql, token])
    for (const call of [() => views(client), () => save(client, 'x', 'y'), () => remove(client, 'x')])
      await expect(call()).rejects.toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] })
})

it('reports every problem, and refuses more than 50 views of a list', async () => {
  const client = max.graphql(program.slug)
  await expect(save(client, ' ', '')).rejects.toThrow("Name can't be blank")
  for (let number = 1; number <= 50; number += 1) await save(client, `View ${number}`, 'state=active', 'SALES')
  await expect(save(client, 'One more', 'state=active', 'SALES')).rejects.toThrow('Delete one of them')
  await save(client, 'View 50', 'state=disabled', 'SALES')
})

it('views go with their program', async () => {
  await save(olga.graphql(other.slug), 'Gone', 'state=active')
  await test.operator(
    `mutation ($id: ID!, $slug: String!) { deleteProgram(input: { id: $id, confirmSlug: $slug }) { slug } }`,
    {
      id: other.id,
      slug: other.slug,
    },
  )
  expect(await test.database.db.savedView.count({ where: { programId: other.id } })).toBe(0)
})

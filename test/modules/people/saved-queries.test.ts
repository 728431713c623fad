import { expect, it } from 'vitest'
import { createTestApp, type GraphQLClient } from '../../support/app.ts'
import { addMember, setUpOperator } from '../../support/people.ts'

const test = await createTestApp()
const olga = await setUpOperator(test)
const program = await test.createProgram()
const other = await test.createProgram()
const join = (email: string, role: string) => addMember(test, olga, program.slug, { email, role })
const ann = (await join('ann@example.com', 'ANALYST')).graphql(program.slug)
const bob = (await join('bob@example.com', 'ANALYST')).graphql(program.slug)
const max = (await join('max@example.com', 'MANAGER')).graphql(program.slug)

const save = (client: GraphQLClient, name: string, query = '{ program { id } }', variables?: string) =>
  client(`mutation ($input: SaveQueryInput!) { saveQuery(input: $input) { savedQuery { name query author } } }`, {
    input: { name, query, ...(variables !== undefined && { variables }) },
  })
const remove = (client: GraphQLClient, name: string) =>
  client(`mutation ($name: String!) { deleteSavedQuery(input: { name: $name }) { savedQueries { name } } }`, { name })
const queries = async (client: GraphQLClient) =>
  (await client('{ savedQueries { name query variables author mayChange } }')).savedQueries

it('what one person saves, everybody of the program sees, with its author', async () => {
  await save(ann, 'By month', 'query A($n: Int) { affiliates(first: $n) { totalCount } }', '{"n": 1}')
  const seen = {
    name: 'By month',
    query: 'query A($n: Int) { affiliates(first: $n) { totalCount } }',
    variables: '{"n": 1}',
    author: expect.stringMatching(/./),
  }
  expect(await queries(ann)).toEqual([{ ...seen, mayChange: true }])
  expect(await queries(bob)).toEqual([{ ...seen, mayChange: false }])
  expect(await queries(max)).toEqual([{ ...seen, mayChange: true }])
  expect(await queries(olga.graphql(other.slug))).toEqual([])
})

it('authors and managers replace and delete it, nobody else', async () => {
  await save(ann, 'Mine')
  await expect(save(bob, 'Mine')).rejects.toThrow('Choose another name')
  await expect(remove(bob, 'Mine')).rejects.toThrow('Only its author and managers')
  const { author } = (await save(ann, 'Mine', '{ program { name } }')).saveQuery.savedQuery
  // It stays its author's when a manager changes it.
  expect((await save(max, 'Mine', '{ program { slug } }')).saveQuery.savedQuery).toEqual({
    name: 'Mine',
    query: '{ program { slug } }',
    author,
  })
  expect((await remove(max, 'Mine')).deleteSavedQuery.savedQueries).toEqual([{ name: 'By month' }])
  await expect(remove(ann, 'Mine')).rejects.toThrow('Saved query not found: Mine')
})

it('keys and the operator token, which are not people, neither see nor save any', async () => {
  const token: GraphQLClient = (query, variables) => test.operator(query, variables, { 'X-Program-Id': program.id })
  for (const client of [program.graphql, token])
    for (const call of [() => queries(client), () => save(client, 'x'), () => remove(client, 'x')])
      await expect(call()).rejects.toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] })
})

it('rejects what is no query, and more than 200 in a program', async () => {
  await expect(save(ann, ' ', '')).rejects.toThrow("Name can't be blank")
  await expect(save(ann, 'x', 'q'.repeat(20_001))).rejects.toThrow('Query')
  for (const variables of ['[1]', 'n: 1'])
    await expect(save(ann, 'x', '{ a }', variables)).rejects.toThrow('JSON object')
  const person = await test.database.db.person.findFirstOrThrow()
  await test.database.db.savedQuery.createMany({
    data: Array.from({ length: 199 }, (_, n) => ({
      programId: program.id,
      name: `Query ${n}`,
      personId: person.id,
      query: '{ a }',
      variables: '',
      createdAt: test.clock.now,
      updatedAt: test.clock.now,
    })),
  })
  await expect(save(ann, 'One more')).rejects.toThrow('Delete one of them')
  await save(ann, 'By month')
})

it('a mutation is saved only by people who can run it, and shown as one', async () => {
  const owners = 'fragment F on Mutation { revokeApiKey(input: { id: "x" }) { __typename } } mutation { ...F }'
  const managers = 'query A { program { id } } mutation B { updateProgram(input: { id: "x" }) { __typename } }'
  for (const client of [ann, max])
    await expect(save(client, 'Plain', owners)).rejects.toThrow('cannot run revokeApiKey')
  await expect(save(ann, 'Plain', managers)).rejects.toThrow('cannot run updateProgram')
  await test.database.db.savedQuery.deleteMany()
  await save(max, 'Changes', managers)
  await save(ann, 'Reads', 'query mutation { program { id } }')
  expect((await ann('{ savedQueries { name mutations } }')).savedQueries).toEqual([
    { name: 'Changes', mutations: ['updateProgram'] },
    { name: 'Reads', mutations: [] },
  ])
})

it('a person can have 100 saved queries in a program', async () => {
  const { id: personId } = await test.database.db.person.findFirstOrThrow({ where: { email: 'bob@example.com' } })
  const dates = { createdAt: test.clock.now, updatedAt: test.clock.now }
  const row = { programId: program.id, personId, query: '{ a }', variables: '', ...dates }
  const data = Array.from({ length: 100 }, (_, n) => ({ ...row, name: `Bob ${n}` }))
  await test.database.db.savedQuery.createMany({ data })
  await expect(save(bob, 'One more')).rejects.toThrow('A person can have 100 saved queries in a program')
  await save(ann, 'Hers')
})

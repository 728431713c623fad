import { expect, it } from 'vitest'
import { snakeCase } from '../../src/kernel/text.ts'
import { affiliates } from '../../src/resources/affiliates.ts'
import { fieldsWith } from '../../src/resources/resource.ts'
import { createTestApp, restClient, type TestProgram } from '../support/app.ts'
import { createAffiliate, createLead, made, reportSale } from '../support/factories.ts'

const test = await createTestApp()

/** What a person can enter: the fields of the description, each with a value that fits a text and an e-mail. */
const details = fieldsWith(affiliates.fields, 'inCsv').flatMap(([name, { kind, nullable }]) =>
  kind === 'text' && nullable ? [{ name, column: snakeCase(name), value: `${name.toLowerCase()}@detail.test` }] : [],
)
const byColumn = Object.fromEntries(details.map(({ column, value }) => [column, value]))
const byName = Object.fromEntries(details.map(({ name, value }) => [name, value]))
const erased = Object.fromEntries(details.map(({ column }) => [column, null]))

async function supersetOf(program: TestProgram) {
  const { createApiKey } = await test.operator(
    'mutation ($id: ID!) { createApiKey(input: { programId: $id, name: "Superset", profile: SUPERSET }) { secret } }',
    { id: program.id },
  )
  return restClient(test.app.fetch, { Authorization: `Bearer ${createApiKey.secret}` })
}

const selected = details.map(({ name }) => name).join(' ')
const shown = (program: TestProgram, id: string) =>
  program.graphql(`query ($id: ID!) { affiliate(id: $id) { ${selected} } }`, { id }).then((data) => data.affiliate)

const eventsOf = async (program: TestProgram): Promise<{ type: string; data: any }[]> =>
  (await program.graphql('{ events(last: 100) { nodes { type data } } }')).events.nodes

it('every detail of an affiliate is accepted, and shown wherever affiliates are', async () => {
  const program = await test.createProgram()
  const rest = await supersetOf(program)
  const affiliate = await createAffiliate(program, { email: 'ada@example.com', ...byColumn })
  const { email } = await createLead(program, affiliate.links[0].token)
  await made(reportSale(program, { email, external_id: 'inv_1' }))
  expect(await shown(program, affiliate.id)).toEqual(byName)
  expect(await made(rest.get(`/affiliates/${affiliate.id}`))).toMatchObject(byColumn)
  const events = await eventsOf(program)
  const dataOf = (wanted: string) => events.find(({ type }) => type === wanted)?.data
  expect(dataOf('affiliate.created')).toMatchObject(byColumn)
  expect(dataOf('sale.created').affiliate).toMatchObject(byColumn)
  const exported = await test.app.fetch(
    new Request('http://localhost/v1/exports/affiliates?format=ndjson', {
      headers: { Authorization: `Bearer ${program.secret}` },
    }),
  )
  expect(JSON.parse(await exported.text())).toMatchObject(byColumn)
})

it('every detail of an affiliate is recorded when it changes, and erased with the person', async () => {
  const program = await test.createProgram()
  const rest = await supersetOf(program)
  const { id, links } = await createAffiliate(program, { email: 'ada@example.com' })
  await made(rest.put(`/affiliates/${id}`, byColumn))
  const { email } = await createLead(program, links[0].token)
  await made(reportSale(program, { email, external_id: 'inv_1' }))
  const { affiliate } = await program.graphql(
    'query ($id: ID!) { affiliate(id: $id) { history(first: 1) { nodes { changes { field to } } } } }',
    { id },
  )
  expect(affiliate.history.nodes[0].changes).toEqual(details.map(({ name, value }) => ({ field: name, to: value })))
  await program.graphql('mutation ($input: ErasePersonInput!) { erasePerson(input: $input) { erasedAffiliateId } }', {
    input: { email: 'ada@example.com', openMoney: 'GIVE_UP', reason: 'Test.' },
  })
  expect(await made(rest.get(`/affiliates/${id}`))).toMatchObject(erased)
  const left = JSON.stringify([await eventsOf(program), await shown(program, id)])
  expect(details.filter(({ value }) => left.includes(value))).toEqual([])
})

it('the CSV import reads every detail of an affiliate', async () => {
  const program = await test.createProgram()
  const csv = [
    ['email', ...Object.keys(byColumn)],
    ['ada@example.com', ...Object.values(byColumn)],
  ].join('\n')
  const { importAffiliates } = await program.graphql(
    'mutation ($input: ImportAffiliatesInput!) { importAffiliates(input: $input) { lines { affiliate { id } problems { message } } } }',
    { input: { csv } },
  )
  expect(await shown(program, importAffiliates.lines[0].affiliate.id)).toEqual(byName)
})

import { describe, expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { createAffiliate } from '../../support/factories.ts'

const app = await createTestApp()

describe.each([
  ['zero-width spaces', '\u200b\u200b'],
  ['a soft hyphen', '\u00ad'],
  ['a word joiner and a byte-order mark', ' \u2060\ufeff '],
  ['a Hangul filler', '\u3164'],
  ['a blank of Braille', '\u2800'],
  ['marks of direction', '\u200e\u202e'],
])('a name of %s', (_name, invisible) => {
  it('is refused as blank where a name is needed', async () => {
    const program = await app.createProgram()
    const campaign = { name: invisible, url: 'https://acme.test', commission_percent: 5 }
    expect(await program.post('/campaigns', campaign)).toMatchObject({
      status: 422,
      body: { details: expect.arrayContaining(["Name can't be blank"]) },
    })
    const create =
      'mutation ($name: String!) { createCampaign(input: { name: $name, url: "https://acme.test", commissionPercent: 5 }) { __typename } }'
    await expect(program.graphql(create, { name: invisible })).rejects.toThrow("Name can't be blank")
    const rename =
      'mutation ($id: ID!, $name: String!) { updateProgram(input: { id: $id, name: $name }) { __typename } }'
    await expect(app.operator(rename, { id: program.id, name: invisible })).rejects.toThrow("Name can't be blank")
  })

  it('is no name where none is needed: of affiliates, and of people who apply', async () => {
    const program = await app.createProgram()
    const made = await program.post('/affiliates', { email: 'ada@example.com', first_name: invisible })
    expect([made.status, made.body.first_name]).toEqual([201, null])
    const { id } = await createAffiliate(program, { email: 'bob@example.com', first_name: 'Bob' })
    expect((await program.put(`/affiliates/${id}`, { first_name: invisible })).body.first_name).toBeNull()
    await program.graphql(
      'mutation ($name: String) { apply(input: { email: "eve@example.com", firstName: $name }) { application { id } } }',
      { name: invisible },
    )
    const applied = await app.database.db.application.findMany({ where: { programId: program.id } })
    expect(applied.map(({ firstName }) => firstName)).toEqual([null])
  })
})

it('a name with an invisible character in it is kept as it is given', async () => {
  const program = await app.createProgram()
  const name = '👩\u200d💻'
  const made = await program.post('/affiliates', { email: 'ada@example.com', first_name: name })
  expect(made.body.first_name).toBe(name)
})

import { describe, expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { createAffiliate, listed, unknownId } from '../../support/factories.ts'

const app = await createTestApp()
const program = await app.createProgram()
const create = `mutation ($input: CreateProgramInput!) {
  createProgram(input: $input) { program { id name url currency createdAt updatedAt } }
}`
const update = `mutation ($input: UpdateProgramInput!) {
  updateProgram(input: $input) { program { id name url currency } }
}`
const acme = { name: 'Acme', url: 'https://acme.test', currency: 'USD' }
const failure = async (run: Promise<unknown>) =>
  run.then(
    () => expect.unreachable('it was not refused'),
    (error) => error.errors[0],
  )

describe('the operator', () => {
  it('creates a program with a default campaign, so that an affiliate needs only an e-mail', async () => {
    const { program: made } = (await app.operator(create, { input: acme })).createProgram
    expect(made).toEqual({
      id: expect.any(String),
      ...acme,
      currency: 'usd',
      createdAt: '2026-03-10T12:00:00.000Z',
      updatedAt: '2026-03-10T12:00:00.000Z',
    })
    const { campaigns } = await app.operator(
      '{ campaigns { nodes { isDefault commissionPercent commissionCurrency url } } }',
      {},
      { 'X-Program-Id': made.id },
    )
    expect(campaigns.nodes).toEqual([
      { isDefault: true, commissionPercent: 20, commissionCurrency: 'usd', url: 'https://acme.test' },
    ])
  })

  it('lists programs newest first', async () => {
    const input = { ...acme, name: 'Newest' }
    const { program: made } = (await app.operator(create, { input })).createProgram
    const { programs } = await app.operator('{ programs { id name } }')
    expect(programs[0]).toEqual({ id: made.id, name: 'Newest' })
    const ids = programs.map(({ id }: { id: string }) => id)
    expect(ids).toEqual([...ids].sort().reverse())
    expect(ids).toContain(program.id)
  })

  it('updates the given fields and leaves existing campaigns and links unchanged', async () => {
    const own = await app.createProgram()
    const affiliate = await createAffiliate(own)
    const input = { id: own.id, url: 'https://moved.test', currency: 'eur' }
    const { updateProgram } = await app.operator(update, { input })
    expect(updateProgram.program).toEqual({ id: own.id, name: 'Acme', url: 'https://moved.test', currency: 'eur' })
    expect((await own.get(`/affiliates/${affiliate.id}`)).body).toEqual(affiliate)
    expect(await listed(own, '/campaigns')).toMatchObject([{ url: 'https://acme.test', commission_currency: 'usd' }])
  })

  it('sets the time zone of caps and tiers, which the runtime knows', async () => {
    const { id, graphql } = await app.createProgram()
    const set = async (timeZone: string) => {
      const mutation = `mutation ($input: UpdateProgramInput!) { updateProgram(input: $input) { program { timeZone } } }`
      return (await app.operator(mutation, { input: { id, timeZone } })).updateProgram.program.timeZone
    }
    expect((await graphql('{ program { timeZone } }')).program.timeZone).toBe('UTC')
    expect(await set('Europe/Berlin')).toBe('Europe/Berlin')
    await expect(set('Berlin')).rejects.toThrow('is not the name of an IANA time zone')
  })

  it('sets the locale of the pages, as a canonical language tag that the runtime knows', async () => {
    const { id, graphql } = await app.createProgram()
    const set = async (locale: string) => {
      const mutation = `mutation ($input: UpdateProgramInput!) { updateProgram(input: $input) { program { locale } } }`
      return (await app.operator(mutation, { input: { id, locale } })).updateProgram.program.locale
    }
    expect((await graphql('{ program { locale } }')).program.locale).toBe('en-US')
    expect(await set(' de-de ')).toBe('de-DE')
    expect(await set('zh-hant-tw')).toBe('zh-Hant-TW')
    for (const locale of ['german', 'xx-XX', 'de_DE', '1', ''])
      await expect(set(locale)).rejects.toThrow(locale === '' ? "can't be blank" : 'is not a language tag')
  })

  it.each([
    [{ name: '' }, 1],
    [{ name: ' ', url: 'acme.test', currency: 'zzz' }, 3],
    [{ commissionPercent: 101 }, 1],
    [{ commissionPercent: 12.345 }, 1],
  ])('gets all problems at once: %j', async (fields, count) => {
    const { extensions } = await failure(app.operator(create, { input: { ...acme, ...fields } }))
    expect(extensions.code).toBe('INVALID_INPUT')
    expect(extensions.problems).toHaveLength(count)
    for (const problem of extensions.problems) {
      expect(problem).toMatchObject({
        field: expect.any(String),
        path: ['input', problem.field],
        message: expect.any(String),
      })
    }
  })

  it.each([unknownId, 'nonsense'])('gets NOT_FOUND for the unknown program %s', async (id) => {
    expect((await failure(app.operator(update, { input: { id, name: 'X' } }))).extensions.code).toBe('NOT_FOUND')
    const reading = await failure(app.operator('{ program { id } }', {}, { 'X-Program-Id': id }))
    expect(reading.extensions.code).toBe('NOT_FOUND')
  })

  it("reads and changes a program's data only when the request names the program", async () => {
    const refused = await failure(app.operator('{ affiliates { nodes { id } } }'))
    expect(refused.extensions.code).toBe('FORBIDDEN')
    expect(refused.message).toContain('X-Program-Id')
    const named = { 'X-Program-Id': program.id }
    const { createAffiliate: made } = await app.operator(
      'mutation { createAffiliate(input: { email: "by-operator@example.com" }) { affiliate { id } } }',
      {},
      named,
    )
    expect((await program.get(`/affiliates/${made.affiliate.id}`)).status).toBe(200)
    expect((await app.operator('{ program { id } }', {}, named)).program.id).toBe(program.id)
  })
})

describe("a program's key", () => {
  it.each([
    ['programs', '{ programs { id } }'],
    [
      'createProgram',
      `mutation { createProgram(input: { name: "X", url: "https://x.test", currency: "usd" }) { program { id } } }`,
    ],
    ['updateProgram', `mutation { updateProgram(input: { id: "${program.id}", name: "X" }) { program { id } } }`],
    ['apiKeys', `{ apiKeys(programId: "${program.id}") { id } }`],
    ['createApiKey', `mutation { createApiKey(input: { programId: "${program.id}", name: "X" }) { secret } }`],
    ['revokeApiKey', `mutation { revokeApiKey(input: { id: "${program.keyId}" }) { apiKey { id } } }`],
  ])('is rejected by %s', async (_name, query) => {
    const error = await failure(program.graphql(query))
    expect(error.extensions.code).toBe('FORBIDDEN')
    expect((await program.get('/affiliates')).status).toBe(200)
  })

  it('reads its own program even if the request names another', async () => {
    const other = await app.createProgram()
    const answer = await program.graphql('{ program { id } }', {}, { 'X-Program-Id': other.id })
    expect(answer.program.id).toBe(program.id)
  })
})

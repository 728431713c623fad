import { beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../support/app.ts'
import { itEvery } from '../support/cells.ts'
import { createSeller, reportSale } from '../support/factories.ts'

const app = await createTestApp()
const four = await createFour()
let program: TestProgram
beforeEach(async () => {
  program = await app.createProgram()
})

describe('where', () => {
  const conditions: [where: string, expected: string][] = [
    ['email: { equals: "B@EXAMPLE.com" }', 'b'],
    ['email: { in: ["a@example.com", "c@example.com"] }', 'ca'],
    ['email: { not: "a@example.com" }', 'dcb'],
    ['email: { contains: "B@EX" }', 'b'],
    ['firstName: { startsWith: "c" }', 'c'],
    ['lastName: { equals: null }', 'dcb'],
    ['lastName: { not: null }', 'a'],
    ['lastName: { not: "Lovelace" }', 'dcb'],
    ['search: "LOVE"', 'a'],
    ['search: "a@ex lovelace"', 'a'],
    ['search: "%"', ''],
    ['search: "_"', ''],
    ['createdAt: { gte: "2026-03-10T12:03:00Z", lt: "2026-03-10T12:04:00Z" }', 'c'],
    ['or: [{ firstName: { equals: "A" } }, { firstName: { equals: "B" } }]', 'ba'],
    ['and: [{ firstName: { equals: "A" } }, { firstName: { equals: "B" } }]', ''],
    ['or: []', ''],
    ['and: []', 'dcba'],
    ['not: { or: [] }', 'dcba'],
    ['or: [{ or: [] }, { firstName: { equals: "A" } }]', 'a'],
    ['and: [{ or: [] }]', ''],
    ['campaign: { or: [] }', ''],
    ['links: { none: { or: [] } }', 'dcba'],
    ['links: { some: { or: [] } }', ''],
    ['ownFields: { name: "audience", in: [] }', ''],
    ['not: { firstName: { in: ["A", "B"] } }', 'dc'],
    ['campaign: { name: { equals: "Special" } }', 'd'],
    ['campaign: { isDefault: { equals: true } }', 'cba'],
    ['links: { some: { token: { equals: "B" } } }', 'b'],
    ['sales: { none: {} }', 'dcba'],
    ['conversions: { gt: 0 }', ''],
    ['id: { equals: "no id" }', ''],
    ['id: { not: "no id" }', 'dcba'],
    ['state: { in: [ACTIVE, SUSPICIOUS] }', 'dcba'],
  ]
  itEvery(
    'every condition finds its rows',
    conditions,
    ([where]) => where,
    async ([where, expected]) => {
      const { affiliates } = await four.graphql(
        `{ affiliates(where: { ${where} }) { nodes { firstName } totalCount } }`,
      )
      expect(affiliates.nodes.map(({ firstName }: { firstName: string }) => firstName.toLowerCase()).join('')).toBe(
        expected,
      )
      expect(affiliates.totalCount).toBe(expected.length)
    },
  )

  it.each([
    ['{ name: { equals: null } }', "where.name.equals can't be null."],
    ['{ createdAt: { gt: "0000-01-01T00:00:00Z" } }', 'where.createdAt.gt must be after the year 0.'],
    ['{ name: { equals: "\\u0000" } }', 'where.name.equals contains characters that no row has.'],
  ])('rejects %s', async (where, message) => {
    await expect(program.graphql(`{ campaigns(where: ${where}) { totalCount } }`)).rejects.toThrow(message)
  })

  it('reports a problem with its path', async () => {
    const answer = program.graphql('{ campaigns(where: { or: [{}, { name: { equals: null } }] }) { totalCount } }')
    await expect(answer).rejects.toMatchObject({
      errors: [{ extensions: { problems: [{ path: ['where', 'or', 1, 'name', 'equals'] }] } }],
    })
  })

  it('accepts any safe integer for amounts, and 32-bit integers for counts', async () => {
    const count = (condition: string) => program.graphql(`{ affiliates(where: { ${condition} }) { totalCount } }`)
    const of = (number: string) => `sales: { some: { amountCents: { gt: ${number} } } }`
    expect(await count(of('9007199254740991'))).toEqual({ affiliates: { totalCount: 0 } })
    expect(await count('visitors: { gte: 2147483647 }')).toEqual({ affiliates: { totalCount: 0 } })
    await expect(count('visitors: { lt: 2147483648 }')).rejects.toThrow(
      'where.visitors.lt must be a whole number from -2147483647 to 2147483647.',
    )
  })

  it('rejects conditions that are nested too deep or too many', async () => {
    const nested = (depth: number): string => (depth === 0 ? '{}' : `{ not: ${nested(depth - 1)} }`)
    await expect(program.graphql(`{ campaigns(where: ${nested(12)}) { totalCount } }`)).rejects.toThrow('nested')
    const ids = Array.from({ length: 201 }, (_, index) => `"${index}"`).join()
    await expect(program.graphql(`{ campaigns(where: { id: { in: [${ids}] } }) { totalCount } }`)).rejects.toThrow(
      'where.id.in can have 200 values.',
    )
  })

  it('filters by the state at the current time', async () => {
    const { coupon } = await createSeller(program, { days_before_commissions_are_due: 10 })
    await reportSale(program, { coupon, amount_cents: 1000 })
    const count = async (state: string) =>
      (await program.graphql(`{ commissions(where: { state: { equals: ${state} } }) { totalCount } }`)).commissions
        .totalCount
    expect([await count('PENDING'), await count('DUE')]).toEqual([1, 0])
    app.clock.advanceDays(11)
    expect([await count('PENDING'), await count('DUE')]).toEqual([0, 1])
    const { payouts } = await program.graphql('{ payouts { nodes { amountCents commissions { nodes { state } } } } }')
    expect(payouts.nodes).toEqual([{ amountCents: 100, commissions: { nodes: [{ state: 'DUE' }] } }])
  })

  /** Creates affiliates at known times: a@ at 12:01, and so on. */
})

/** A program with the affiliates A to D, created a minute after each other. */
async function createFour(): Promise<TestProgram> {
  const own = await app.createProgram()
  const noon = new Date('2026-03-10T12:00:00Z')
  const special = { name: 'Special', url: 'https://acme.test', commission_percent: 5 }
  const { body: campaign } = await own.post('/campaigns', special)
  for (const [index, letter] of [...'abcd'].entries()) {
    const { body } = await own.post('/affiliates', {
      email: `${letter}@example.com`,
      first_name: letter.toUpperCase(),
      last_name: letter === 'a' ? 'Lovelace' : null,
      token: letter,
      ...(letter === 'd' && { campaign_id: campaign.id }),
    })
    await app.database.db.affiliate.updateMany({
      where: { programId: own.id, id: body.id },
      data: { createdAt: new Date(noon.getTime() + (index + 1) * 60_000) },
    })
  }
  return own
}

import { beforeAll, describe, expect, it } from 'vitest'
import { convention, expandableOf, type Fields, fieldAliases } from '../../../src/rest/convention/table.ts'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { superset as document } from '../openapi-contract.ts'
import { createSupersetKey } from './keys.ts'

/** Each row of the table is checked in requests, responses and the OpenAPI document. */
let program: TestProgram
let superset: Awaited<ReturnType<typeof createSupersetKey>>
const ids: Record<string, string> = {}

beforeAll(async () => {
  const test = await createTestApp({ requestsPer30Seconds: 100_000 })
  program = await test.createProgram()
  superset = await createSupersetKey(test, program)
  const { body } = await program.post('/affiliates', { email: 'ada@example.com' })
  ids.Affiliate = `/affiliates/${body.id}`
  ids.Campaign = `/campaigns/${body.campaign.id}`
})

const values: Record<string, [before: unknown, after: unknown]> = {
  wallet_a_email: ['one@example.com', 'two@example.com'],
  wallet_b_email: ['three@example.com', 'four@example.com'],
  billing_customer_id: ['cus_1', 'cus_2'],
  commission_currency: ['usd', 'eur'],
  days_before_commissions_are_due: [30, 14],
  max_commission_period_in_months: [6, 9],
}

const rows = Object.entries<Fields>(convention).flatMap(([type, fields]) =>
  Object.entries(fields).map(([name, source]) => ({ type, name, source })),
)
const aliases = rows.flatMap(({ type, name, source }) =>
  source.kind === 'same' && ids && ['Affiliate', 'Campaign'].includes(type)
    ? [{ type, name, own: source.contractField }]
    : [],
)

describe.each(aliases)('$name of $type', ({ type, name, own }) => {
  const [before, after] = values[own] as [unknown, unknown]

  it(`is accepted for ${own} in JSON and in forms, and both are returned`, async () => {
    const path = ids[type] as string
    for (const value of [before, after]) {
      expect((await program.put(path, { [name]: value })).body[own]).toBe(value)
      expect((await superset.get(path)).body).toMatchObject({ [own]: value, [name]: value })
      const init = { method: 'PUT', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }
      const form = await program.send(path, { ...init, body: `${new URLSearchParams({ [name]: String(before) })}` })
      expect(form.body[own]).toBe(before)
    }
  })

  it('takes effect when a client sends a complete resource back with this field changed', async () => {
    const path = ids[type] as string
    await program.put(path, { [own]: before })
    const read = (await superset.get(path)).body
    const written = await superset.put(path, { ...read, [name]: after })
    expect([written.status, written.body[own], written.body[name]]).toEqual([200, after, after])
    const back = await superset.put(path, { ...written.body, [own]: before })
    expect([back.status, back.body[own], back.body[name]]).toEqual([200, before, before])
  })
})

it('the aliases of fields are those of the table', () => {
  const named = rows.flatMap(({ name, source }) => (source.kind === 'same' ? [[name, source.contractField]] : []))
  expect(fieldAliases).toEqual(Object.fromEntries(named))
})

it.each(Object.keys(convention))('%s has every field of the table in the OpenAPI document', (type) => {
  const schema = document.document.components.schemas[type]
  const names = rows.filter((row) => row.type === type).map(({ name }) => name)
  expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining(names))
  const sometimes = rows.filter(({ source: { onExpand, onlyIn } }) => onExpand || onlyIn).map(({ name }) => name)
  for (const name of names.filter((name) => !sometimes.includes(name))) expect(schema.required).toContain(name)
  for (const name of expandableOf(type)) expect(schema.required).not.toContain(name)
})

it('bodies have the aliases in the OpenAPI document', () => {
  const { UpdateAffiliateBody, UpdateCampaignBody } = document.document.components.schemas
  for (const { type, name } of aliases)
    expect(Object.keys({ Affiliate: UpdateAffiliateBody, Campaign: UpdateCampaignBody }[type].properties)).toContain(
      name,
    )
})

import { beforeAll, describe, expect, it } from 'vitest'
import type { FieldSource, Superset } from '../../../src/resources/superset.ts'
import { convention, fieldAliases } from '../../../src/rest/convention/table.ts'
import { createTestApp, type TestApp, type TestProgram } from '../../support/app.ts'
import { roomy } from '../../support/tracking.ts'
import { contract, superset as document } from '../openapi-contract.ts'
import { createSupersetKey } from './keys.ts'
import { tellStory } from './story.ts'

/** Each row of the table is checked in requests, responses and the OpenAPI document. */
let test: TestApp
let program: TestProgram
let superset: Awaited<ReturnType<typeof createSupersetKey>>
const ids: Record<string, string> = {}

beforeAll(async () => {
  test = await createTestApp({ tracking: roomy, requestsPer30Seconds: 100_000 })
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

const rows = Object.entries<Superset>(convention).flatMap(([type, fields]) =>
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
  const names = rows.filter((row) => row.type === type && !row.source.onlyWithin).map(({ name }) => name)
  expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining(names))
  const sometimes = rows.flatMap(({ type: of, name, source: { onExpand, onlyIn } }) =>
    of === type && (onExpand || onlyIn) ? [name] : [],
  )
  for (const name of names.filter((name) => !sometimes.includes(name))) expect(schema.required).toContain(name)
  for (const name of names.filter((name) => sometimes.includes(name))) expect(schema.required).not.toContain(name)
})

describe('every resource within another', () => {
  type Resource = { path: string; type: string; fields: Record<string, unknown>; isWithin: boolean }

  const typeOf = (name: string) => name.replace(/(^|_)(.)/g, (_match, _start, letter: string) => letter.toUpperCase())

  /** Every object of the response that is a resource, at any depth. */
  function resourcesIn(value: unknown, path: string, isWithin: boolean): Resource[] {
    if (Array.isArray(value)) return value.flatMap((item) => resourcesIn(item, `${path}[]`, isWithin))
    if (value === null || typeof value !== 'object') return []
    const fields = value as Record<string, unknown>
    const type = typeof fields.object === 'string' ? typeOf(fields.object) : ''
    const isResource = Object.hasOwn(convention, type)
    const inner = Object.entries(fields).flatMap(([key, item]) =>
      resourcesIn(item, `${path}.${key}`, isWithin || isResource),
    )
    return isResource ? [{ path, type, fields, isWithin }, ...inner] : inner
  }

  const contractFields = (type: string) => Object.keys(contract.document.components.schemas[type].properties)
  /** Embedded objects of the contract. The convention has them only in the affiliate itself. */
  const embedded = ['campaign', 'links', 'coupon']

  function expectedWithin(type: string): string[] {
    const own = contractFields(type).filter((name) => type !== 'Affiliate' || !embedded.includes(name))
    const added = rows.filter((row) => row.type === type && isWithin(row.source)).map(({ name }) => name)
    return [...new Set([...own, ...added])].sort()
  }
  const isWithin = ({ onExpand, onlyIn, within }: FieldSource) => within === 'always' || !(within || onExpand || onlyIn)

  const expandAll = 'limit=100&expand[]=affiliate&expand[]=commission_stats'
  const lists = ['affiliates', 'campaigns', 'affiliate_links', 'affiliate_coupons', 'referrals', 'sales', 'commissions']
  /** The contract's complete campaigns, links and coupon within an affiliate. They have all fields of their own. */
  const isOfAffiliate = ({ path }: Resource) =>
    /^affiliates\.data\[\]\.(campaign|links\[\]|coupon|coupons\[\])$/.test(path)

  it('has the fields of the table', async () => {
    const own = await test.createProgram()
    await tellStory(test, own)
    const key = await createSupersetKey(test, own)
    const found = new Map<string, string>()
    for (const list of [...lists, 'payouts']) {
      const { status, body } = await key.get(`/${list}?${expandAll}`)
      expect([list, status]).toEqual([list, 200])
      for (const resource of resourcesIn(body, list, false).filter((one) => one.isWithin)) {
        const { path, type, fields } = resource
        const own = isOfAffiliate(resource) ? Object.keys(document.document.components.schemas[type].properties) : null
        const keys = Object.keys(fields).sort()
        expect({ path, keys }).toEqual({ path, keys: own ? own.sort() : expectedWithin(type) })
        found.set(path, type)
      }
    }
    expect(Object.fromEntries(found)).toEqual({
      'affiliates.data[].campaign': 'Campaign',
      'affiliates.data[].links[]': 'AffiliateLink',
      'affiliates.data[].coupon': 'AffiliateCoupon',
      'affiliates.data[].coupons[]': 'AffiliateCoupon',
      'referrals.data[].link': 'AffiliateLink',
      'referrals.data[].coupon': 'AffiliateCoupon',
      'referrals.data[].affiliate': 'Affiliate',
      'sales.data[].affiliate': 'Affiliate',
      'sales.data[].referral': 'Referral',
      'sales.data[].referral.link': 'AffiliateLink',
      'sales.data[].referral.coupon': 'AffiliateCoupon',
      'sales.data[].referral.affiliate': 'Affiliate',
      'commissions.data[].affiliate': 'Affiliate',
      'commissions.data[].sale': 'Sale',
      'commissions.data[].sale.affiliate': 'Affiliate',
      'commissions.data[].sale.referral': 'Referral',
      'commissions.data[].sale.referral.link': 'AffiliateLink',
      'commissions.data[].sale.referral.coupon': 'AffiliateCoupon',
      'commissions.data[].sale.referral.affiliate': 'Affiliate',
      'payouts.data[].affiliate': 'Affiliate',
      'payouts.data[].commissions[]': 'Commission',
    })
  })

  it.each(Object.keys(convention))('%s is documented with the fields of the table wherever it is', (type) => {
    const { schemas } = document.document.components
    const names = [type, `${type}Within`].filter((name) => Object.hasOwn(schemas, name))
    expect(names).toContain(type)
    // A type without a schema of its own for that is the same everywhere.
    if (names.length === 1) expect([...schemas[type].required].sort()).toEqual(expectedWithin(type))
    else expect([...schemas[`${type}Within`].required].sort()).toEqual(expectedWithin(type))
  })

  it('refers to a schema of its type', () => {
    const { schemas } = document.document.components
    for (const { type, name, source } of rows.filter((row) => row.source.kind === 'resource')) {
      const inner = source as Extract<FieldSource, { kind: 'resource' }>
      const [schema] = [...JSON.stringify(schemas[type].properties[name]).matchAll(/schemas\/(\w+)/g)].map(
        ([, ref]) => ref,
      )
      expect([inner.type, `${inner.type}Within`]).toContain(schema)
    }
  })
})

it('bodies have the aliases in the OpenAPI document', () => {
  const { UpdateAffiliateBody, UpdateCampaignBody } = document.document.components.schemas
  for (const { type, name } of aliases)
    expect(Object.keys({ Affiliate: UpdateAffiliateBody, Campaign: UpdateCampaignBody }[type].properties)).toContain(
      name,
    )
})

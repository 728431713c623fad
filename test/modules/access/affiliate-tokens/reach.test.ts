import { type GraphQLField, type GraphQLObjectType, getNamedType, isLeafType, isObjectType } from 'graphql'
import { beforeAll, describe, expect, it } from 'vitest'
import { publicSchema } from '../../../../src/schema/schema.ts'
import { createTestApp, type GraphQLClient } from '../../../support/app.ts'
import { callOf } from '../../../support/operations.ts'
import { clientOf, tellStory } from './story.ts'

// Reads everything that an affiliate can read, on every path of fields marked `forAffiliate`, and looks for foreign data.

const test = await createTestApp()
let story: Awaited<ReturnType<typeof tellStory>>
let own: GraphQLClient

beforeAll(async () => {
  story = await tellStory(test)
  own = await clientOf(test, story.program, story.ada.id)
})

type Field = GraphQLField<unknown, unknown>
const isMarked = ({ extensions }: Field) =>
  Boolean((extensions.pothosOptions as { forAffiliate?: unknown } | undefined)?.forAffiliate)
const typeOf = (name: string) => publicSchema.getType(name) as GraphQLObjectType
const fieldsOf = (type: GraphQLObjectType) => Object.values(type.getFields()).filter(isMarked)
const leavesOf = (type: GraphQLObjectType) =>
  fieldsOf(type)
    .filter((field) => isLeafType(getNamedType(field.type)))
    .map(callOf)

/** Every path of the given length from a type through marked fields, without repeating a field. */
function waysFrom(type: GraphQLObjectType, length: number, behind: readonly Field[] = []): Field[][] {
  if (length === 0) return []
  return fieldsOf(type).flatMap((field) => {
    const next = getNamedType(field.type)
    if (!isObjectType(next) || behind.includes(field)) return []
    const way = [...behind, field]
    return [way, ...waysFrom(next, length - 1, way)]
  })
}

const operationOf = (way: Field[]) => {
  const leaves = leavesOf(getNamedType(way.at(-1)?.type) as GraphQLObjectType)
  return way.reduceRight((inner, field) => `{ ${callOf(field)} ${inner} }`, `{ __typename ${leaves.join(' ')} }`)
}

/** The values that no response to Ada may contain: the identifying values of every row that is not hers. */
async function secrets(): Promise<Map<string, string>> {
  const { db } = test.database
  const { ada, program } = story
  const columns = await db.$queryRaw<{ table: string; column: string }[]>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = current_schema() and (data_type in ('uuid', 'text')) and table_name <> '_prisma_migrations'`
  const tables = [...new Set(columns.map(({ table }) => table))].filter((table) => table !== 'programs')
  const found = new Map<string, string>()
  for (const table of tables) {
    const has = (name: string) => columns.some(({ table: of, column }) => of === table && column === name)
    // Values of shared rows that Ada may know are removed below.
    const owner = table === 'affiliates' ? 'id' : has('affiliate_id') ? 'affiliate_id' : null
    const theirs = owner ? `or ${owner} <> '${ada.id}'` : ''
    // People are of no program, and all of them are hidden.
    const others = has('program_id') ? `program_id <> '${program.id}'` : 'true'
    const rows = await db.$queryRawUnsafe<{ row: Record<string, unknown> }[]>(
      `select to_jsonb(t) as row from "${table}" t where ${others} ${theirs}`,
    )
    for (const { row } of rows)
      for (const { column } of columns.filter((one) => one.table === table)) {
        const value = row[column]
        if (typeof value === 'string' && /(^|_)(id|email|token|name|key|reference|secret)$/.test(column))
          found.set(value, `${table}.${column}`)
      }
  }
  return found
}

describe('what an affiliate can reach', () => {
  it("is only their own data, by every path, and never a customer's name or e-mail", async () => {
    const { ada, eve, program } = story
    const hidden = await secrets()
    for (const { id, email, name } of await test.database.db.customer.findMany()) {
      hidden.set(id, 'customers.id')
      hidden.set(email, 'customers.email')
      if (name) hidden.set(name, 'customers.name')
    }
    for (const sale of await test.database.db.sale.findMany()) {
      if (sale.customerName) hidden.set(sale.customerName, 'sales.customer_name')
      if (sale.externalId) hidden.set(sale.externalId, 'sales.external_id')
    }
    for (const key of [program.publishableKey, 'billing-ada', 'Only for eve']) hidden.set(key, 'the program')
    // Both affiliates share a campaign and a customer, so both know the campaign's terms and the customer's id.
    const isHers = { some: { affiliateId: ada.id } }
    const hers = await test.database.db.customer.findMany({ where: { OR: [{ sales: isHers }, { referrals: isHers }] } })
    const shared = [ada.campaignId, 'Partners of all', 'Acme', program.id, ...hers.map(({ id }) => id)]
    for (const known of shared) hidden.delete(known)
    expect([...hidden.keys()]).toEqual(expect.arrayContaining([eve.id, eve.coupon, 'eve@affiliates.test']))

    const ways = waysFrom(typeOf('Query'), 6)
    expect(ways.length).toBeGreaterThan(50)
    const answers = []
    for (const way of ways) answers.push(JSON.stringify(await own(operationOf(way))))
    const all = answers.join('\n')
    const leaked = [...hidden].filter(([secret]) => secret.length > 2 && all.includes(secret))
    expect(leaked).toEqual([])

    // The search covered real rows.
    const mine = { programId: program.id, affiliateId: ada.id }
    const { db } = test.database
    const rows = await Promise.all([
      db.affiliateLink.findMany({ where: mine }),
      db.affiliateCoupon.findMany({ where: mine }),
      db.referral.findMany({ where: mine }),
      db.sale.findMany({ where: mine }),
      db.commission.findMany({ where: mine }),
      db.payout.findMany({ where: mine }),
      db.refund.findMany({ where: { sale: mine } }),
    ])
    for (const some of rows) {
      expect(some.length).toBeGreaterThan(0)
      for (const { id } of some) expect(all).toContain(id)
    }
    for (const known of ['ada@affiliates.test', ada.coupon, ada.linkToken, 'Partners of all', 'c•••@customers.test'])
      expect(all).toContain(known)
  })

  it('shows customers masked', async () => {
    const { me } = await own('{ me { sales { nodes { customerName customer { email name } } } } }')
    expect(me.sales.nodes).toContainEqual({
      customerName: 'C••• O•••',
      customer: { email: 'c•••@customers.test', name: 'C••• O•••' },
    })
    const { customers } = await story.program.graphql('{ customers { nodes { email name } } }')
    expect(customers.nodes).toContainEqual({ email: 'customer-ada@customers.test', name: 'Customer-ada Of-ada' })
  })
})

describe('lists of an affiliate can be read', () => {
  it.each([
    'sales(where: { amountCents: { gte: 1 }, and: [{ not: { currency: { equals: "eur" } } }] }, orderBy: [{ field: AMOUNT }])',
    'commissions(where: { state: { in: [DUE, PENDING] }, dueAt: { gt: "2026-01-01T00:00:00Z" } }, orderBy: { field: DUE_AT })',
    'payouts(first: 100, where: { state: { equals: PAID } })',
    'links(where: { token: { not: "a" } }, orderBy: { field: TOKEN, direction: ASC })',
  ])('with conditions on readable fields: %s', async (call) => {
    const { me } = await own(`{ me { list: ${call} { totalCount nodes { id } } } }`)
    expect(me.list.totalCount).toBe(me.list.nodes.length)
  })

  it.each([
    ['referrals(where: { customer: { email: { startsWith: "lead" } } })', 'customer'],
    ['referrals(where: { billingCustomerId: { equals: "c" } })', 'billingCustomerId'],
    ['referrals(where: { or: [{ affiliate: { email: { contains: "eve" } } }] })', 'affiliate'],
    ['referrals(where: { not: { campaign: { affiliates: { some: { email: { contains: "eve" } } } } } })', 'campaign'],
    ['sales(where: { externalId: { in: ["shared-1"] } })', 'externalId'],
    ['sales(where: { customer: { name: { contains: "a" } } })', 'customer'],
    ['commissions(where: { heldReason: { equals: SELF_REFERRAL_EMAIL } })', 'heldReason'],
  ])('without conditions on hidden fields: %s', async (call, name) => {
    await expect(own(`{ me { ${call} { totalCount } } }`)).rejects.toThrow('is not allowed with an affiliate token')
    expect(call).toContain(name)
  })

  it('without groups', async () => {
    await expect(own('{ me { commissions { groupBy(by: [HELD_REASON]) { count } } } }')).rejects.toThrow(
      'An affiliate token cannot read CommissionConnection.groupBy',
    )
  })
})

it('reading payouts collects due commissions, and the history names the affiliate as actor', async () => {
  const { program, ada } = story
  const { coupon } = ada
  await program.post('/conversions', { amount_cents: 70_000, coupon, email: 'new@customers.test' })
  const { me } = await own(`{ me { payouts(where: { state: { equals: PENDING } }) { nodes { id amountCents } } } }`)
  expect(me.payouts.nodes).toHaveLength(1)
  const { payout } = await program.graphql(
    `query ($id: ID!) { payout(id: $id) { amountCents history(first: 1) { nodes { actor { kind affiliate { id } apiKey { id } } } } } }`,
    { id: me.payouts.nodes[0].id },
  )
  expect(payout).toEqual({
    amountCents: me.payouts.nodes[0].amountCents,
    history: { nodes: [{ actor: { kind: 'AFFILIATE', affiliate: { id: ada.id }, apiKey: null } }] },
  })
})

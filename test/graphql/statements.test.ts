import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  getNamedType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
} from 'graphql'
import { expect, it, vi } from 'vitest'
import { publicSchema } from '../../src/schema/schema.ts'
import { createTestApp, type TestProgram } from '../support/app.ts'
import { createCountedDatabase } from '../support/database.ts'
import { isFull } from '../support/engine.ts'
import { createLead, createSeller, reportSale } from '../support/factories.ts'
import { createFeedOf, sendEvents } from '../support/feeds.ts'
import { createInvoice } from '../support/invoices.ts'
import { callOf } from '../support/operations.ts'
import { createEmptyRun } from '../support/payout-runs.ts'
import { proposalsOf } from '../support/proposals.ts'
import { createEndpoint } from '../support/webhooks.ts'

const database = await createCountedDatabase()
const app = await createTestApp({ database })
const [few, many] = await Promise.all([createFilledProgram(2), createFilledProgram(5)])
const month = app.clock.now.toISOString().slice(0, 7)
app.clock.advanceDays(40)
for (const program of [few, many]) {
  const accept = 'mutation ($input: AcceptReconciliationInput!) { acceptReconciliation(input: $input) { __typename } }'
  await program.graphql(accept, { input: { month, reason: 'Events that nobody could use' } })
  await program.graphql('mutation ($month: String!) { closeMonth(input: { month: $month }) { __typename } }', { month })
  const { statements } = await program.graphql('{ statements { nodes { id affiliateId month } } }')
  for (const [index, statement] of statements.nodes.entries())
    await createInvoice(database.db, program.id, statement, { place: index + 1, createdAt: app.clock.now })
}
for (const program of [few, many]) for (const id of ['a', 'b']) await program.get(`/affiliates/${id}`)
await app.app.flush()

/** Creates affiliates, each with leads, sales, refunds, due commissions and an open payout. */
async function createFilledProgram(count: number): Promise<TestProgram> {
  const program = await app.createProgram()
  for (let index = 0; index < count; index += 1) {
    const { link, coupon } = await createSeller(program, { days_before_commissions_are_due: 0 })
    const { email } = await createLead(program, link.token)
    await reportSale(program, { email, amount_cents: 5000, external_id: `lead-${index}` })
    await reportSale(program, { coupon, email: `by-coupon-${index}@example.com`, external_id: `coupon-${index}` })
    await program.post('/conversions/refund', { external_id: `lead-${index}`, amount_cents: 100 })
    await program.post('/conversions/refund', { external_id: `later-${index}` })
    const { id } = await createEndpoint(program, 'http://127.0.0.1:9/')
    await program.graphql(
      `mutation { sendTestEvent(input: { endpointId: "${id}", type: "sale.created" }) { __typename } }`,
    )
    await program.post('/conversions', { coupon: 'nobody', amount_cents: 1, external_id: `none-${index}` })
  }
  const { affiliates } = await program.graphql('{ affiliates { nodes { id } } }')
  const ids: string[] = []
  for (let n = 0; n < count; n += 1) {
    const email = `applicant-${n}@example.com`
    const { apply } = await program.graphql(
      'mutation ($email: EmailAddress!) { apply(input: { email: $email }) { application { id } } }',
      { email },
    )
    ids.push(apply.application.id)
  }
  await database.db.application.updateMany({ where: { id: { in: ids } }, data: { confirmedAt: new Date() } })
  for (let n = 0; n < count; n += 1) {
    const feed = await createFeedOf(program, 'GENERIC', { name: `Feed ${n}` })
    await sendEvents(app, feed.url, 'GENERIC', [{ id: `event-${n}` }])
  }
  const input = { affiliateIds: affiliates.nodes.map(({ id }: { id: string }) => id) }
  for (let n = 0; n < count; n += 1)
    await program.graphql(
      'mutation ($input: CreateAffiliateGroupInput!) { createAffiliateGroup(input: $input) { __typename } }',
      { input: { ...input, name: `Group ${n}` } },
    )
  const { commissions } = await program.graphql('{ commissions(first: 1) { nodes { id } } }')
  for (let n = 0; n < count; n += 1)
    await proposalsOf(program.graphql).propose('VOID', { ids: [commissions.nodes[0].id] })
  await program.get('/payouts')
  for (const { id } of (await program.get('/payouts?limit=3')).body.data) await program.post(`/payouts/${id}/pay`)
  for (let n = 0; n < 3; n += 1) await createEmptyRun(app, program.id)
  return program
}

const isLeaf = (type: GraphQLNamedType) => isScalarType(type) || isEnumType(type)
const isListed = ({ type }: GraphQLField<unknown, unknown>) => isListType(isNonNullType(type) ? type.ofType : type)

/** Selects the scalar fields of a type, and those of its nested objects. */
function scalars(type: GraphQLObjectType, depth = 2): string {
  const fields = Object.values(type.getFields()).flatMap((field) => {
    const named = getNamedType(field.type)
    if (field.args.some(({ type: of }) => isNonNullType(of))) return []
    if (isLeaf(named)) return [field.name]
    if (depth === 0 || !isObjectType(named) || named.name.endsWith('Connection')) return []
    const within = scalars(named, depth - 1)
    return within ? [`${field.name} { ${within} }`] : []
  })
  return fields.join(' ')
}

/** Selects everything of a row: its fields, its related rows, a page of each of its lists, and their totals. */
/** Connections of values that are no rows of a listing, such as `history`, have no totals. */
const isListing = (connection: GraphQLObjectType) => 'aggregate' in connection.getFields()

function widest(type: GraphQLObjectType): string {
  return Object.values(type.getFields())
    .map((field) => {
      const named = getNamedType(field.type) as GraphQLObjectType
      if (isLeaf(named)) return callOf(field)
      if (!named.name.endsWith('Connection')) return `${callOf(field)} { ${scalars(named, isListed(field) ? 1 : 0)} }`
      const node = getNamedType(named.getFields().nodes?.type as never) as unknown as GraphQLObjectType
      const aggregate = isListing(named) ? 'aggregate { count }' : ''
      return `${field.name}(first: 2) { totalCount ${aggregate} pageInfo { hasNextPage } nodes { ${scalars(node, 0)} } }`
    })
    .join('\n')
}

// The page, its totals and the look-up of the API key; one for the totals of each list of a row; one for the explanations
// of sales; one for imported ids; two for terms; one for the rules that an affiliate's reward follows from, and one for
// its news; one for the number of history entries, and one for the names in them; one for the runs of payouts; four for
// self-billing and invoices. Of customers, also their affiliates, referrals and other claims.
const connections: [root: string, statements: number][] = [
  ['affiliates', 40],
  ['affiliateGroups', 4],
  ['affiliateCoupons', 9],
  ['affiliateLinks', 9],
  // Two of them read the commission rules and their versions.
  ['campaigns', 18],
  ['commissions', 14],
  ['customers', 16],
  // One of them reads the frozen states; the others, their affiliates and campaigns.
  ['events', 11],
  ['invoices', 8],
  ['mails', 3],
  // One of them reads what is known of the applicants.
  ['applications', 4],
  ['payouts', 19],
  ['payoutRuns', 17],
  ['payoutRunItems', 14],
  ['proposals', 7],
  ['referrals', 12],
  ['refunds', 5],
  ['sales', 12],
  ['statements', 7],
  ['unattributedSales', 4],
  ['failedRequests', 4],
  ['feeds', 8],
  ['feedEvents', 4],
  ['waitingRefunds', 3],
  ['webhookDeliveries', 4],
  ['webhookEndpoints', 6],
]

it.skipIf(!isFull).each(connections)(
  'the widest query of %s takes %i statements, however many rows there are (statements of ENGINE=full)',
  async (root, expected) => {
    const connection = getNamedType(
      publicSchema.getQueryType()?.getFields()[root]?.type as never,
    ) as never as GraphQLObjectType
    const node = getNamedType(connection.getFields().nodes?.type as never) as unknown as GraphQLObjectType
    const query = `{ ${root}(first: 20) { totalCount aggregate { count } nodes { ${widest(node)} } } }`
    const statementsFor = async (program: TestProgram) => {
      // Writes of buffered data, such as the last use of a key, are no part of a query.
      await app.app.flush()
      database.statements.length = 0
      const { [root]: page } = await program.graphql(query)
      expect(page.nodes.length).toBeGreaterThan(1)
      return database.statements.length
    }
    // What runs in the background is counted too, so a count that it has changed is taken again.
    for (const program of [few, many])
      await vi.waitFor(async () => expect(await statementsFor(program)).toBe(expected), { timeout: 10_000 })
  },
)

it('analytics of all affiliates on a page take one statement for totals, one for sub-ids and one for each series', async () => {
  const query = `{ affiliates { nodes { analytics(range: { preset: LAST_12_MONTHS }) {
    totals { visitors sales }
    visitors: timeSeries(metric: VISITORS, interval: MONTH) { points { value } }
    sales: timeSeries(metric: SALES_AMOUNT, interval: MONTH) { points { money { amountCents } } }
    subs(limit: 5) { sub visitors commission { amountCents } }
  } } } }`
  for (const program of [few, many]) {
    database.statements.length = 0
    await program.graphql(query)
    expect(database.statements.length).toBe(6)
  }
})

it.skipIf(!isFull)(
  'a list reads the columns that its answer has, and no others (statements of ENGINE=full)',
  async () => {
    const read = async (send: () => Promise<unknown>, table: string) => {
      database.statements.length = 0
      await send()
      const statement = database.statements.find(
        (sql) => sql.startsWith('select') && sql.includes(`"public"."${table}"`),
      )
      return [...(statement ?? '').matchAll(/t1\."(\w+)"[,\s]/g)].map(([, column]) => column)
    }
    const ofRest = await read(() => few.get('/commissions'), 'commissions')
    expect(ofRest).toContain('amount_cents')
    expect(ofRest).not.toContain('rule_lines')
    const query =
      '{ commissions(orderBy: { field: AMOUNT, direction: ASC }) { edges { cursor node { state affiliate { email } } } } }'
    const columns = await read(() => few.graphql(query), 'commissions')
    expect(columns).toEqual(
      expect.arrayContaining(['id', 'amount_cents', 'paid_at', 'voided_at', 'due_at', 'held_reason']),
    )
    expect(columns).not.toContain('rule_lines')
  },
)

it('every list of the schema is tested', () => {
  const listed = Object.values(publicSchema.getQueryType()?.getFields() ?? {})
    .filter(({ type }) => {
      const named = getNamedType(type)
      return isObjectType(named) && named.name.endsWith('Connection') && isListing(named)
    })
    .map(({ name }) => name)
  expect(connections.map(([root]) => root).sort()).toEqual(listed.sort())
})

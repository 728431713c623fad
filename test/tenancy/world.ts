import { randomUUID } from 'node:crypto'
import { statement } from '../../src/database/client/sql.ts'
import { mintId } from '../../src/kernel/ids.ts'
import { memoize } from '../../src/kernel/memoize.ts'
import { foldDeltas } from '../../src/modules/analytics/fold.ts'
import type { TestApp, TestProgram } from '../support/app.ts'
import {
  createAffiliate,
  createCampaign,
  createCoupon,
  listed,
  made,
  recordLead,
  recordVisit,
  reportSale,
} from '../support/factories.ts'
import { createInvoice } from '../support/invoices.ts'
import { createEmptyRun } from '../support/payout-runs.ts'
import { createEndpoint } from '../support/webhooks.ts'

/** The word that every text of a program's records contains. An unknown text is that of the program with another word. */
export const unknownWord = 'nobody'

const kinds = [
  'campaign',
  'campaignName',
  'affiliate',
  'affiliateEmail',
  'affiliateName',
  'affiliateLastName',
  'affiliateBillingId',
  'walletA',
  'walletB',
  'link',
  'linkToken',
  'coupon',
  'couponToken',
  'visit',
  'trackedVisit',
  'referral',
  'customerEmail',
  'customerName',
  'billingId',
  'customer',
  'sale',
  'saleExternalId',
  'commission',
  'commissionExternalId',
  'refund',
  'refundExternalId',
  'payout',
  'payoutReference',
  'payoutRun',
  'payoutRunItem',
  'commissionRule',
  'group',
  'groupName',
  'application',
  'applicationEmail',
  'mail',
  'asset',
  'session',
  'unattributedSale',
  'unattributedEmail',
  'unattributedCoupon',
  'unattributedExternalId',
  'unattributedName',
  'unattributedBillingId',
  'waitingRefund',
  'waitingRefundExternalId',
  'waitingSaleExternalId',
  'failedRequest',
  'failedPath',
  'event',
  'eventRequest',
  'webhookEndpoint',
  'webhookUrl',
  'feed',
  'feedEvent',
  'feedEventExternalId',
  'feedObject',
  'webhookDelivery',
  'proposal',
  'payoutService',
  'statement',
  'invoice',
  'branch',
  'sentEvent',
  'apiKey',
  'program',
  'programSlug',
] as const
/** Made by who has access to the program. */
const ofAccess = ['person', 'invitation', 'memberEmail', 'invitedEmail'] as const
export type Kind = (typeof kinds)[number] | (typeof ofAccess)[number]

export type World = {
  test: TestApp
  program: TestProgram
  word: string
  /** The id, or another value, of this program's record of a kind. Creates the record when it is first asked for. */
  get(kind: Kind): Promise<string>
  /** What was asked for so far: the kind of each value. */
  known(): Promise<Map<string, Kind>>
}

type Make = (world: World) => Promise<string>

/** A text of a record, which exists once the record does. */
const textOf =
  (record: Kind, text: (word: string) => string): Make =>
  async (world) => {
    await world.get(record)
    return text(world.word)
  }
const read = async ({ program }: World, query: string, variables = {}) =>
  Object.values(await program.graphql(query, variables))[0] as any

/** How to get a record of each kind that something can refer to. */
const makers: Record<(typeof kinds)[number], Make> = {
  campaign: async ({ program, word }) =>
    (await createCampaign(program, { name: `${word} campaign`, days_before_commissions_are_due: 0 })).id,
  campaignName: textOf('campaign', (word) => `${word} campaign`),
  affiliate: async (world) => {
    const { program, word } = world
    const texts = { first_name: `${word} first`, last_name: `${word} last`, billing_customer_id: `${word}-payee` }
    const wallets = { wallet_a_email: `${word}-a@example.com`, wallet_b_email: `${word}-b@example.com` }
    const names = { email: `${word}@example.com`, token: `${word}-link`, campaign_id: await world.get('campaign') }
    return (await createAffiliate(program, { ...names, ...texts, ...wallets })).id
  },
  affiliateEmail: textOf('affiliate', (word) => `${word}@example.com`),
  affiliateName: textOf('affiliate', (word) => `${word} first`),
  affiliateLastName: textOf('affiliate', (word) => `${word} last`),
  affiliateBillingId: textOf('affiliate', (word) => `${word}-payee`),
  walletA: textOf('affiliate', (word) => `${word}-a@example.com`),
  walletB: textOf('affiliate', (word) => `${word}-b@example.com`),
  link: async (world) => (await made(world.program.get(`/affiliates/${await world.get('affiliate')}`))).links[0].id,
  linkToken: textOf('affiliate', (word) => `${word}-link`),
  coupon: async (world) => (await createCoupon(world.program, await world.get('affiliate'), `${world.word}-coupon`)).id,
  couponToken: textOf('coupon', (word) => `${word}-coupon`),
  visit: async (world) => (await recordVisit(world.program, await world.get('linkToken'))).id,
  /** As a click records it. */
  trackedVisit: async (world) => {
    const { db } = world.test.database
    const programId = world.program.id
    const { createdAt: at, linkId } = await db.referral.findFirstOrThrow({
      where: { programId, id: await world.get('visit') },
    })
    const visit = { programId, id: mintId(at), linkId: linkId ?? '', referralId: await world.get('visit') }
    return (await db.visit.create({ data: { ...visit, visitorHash: 'hash', at } })).id
  },
  referral: async (world) => {
    const { id } = await recordVisit(world.program, await world.get('linkToken'))
    await recordLead(world.program, id, `${world.word}-customer@example.com`, {
      name: `${world.word} customer`,
      billingCustomerId: `${world.word}-billing`,
    })
    return id
  },
  customerEmail: textOf('referral', (word) => `${word}-customer@example.com`),
  customerName: textOf('referral', (word) => `${word} customer`),
  billingId: textOf('referral', (word) => `${word}-billing`),
  customer: async (world) => {
    const { customer } = await read(world, 'query ($id: ID!) { referral(id: $id) { customer { id } } }', {
      id: await world.get('referral'),
    })
    return customer.id
  },
  sale: async (world) => {
    const sale = { email: await world.get('customerEmail'), external_id: `${world.word}-sale` }
    return (await reportSale(world.program, sale)).sale_id
  },
  saleExternalId: textOf('sale', (word) => `${word}-sale`),
  commission: async (world) => {
    const id = await world.get('sale')
    const { commissions } = await read(world, 'query ($id: ID!) { sale(id: $id) { commissions { nodes { id } } } }', {
      id,
    })
    return commissions.nodes[0].id
  },
  commissionExternalId: async (world) => {
    const externalId = `${world.word}-bonus`
    const input = {
      affiliateId: await world.get('affiliate'),
      kind: 'BONUS',
      amountCents: 100,
      reason: 'Spring',
      externalId,
    }
    await read(
      world,
      'mutation ($input: CreateCommissionInput!) { createCommission(input: $input) { commission { id } } }',
      { input },
    )
    return externalId
  },
  refund: async (world) => {
    const { program, word } = world
    const refund = { sale_id: await world.get('sale'), amount_cents: 100, refund_external_id: `${word}-refund` }
    await made(program.post('/conversions/refund', refund))
    return (await read(world, '{ refunds { nodes { id } } }')).nodes[0].id
  },
  refundExternalId: textOf('refund', (word) => `${word}-refund`),
  payoutRun: (world) => createEmptyRun(world.test, world.program.id),
  commissionRule: async (world) => {
    const input = {
      campaignId: await world.get('campaign'),
      name: world.word,
      appliesTo: 'ALL_SALES',
      reward: { percent: 5 },
      // It applies to no sale of the world.
      startsAt: '2150-01-01T00:00:00Z',
    }
    const text =
      'mutation ($input: CreateCommissionRuleInput!) { createCommissionRule(input: $input) { commissionRule { id } } }'
    return (await read(world, text, { input })).commissionRule.id
  },
  group: async (world) => {
    const input = { name: `${world.word} group`, affiliateIds: [await world.get('affiliate')] }
    const text =
      'mutation ($input: CreateAffiliateGroupInput!) { createAffiliateGroup(input: $input) { affiliateGroup { id } } }'
    return (await read(world, text, { input })).affiliateGroup.id
  },
  application: async (world) => {
    const { program, word, test } = world
    const to = `${word}-applicant@example.com`
    const { application } = await read(
      world,
      'mutation ($email: EmailAddress!, $by: String) { apply(input: { email: $email, invitedBy: $by }) { application { id } } }',
      { email: to, by: await world.get('linkToken') },
    )
    const mails = '{ mails(first: 100, where: { kind: { equals: APPLICATION_CONFIRM } }) { nodes { to text } } }'
    const { text } = (await program.graphql(mails)).mails.nodes.find((mail: { to: string }) => mail.to === to)
    const [, token] = /#token=(\S+)/.exec(text) ?? []
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ token }) }
    await test.app.fetch(new Request('http://localhost:4000/join/confirm', init))
    return application.id
  },
  applicationEmail: textOf('application', (word) => `${word}-applicant@example.com`),
  mail: async (world) => {
    await world.get('application')
    return (await read(world, '{ mails { nodes { id } } }')).nodes[0].id
  },
  asset: async (world) => {
    const mutation = 'mutation { createAsset(input: { kind: TEXT, name: "Line", text: "Try it" }) { asset { id } } }'
    return (await read(world, mutation)).asset.id
  },
  session: async (world) => {
    const [programId, affiliateId, ticketId] = [world.program.id, await world.get('affiliate'), randomUUID()]
    const { now } = world.test.clock
    const [expiresAt, sessionEndsAt] = [now, new Date(now.getTime() + 3_600_000)]
    const data = { programId, affiliateId, ticketId, expiresAt, startedAt: now, sessionEndsAt }
    await world.test.database.db.ssoRedemption.create({ data })
    return ticketId
  },
  groupName: textOf('group', (word) => `${word} group`),
  payoutRunItem: async (world) => {
    await world.get('payoutReference')
    const { nodes } = await read(world, '{ payoutRuns { nodes { items { nodes { id } } } } }')
    return nodes.flatMap((run: { items: { nodes: { id: string }[] } }) => run.items.nodes)[0].id
  },
  payout: async (world) => {
    await world.get('commission')
    return (await listed(world.program, '/payouts'))[0].id
  },
  payoutReference: async (world) => {
    await read(
      world,
      'mutation ($id: ID!, $reference: String!) { payPayout(input: { id: $id, reference: $reference }) { payout { id } } }',
      { id: await world.get('payout'), reference: `${world.word} transfer` },
    )
    return `${world.word} transfer`
  },
  unattributedSale: async (world) => {
    const { program, word } = world
    const lost = { email: `${word}-lost@example.com`, coupon: `${word}-lost`, external_id: `${word}-lost-sale` }
    const who = { customer_name: `${word}-lost-name`, billing_customer_id: `${word}-lost-customer` }
    await program.post('/conversions', { amount_cents: 100, ...lost, ...who })
    return (await read(world, '{ unattributedSales { nodes { id } } }')).nodes[0].id
  },
  unattributedEmail: textOf('unattributedSale', (word) => `${word}-lost@example.com`),
  unattributedCoupon: textOf('unattributedSale', (word) => `${word}-lost`),
  unattributedExternalId: textOf('unattributedSale', (word) => `${word}-lost-sale`),
  unattributedName: textOf('unattributedSale', (word) => `${word}-lost-name`),
  unattributedBillingId: textOf('unattributedSale', (word) => `${word}-lost-customer`),
  waitingRefund: async (world) => {
    const { program, word } = world
    const refund = { external_id: `${word}-later-sale`, refund_external_id: `${word}-later-refund` }
    return (await made(program.post('/conversions/refund', refund))).id
  },
  waitingRefundExternalId: textOf('waitingRefund', (word) => `${word}-later-refund`),
  waitingSaleExternalId: textOf('waitingRefund', (word) => `${word}-later-sale`),
  failedRequest: async (world) => {
    await world.program.get(`/${world.word}-nothing`)
    await world.test.app.flush()
    return (await read(world, '{ failedRequests { nodes { id } } }')).nodes[0].id
  },
  failedPath: textOf('failedRequest', (word) => `/v1/${word}-nothing`),
  event: async (world) => {
    await world.get('sale')
    return (await read(world, '{ events(first: 1, where: { type: { equals: "sale.created" } }) { nodes { id } } }'))
      .nodes[0].id
  },
  eventRequest: async (world) =>
    (await read(world, 'query ($id: ID!) { event(id: $id) { requestId } }', { id: await world.get('event') }))
      .requestId,
  webhookEndpoint: async (world) => (await createEndpoint(world.program, `https://127.0.0.1/${world.word}`)).id,
  webhookUrl: textOf('webhookEndpoint', (word) => `https://127.0.0.1/${word}`),
  webhookDelivery: async (world) => {
    const input = { endpointId: await world.get('webhookEndpoint'), type: 'sale.created' }
    await read(world, 'mutation ($input: SendTestEventInput!) { sendTestEvent(input: $input) { __typename } }', {
      input,
    })
    return (await read(world, '{ webhookDeliveries { nodes { id } } }')).nodes[0].id
  },
  proposal: async (world) => {
    const bonus = { affiliateId: await world.get('affiliate'), kind: 'BONUS', amountCents: 100, reason: 'Spring' }
    const give = 'mutation ($input: CreateCommissionInput!) { createCommission(input: $input) { commission { id } } }'
    const { commission } = await read(world, give, { input: bonus })
    const input = { kind: 'VOID', arguments: { ids: [commission.id] }, reason: world.word }
    const query = 'mutation ($input: ProposeInput!) { propose(input: $input) { proposal { id } } }'
    return (await read(world, query, { input })).proposal.id
  },
  payoutService: async ({ test, program }) => {
    const { now } = test.clock
    const row = { programId: program.id, id: mintId(now), service: 'paypal' as const, credentials: 'encrypted' }
    const said = { account: 'PayPal', canPay: 'can pay USD', checkedAt: now, createdAt: now, updatedAt: now }
    return (await test.database.db.payoutService.create({ data: { ...row, ...said } })).id
  },
  // A month that is over is not closed here: the tests share a clock.
  statement: async ({ test, program, get }) => {
    const { db } = test.database
    const of = { programId: program.id, month: '2020-01' }
    const [fromAt, untilAt] = [new Date('2020-01-01T00:00:00Z'), new Date('2020-02-01T00:00:00Z')]
    const now = test.clock.now
    const began = { number: 1, fromAt, untilAt, timeZone: 'UTC', beganAt: now, beganByKind: 'system' as const }
    const month = await db.statementMonth.create({ data: { ...of, ...began, id: mintId(now) } })
    const sums = { openingCents: 0n, closingCents: 0n, hash: '0'.repeat(64), header: '{}', lines: '[]', disclosed: {} }
    const whose = { affiliateId: await get('affiliate'), currency: 'usd', number: 1, monthId: month.id }
    return (await db.statement.create({ data: { ...of, ...whose, ...sums, id: mintId(now), createdAt: now } })).id
  },
  invoice: async ({ test, program, get }) => {
    const statement = { id: await get('statement'), affiliateId: await get('affiliate'), month: '2020-01' }
    return createInvoice(test.database.db, program.id, statement, { place: 1, createdAt: test.clock.now })
  },
  branch: async ({ test, program }) => {
    const now = test.clock.now
    const of = { programId: program.id, id: mintId(now), name: 'Another past', rules: [], sales: 0, changedSales: 0 }
    const times = { since: new Date('2020-01-01T00:00:00Z'), until: now, createdAt: now }
    return (await test.database.db.branch.create({ data: { ...of, ...times, createdByKind: 'system' } })).id
  },
  feed: async (world) => {
    const query = 'mutation { createFeed(input: { kind: GENERIC, name: "Shop" }) { feed { id } } }'
    return (await read(world, query)).feed.id
  },
  feedEvent: async (world) => {
    const feedId = await world.get('feed')
    const sale = {
      type: 'sale',
      id: `${world.word}-object`,
      event_id: `${world.word}-event`,
      amountCents: 1,
      currency: 'usd',
    }
    const input = { feedId, events: JSON.stringify([{ ...sale, occurredAt: '2026-03-01T00:00:00Z' }]) }
    await read(world, 'mutation ($input: BackfillFeedInput!) { backfillFeed(input: $input) { stored } }', { input })
    await read(world, 'mutation ($input: RederiveFeedInput!) { rederiveFeed(input: $input) { events } }', {
      input: { feedId },
    })
    const { id } = (await read(world, '{ feedEvents { nodes { id } } }')).nodes[0]
    // As if an affiliate had brought the sale.
    const where = { programId_id: { programId: world.program.id, id } }
    await world.test.database.db.feedEvent.update({ where, data: { saleId: await world.get('sale') } })
    return id
  },
  feedEventExternalId: textOf('feedEvent', (word) => `${word}-event`),
  feedObject: textOf('feedEvent', (word) => `${word}-object`),
  sentEvent: async (world) => {
    await world.get('webhookDelivery')
    return (await read(world, '{ webhookDeliveries { nodes { eventId } } }')).nodes[0].eventId
  },
  apiKey: async ({ program }) => program.keyId,
  program: async ({ program }) => program.id,
  programSlug: async ({ program }) => program.slug,
}

export function createWorld(
  test: TestApp,
  program: TestProgram,
  word: string,
  given: Partial<Record<Kind, string>> = {},
): World {
  const values = new Map<Kind, Promise<string>>()
  const world: World = {
    test,
    program,
    word,
    get(kind) {
      const make: Make = async (of) =>
        given[kind] ?? (makers as Partial<Record<Kind, Make>>)[kind]?.(of) ?? missing(kind)
      const value = values.get(kind) ?? make(world)
      values.set(kind, value)
      return value
    },
    known: async () =>
      new Map(await Promise.all([...values].map(async ([kind, value]) => [await value, kind] as const))),
  }
  return world
}

function missing(kind: Kind): never {
  throw new Error(`This test has no ${kind}.`)
}

/** A value of the same form that no program has. */
export function unknownOf({ word }: World, value: string): string {
  if (value.includes(word)) return value.replaceAll(word, unknownWord)
  return value.replace(/[0-9a-f]{4}$/, 'dead')
}

/** Rows that are moved in the background, at any time: what is counted, by list and state, stays. */
const counted = `SELECT 'counts' AS name, count(*)::int AS count, md5(string_agg(t::text, '' ORDER BY t::text)) AS sum FROM (
  SELECT list, state, sum(count) FROM (
    SELECT program_id, list, state, count FROM list_counts UNION ALL SELECT program_id, list, state, count FROM list_deltas
  ) AS all_counts WHERE $1::uuid = program_id GROUP BY 1, 2 HAVING sum(count) <> 0) t`

/**
 * A statement for counts and checksums of all rows of a program. Planning it takes longer than running it. The parameter
 * comes first: a test takes conditions `program_id = $1` out of all statements.
 */
const statementOfRows = memoize(async ({ database: { db } }: TestApp) => {
  const tables = await db.$queryRaw<{ name: string }[]>`
    SELECT c.relname::text AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE a.attname = 'program_id' AND c.relname NOT IN ('list_counts', 'list_deltas') AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace
    UNION ALL SELECT 'programs' ORDER BY 1`
  const parts = tables.map(
    ({
      name,
    }) => `SELECT '${name}' AS name, count(*)::int AS count, md5(string_agg(to_jsonb(t)::text, '' ORDER BY to_jsonb(t)::text)) AS sum
      FROM ${name} t WHERE $1::uuid = ${name === 'programs' ? 'id' : 'program_id'}`,
  )
  return statement([...parts, counted].join(' UNION ALL '))
})

/** Counts and checksums of all rows of a program. */
export async function rowsOf(test: TestApp, programId: string): Promise<string> {
  const { db } = test.database
  await test.app.flush()
  await foldDeltas(db)
  return JSON.stringify(await db.sql.query(await statementOfRows(test), [programId]), null, 1)
}

/** The ids of all rows of a program. */
export async function idsOf(test: TestApp, programId: string): Promise<string[]> {
  const { db } = test.database
  const tables = await db.$queryRaw<{ name: string }[]>`
    SELECT table_name::text AS name FROM information_schema.columns
    WHERE table_schema = 'public' AND column_name IN ('program_id', 'id') AND data_type = 'uuid'
    GROUP BY 1 HAVING count(*) = 2`
  const parts = tables.map(({ name }) => `SELECT id::text FROM ${name} WHERE program_id = '${programId}'`)
  return (await db.$queryRawUnsafe<{ id: string }[]>(parts.join(' UNION '))).map(({ id }) => id)
}

/**
 * An answer to a program without what two equal requests can answer differently: the value that was sent, ids and secrets
 * that were created by the request, and those of the program, which are replaced by their kind.
 */
export async function comparable(text: string, sent: string, words: string[], own: World): Promise<string> {
  const known = await own.known()
  const withoutSent = text
    .replaceAll(sent, '<sent>')
    .replaceAll(new RegExp(words.join('|'), 'gi'), '<word>')
    // Mails have the address of the own program.
    .replaceAll(`/join/${own.program.slug}`, '/join/<slug>')
  return withoutSent.replaceAll(/[\w-]{20,}/g, (part) =>
    /^[A-Za-z_]+$/.test(part) ? part : `<${known.get(part) ?? 'random'}>`,
  )
}

import { describe, expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import {
  createAffiliate,
  createCampaign,
  createSeller,
  listed,
  reportSale,
  unknownId,
} from '../../support/factories.ts'

const app = await createTestApp()
const program = await app.createProgram()
const dueAtOnce = { days_before_commissions_are_due: 0 }

type Entry = { id: string; action: string; changes: { field: string; from: string | null; to: string | null }[] }

async function historyOf(type: string, id: string, args = '', from: TestProgram = program): Promise<any[]> {
  const fields = 'id at action changes { field from to } actor { kind apiKey { id name } } requestId reason'
  const data = await from.graphql(`query ($id: ID!) { ${type}(id: $id) { history${args} { nodes { ${fields} } } } }`, {
    id,
  })
  return data[type].history.nodes
}
const asText = (entries: Entry[]) =>
  entries.map(({ action, changes }) => [
    action.toLowerCase(),
    ...changes.map(({ field, from, to }) => `${field}: ${from} -> ${to}`),
  ])

/** Reads the entries in pages of two, forwards and backwards. `%s` in the query is where the connection's fields are. */
async function expectPages(
  field: (args: string) => string,
  all: Entry[],
  connectionIn: (data: any) => any,
  from: TestProgram = program,
) {
  const page = async (args: string) =>
    connectionIn(
      await from.graphql(
        `{ ${field(args).replace('%s', 'totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { cursor node { id } }')} }`,
      ),
    )
  const ids = all.map(({ id }) => id)
  for (const [size, cursorName, more] of [
    ['first', 'after', 'hasNextPage'],
    ['last', 'before', 'hasPreviousPage'],
  ] as const) {
    const pages: string[][] = []
    let cursor = ''
    for (let hasMore = true; hasMore && pages.length < 10; ) {
      const { totalCount, pageInfo, edges } = await page(`(${size}: 2${cursor})`)
      expect(totalCount).toBe(ids.length)
      expect([pageInfo.startCursor, pageInfo.endCursor]).toEqual([edges[0].cursor, edges.at(-1).cursor])
      pages.push(edges.map(({ node }: any) => node.id))
      cursor = `, ${cursorName}: "${size === 'first' ? pageInfo.endCursor : pageInfo.startCursor}"`
      hasMore = pageInfo[more]
    }
    expect((size === 'first' ? pages : pages.reverse()).flat()).toEqual(ids)
  }
}

describe('the history of an affiliate', () => {
  it('lists the creation, the first link and every changed field, newest first', async () => {
    const affiliate = await createAffiliate(program, { email: 'ada@example.com', first_name: 'Ada' })
    const other = await createCampaign(program)
    await program.put(`/affiliates/${affiliate.id}`, { first_name: '', last_name: 'King', state: 'disabled' })
    await program.put(`/affiliates/${affiliate.id}`, { email: 'ADA@example.com', campaign_id: other.id })
    expect(asText(await historyOf('affiliate', affiliate.id))).toEqual([
      ['updated', `campaignId: ${affiliate.campaign.id} -> ${other.id}`, 'email: ada@example.com -> ADA@example.com'],
      ['updated', 'firstName: Ada -> null', 'lastName: null -> King', 'state: active -> disabled'],
      ['link_created', 'token: null -> ada'],
      [
        'created',
        `campaignId: null -> ${affiliate.campaign.id}`,
        'email: null -> ada@example.com',
        'firstName: null -> Ada',
        'showsInLeaderboard: null -> true',
        'state: null -> active',
        `confirmedAt: null -> ${app.clock.now.toISOString()}`,
        'receiveNewCommissionNotifications: null -> true',
      ],
    ])
  })

  it('records links and the coupon', async () => {
    const { id, links } = await createAffiliate(program, { token: 'first' })
    await program.post('/affiliate_links', { affiliate_id: id, token: 'second' })
    await program.put(`/affiliate_links/${links[0].id}`, { token: 'third' })
    await program.put(`/affiliate_links/${links[0].id}`, { token: 'third' })
    await program.post('/affiliate_coupons', { affiliate_id: id, token: 'CODE' })
    expect(asText(await historyOf('affiliate', id)).slice(0, -1)).toEqual([
      ['coupon_created', 'token: null -> CODE'],
      ['link_token_changed', 'token: first -> third'],
      ['link_created', 'token: null -> second'],
      ['link_created', 'token: null -> first'],
    ])
  })

  it('records the time, the API key and the request', async () => {
    const { id } = await createAffiliate(program)
    app.clock.advanceDays(1)
    const { headers } = await program.put(`/affiliates/${id}`, { last_name: 'Byron' })
    const [entry] = await historyOf('affiliate', id, '(first: 1)')
    expect(entry).toEqual({
      id: expect.any(String),
      at: app.clock.now.toISOString(),
      action: 'UPDATED',
      changes: [{ field: 'lastName', from: null, to: 'Byron' }],
      actor: { kind: 'API_KEY', apiKey: { id: program.keyId, name: 'Tests' } },
      requestId: headers.get('x-request-id'),
      reason: null,
    })
  })

  it('distinguishes an operator from an API key', async () => {
    const { id } = await createAffiliate(program)
    await app.operator(
      'mutation ($id: ID!) { updateAffiliate(input: { id: $id, lastName: "Byron" }) { affiliate { id } } }',
      { id },
      { 'X-Program-Id': program.id },
    )
    const [{ actor }] = await historyOf('affiliate', id)
    expect(actor).toEqual({ kind: 'OPERATOR', apiKey: null })
  })

  it('records nothing for updates that change nothing or are rejected', async () => {
    const taken = await createAffiliate(program)
    const { id, email } = await createAffiliate(program, { first_name: 'Same' })
    const before = await historyOf('affiliate', id)
    for (const body of [{}, { first_name: 'Same' }, { email }, { email: taken.email }, { state: 'nonsense' }]) {
      await program.put(`/affiliates/${id}`, body)
    }
    expect(await historyOf('affiliate', id)).toEqual(before)
  })

  it('is a connection in both directions, and invisible to other programs', async () => {
    const { id } = await createAffiliate(program)
    for (const name of ['one', 'two', 'three']) await program.put(`/affiliates/${id}`, { last_name: name })
    const all = await historyOf('affiliate', id, '(first: 100)')
    expect(all).toHaveLength(5)
    await expectPages(
      (args) => `affiliate(id: "${id}") { history${args} { %s } }`,
      all,
      ({ affiliate }) => affiliate.history,
    )
    expect(await historyOf('affiliate', id, '(first: 0)')).toEqual([])
    for (const args of ['(first: 101)', '(after: "nonsense")', '(first: 1, last: 1)'])
      await expect(historyOf('affiliate', id, args)).rejects.toMatchObject({
        errors: [{ extensions: { code: 'INVALID_INPUT' } }],
      })
    const theirs = await app.createProgram()
    const query = `{ history(subject: AFFILIATE, id: "${id}") { totalCount nodes { id } } }`
    expect((await program.graphql(query)).history).toMatchObject({ totalCount: 5, nodes: { length: 5 } })
    expect(await theirs.graphql(query)).toEqual({ history: { totalCount: 0, nodes: [] } })
    expect(await theirs.graphql(query.replace(id, 'x'))).toEqual({ history: { totalCount: 0, nodes: [] } })
  })
})

describe('the history of a campaign', () => {
  it('shows exact amounts, percentages as in the API, and cleared fields', async () => {
    const { id } = await createCampaign(program, { commission_percent: 12.5, max_commissions: 3 })
    await program.put(`/campaigns/${id}`, { minimum_payout_cents: Number.MAX_SAFE_INTEGER, private: true })
    await program.put(`/campaigns/${id}`, { commission_amount_cents: 500, max_commissions: '' })
    expect(asText(await historyOf('campaign', id)).slice(0, 2)).toEqual([
      [
        'updated',
        'rewardType: percent -> amount',
        'commissionPercent: 12.5 -> null',
        'commissionAmountCents: null -> 500',
        'maxCommissions: 3 -> null',
      ],
      ['updated', 'private: false -> true', 'minimumPayoutCents: 0 -> 9007199254740991'],
    ])
  })

  it('records that the operator created the default campaign', async () => {
    const fresh = await app.createProgram({ commissionPercent: 7 })
    const [campaign] = await listed(fresh, '/campaigns')
    const [entry, ...more] = await historyOf('campaign', campaign.id, '', fresh)
    expect(more).toEqual([])
    expect(entry).toMatchObject({ action: 'CREATED', actor: { kind: 'OPERATOR', apiKey: null } })
    expect(entry.changes).toContainEqual({ field: 'commissionPercent', from: null, to: '7' })
  })
})

describe('the history of a payout', () => {
  it('records the opening, every new amount and the payment', async () => {
    const fresh = await app.createProgram()
    const { affiliate, coupon } = await createSeller(fresh, dueAtOnce)
    const { commission } = await reportSale(fresh, { coupon })
    const [payout] = await listed(fresh, '/payouts')
    await listed(fresh, '/payouts')
    await reportSale(fresh, { coupon, amount_cents: 500 })
    await listed(fresh, '/payouts')
    await fresh.put(`/commissions/${commission.id}`, { amount: 7 })
    await fresh.post(`/payouts/${payout.id}/pay`)
    await fresh.post(`/payouts/${payout.id}/pay`)
    expect(asText(await historyOf('payout', payout.id, '', fresh))).toEqual([
      ['paid', `paidAt: null -> ${app.clock.now.toISOString()}`],
      ['amount_changed', 'amountCents: 1050 -> 57'],
      ['amount_changed', 'amountCents: 1000 -> 1050'],
      ['opened', `affiliateId: null -> ${affiliate.id}`, 'currency: null -> usd', 'amountCents: null -> 1000'],
    ])
  })

  it('remains after the payout was left empty and deleted', async () => {
    const fresh = await app.createProgram()
    const { affiliate, coupon } = await createSeller(fresh, dueAtOnce)
    const { commission } = await reportSale(fresh, { coupon })
    const [payout] = await listed(fresh, '/payouts')
    await fresh.delete(`/commissions/${commission.id}`)
    expect((await fresh.get(`/payouts/${payout.id}`)).status).toBe(404)
    const { history } = await fresh.graphql(
      `{ history(subject: PAYOUT, id: "${payout.id}") { nodes { action changes { field from to } } } }`,
    )
    expect(asText(history.nodes).slice(0, 1)).toEqual([
      ['closed', `affiliateId: ${affiliate.id} -> null`, 'currency: usd -> null', 'amountCents: 1000 -> null'],
    ])
  })

  it('is separate for each affiliate and currency when one request opens several payouts', async () => {
    const fresh = await app.createProgram()
    const sellers = [await createSeller(fresh, dueAtOnce), await createSeller(fresh, dueAtOnce)]
    for (const { coupon } of sellers) {
      for (const currency of ['usd', 'eur']) await reportSale(fresh, { coupon, currency })
    }
    const payouts = await listed(fresh, '/payouts')
    expect(payouts).toHaveLength(4)
    for (const payout of payouts) {
      const [entry, ...more] = asText(await historyOf('payout', payout.id, '', fresh))
      expect(more).toEqual([])
      expect(entry).toContain(`affiliateId: null -> ${payout.affiliate_id}`)
      expect(entry).toContain(`currency: null -> ${payout.currency}`)
    }
  })
})

describe('the history of a commission', () => {
  it('follows from its facts: running amounts, and the states they lead to', async () => {
    const fresh = await app.createProgram()
    const { coupon } = await createSeller(fresh, { days_before_commissions_are_due: 5 })
    const { commission } = await reportSale(fresh, { coupon })
    const { headers } = await fresh.put(`/commissions/${commission.id}`, { amount: 400 })
    app.clock.advanceDays(5)
    await fresh.put(`/commissions/${commission.id}`, { amount: 700 })
    const [payout] = await listed(fresh, '/payouts')
    await fresh.post(`/payouts/${payout.id}/pay`)
    const entries = await historyOf('commission', commission.id, '', fresh)
    expect(asText(entries)).toEqual([
      ['paid', 'state: due -> paid', 'paidAt: null -> 2026-03-16T12:00:00.000Z'],
      ['amended', 'amountCents: 400 -> 700'],
      ['amended', 'amountCents: 1000 -> 400'],
      ['earned', 'amountCents: null -> 1000', 'state: null -> pending'],
    ])
    expect(entries[2]).toMatchObject({
      requestId: headers.get('x-request-id'),
      actor: { kind: 'API_KEY', apiKey: { id: fresh.keyId } },
      reason: null,
    })
    const field = (args: string) => `commission(id: "${commission.id}") { history${args} { %s } }`
    await expectPages(field, entries, (data) => data.commission.history, fresh)
  })

  it('records that it was voided', async () => {
    const { coupon } = await createSeller(program)
    const { commission } = await reportSale(program, { coupon })
    await program.delete(`/commissions/${commission.id}`)
    expect(asText(await historyOf('commission', commission.id))[0]).toEqual(['voided', 'state: pending -> void'])
  })
})

it('never contains a secret of the program', async () => {
  const rows = await app.database.db.change.findMany({ where: { programId: program.id } })
  const text = JSON.stringify(rows)
  expect(rows.length).toBeGreaterThan(10)
  expect(text).not.toContain(program.secret)
  expect(text).not.toMatch(/trib_(sk|pk)_|secret|hash/i)
})

it.each([
  `update changes set action = 'nothing'`,
  'delete from changes',
  `delete from changes where id = '${unknownId}'`,
  'truncate changes',
])('cannot be rewritten, the database rejects: %s', async (statement) => {
  await createAffiliate(program)
  await expect(app.database.db.$executeRawUnsafe(statement)).rejects.toThrow('cannot be changed or removed')
})

it('an entry has the currency that its amounts had, and the names for ids', async () => {
  const own = await app.createProgram()
  const campaign = await createCampaign(own, {
    name: 'Fixed',
    reward_type: 'amount',
    commission_amount_cents: 500,
    commission_amount_currency: 'eur',
  })
  const update = (input: object) =>
    own.graphql('mutation ($input: UpdateCampaignInput!) { updateCampaign(input: $input) { campaign { id } } }', {
      input: { id: campaign.id, ...input },
    })
  await update({ commissionAmountCents: 700 })
  await update({ commissionAmountCents: 900, commissionCurrency: 'usd' })
  await update({ minimumPayoutCents: 1_000 })
  await update({ name: 'Renamed' })
  const ofCampaign = await own.graphql(
    `{ history(subject: CAMPAIGN, id: "${campaign.id}") { nodes { currency changes { field from to } } } }`,
  )
  expect(ofCampaign.history.nodes.map(({ currency }: any) => currency)).toEqual([null, 'usd', 'usd', 'eur', 'eur'])

  const affiliate = await createAffiliate(own, { campaign_id: campaign.id, email: 'ada@example.com' })
  const ofAffiliate = await own.graphql(
    `{ history(subject: AFFILIATE, id: "${affiliate.id}") { nodes { changes { field fromName toName } } } }`,
  )
  const changes = ofAffiliate.history.nodes.flatMap((entry: any) => entry.changes)
  expect(changes).toContainEqual({ field: 'campaignId', fromName: null, toName: 'Renamed' })
  expect(changes).toContainEqual({ field: 'email', fromName: null, toName: null })
})

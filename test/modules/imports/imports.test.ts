import { describe, expect, it } from 'vitest'
import { adminToken, createTestApp, graphqlClient, restClient } from '../../support/app.ts'
import { times } from '../../support/parallel.ts'
import { affiliate, at, beginImport, campaign, commission, outcomes, payout, referral } from './story.ts'

const app = await createTestApp()
let sources = 0
const begin = async () => {
  sources += 1
  const started = await beginImport(app, `https://old-${sources}.test/v1`)
  const key = { Authorization: `Bearer ${started.secret}` }
  return { ...started, ...restClient(app.app.fetch, key), graphql: graphqlClient(app.app.fetch, key) }
}

describe('importRecords', () => {
  it('records events only if asked for, with the state that was imported', async () => {
    const old = await begin()
    const typesOf = async () => {
      const { events } = await old.graphql('{ events(last: 100) { nodes { type data } } }')
      return events.nodes.map(({ type, data }: { type: string; data: any }) => [type, data.state ?? null])
    }
    await old.take('CAMPAIGN', [campaign()])
    expect(await typesOf()).toEqual([['tributary.api_key.created', null]])
    await old.take('AFFILIATE', [affiliate({ links: [] })], { recordEvents: true })
    await old.take('REFERRAL', [referral()], { recordEvents: true })
    await old.take('COMMISSION', [commission({ state: 'paid', paidAt: at(40) })], { recordEvents: true })
    expect((await typesOf()).reverse().slice(1)).toEqual([
      ['affiliate.created', 'active'],
      ['referral.created', null],
      ['commission.created', 'paid'],
      ['sale.created', null],
    ])
  })

  it('puts no affiliate into a campaign that is archived here', async () => {
    const old = await begin()
    const other = campaign({ externalId: 'camp-2', name: 'Other', isDefault: false })
    await old.take('CAMPAIGN', [campaign(), other])
    await old.take('AFFILIATE', [affiliate()])
    const { body } = await old.get('/campaigns')
    const { id } = body.data.find(({ name }: { name: string }) => name === 'Other')
    const set = (verb: string) =>
      old.graphql(`mutation { ${verb}Campaign(input: { id: "${id}" }) { campaign { id } } }`)
    await set('archive')
    const moved = affiliate({ campaignId: 'camp-2', links: [] })
    const another = affiliate({ externalId: 'aff-2', email: 'bob@old.test', campaignId: 'camp-2', links: [] })
    expect(await old.take('AFFILIATE', [moved, another])).toMatchObject([
      {
        externalId: 'aff-1',
        outcome: 'UNCHANGED',
        message: 'The new campaign is archived here. The affiliate keeps the earlier one.',
      },
      {
        externalId: 'aff-2',
        outcome: 'LEFT_OUT',
        field: 'campaignId',
        message: 'Campaign is archived. Unarchive it first, or choose another.',
      },
    ])
    await set('unarchive')
    const again = await old.take('AFFILIATE', [moved, another])
    expect(again.map(({ outcome }) => outcome)).toEqual(['UPDATED', 'CREATED'])
  })

  it('imports each kind once, with the timestamps of the source', async () => {
    const old = await begin()
    const story = {
      coupons: [{ externalId: 'coup-1', affiliateId: 'aff-1', token: 'ADA20' }],
      payouts: [payout()],
      commissions: [commission({ state: 'paid', paidAt: at(40) })],
    }
    expect(outcomes(await old.takeAll(story))).toEqual({
      'CAMPAIGN camp-1': 'created',
      'AFFILIATE aff-1': 'created',
      'AFFILIATE_LINK link-1': 'created',
      'AFFILIATE_COUPON coup-1': 'created',
      'REFERRAL ref-1': 'created',
      'PAYOUT pay-1': 'created',
      'COMMISSION com-1': 'created',
      'SALE sale-1': 'created',
    })
    const again = await old.takeAll(story)
    expect(new Set(Object.values(outcomes(again)))).toEqual(new Set(['unchanged']))
    const { body: affiliates } = await old.get('/affiliates')
    expect(affiliates.data).toMatchObject([
      {
        email: 'Ada@Old.test',
        created_at: at(2),
        confirmed_at: at(2),
        visitors: 1,
        leads: 1,
        conversions: 1,
        campaign: { name: 'Partners', created_at: at(1) },
        links: [{ token: 'Ada-L', visitors: 1, conversions: 1 }],
        coupon: { token: 'ADA20' },
      },
    ])
    expect((await old.get('/referrals')).body.data).toMatchObject([
      { conversion_state: 'conversion', became_lead_at: at(3), became_conversion_at: at(4) },
    ])
    expect((await old.get('/commissions')).body.data).toMatchObject([
      { amount: 2_000, state: 'paid', due_at: at(34), paid_at: at(40) },
    ])
    expect((await old.get('/payouts')).body.data).toMatchObject([{ amount: 2_000, state: 'paid', paid_at: at(40) }])
    const report = await old.finish()
    expect(report.notes).toEqual([])
    for (const { source, here } of report.kinds) expect(here).toBe(source)
    for (const sum of report.sums) expect([sum.hereCount, sum.hereCents]).toEqual([sum.sourceCount, sum.sourceCents])
  })

  it('replaces the default campaign of a program that it created with the default campaign of the source', async () => {
    const old = await begin()
    await old.takeAll({ campaigns: [campaign(), campaign({ externalId: 'camp-2', name: 'Second', isDefault: false })] })
    expect((await old.get('/campaigns')).body.data.map(({ name }: any) => name)).toEqual(
      expect.arrayContaining(['Partners', 'Second']),
    )
    const { body } = await old.post('/affiliates', { email: 'new@old.test' })
    expect(body.campaign.name).toBe('Partners')
  })

  it('matches an existing affiliate by e-mail and adds the links of the source', async () => {
    const old = await begin()
    const { body: own } = await old.post('/affiliates', { email: 'ADA@old.test', token: 'own' })
    const results = await old.takeAll({})
    expect(outcomes(results)['AFFILIATE aff-1']).toBe('unchanged')
    const { body } = await old.get('/affiliates')
    expect(body.pagination.total_count).toBe(1)
    expect(body.data[0]).toMatchObject({ id: own.id, email: 'ADA@old.test', first_name: null, conversions: 1 })
    expect(body.data[0].links.map(({ token }: any) => token).sort()).toEqual(['Ada-L', 'own'])
  })

  it('matches a sale that was already reported here', async () => {
    const old = await begin()
    await old.takeAll({ referrals: [], commissions: [] })
    const [link] = (await old.get('/affiliates')).body.data[0].links
    const { recordVisit } = await old.graphql(
      'mutation ($t: String!) { recordVisit(input: { token: $t }) { referral { id } } }',
      { t: link.token },
    )
    const report = { referral_id: recordVisit.referral.id, amount_cents: 10_000, external_id: 'ch_1' }
    const { body: reported } = await old.post('/conversions', report)
    await old.take('REFERRAL', [referral()])
    const results = await old.take('COMMISSION', [commission()])
    // The commission takes the due date of the source.
    expect(outcomes(results)).toEqual({ 'COMMISSION com-1': 'updated', 'SALE sale-1': 'unchanged' })
    const { body } = await old.get('/commissions')
    expect(body.data.map(({ id }: any) => id)).toEqual([reported.commission.id])
  })

  it('recognizes an imported sale by its billing id when it is reported again', async () => {
    const old = await begin()
    await old.takeAll({})
    const sale = { email: 'grace@shop.test', amount_cents: 10_000, external_id: 'ch_1' }
    const answer = await old.post('/conversions', sale)
    expect([answer.status, answer.body.duplicate, answer.body.commission.amount]).toEqual([200, true, 2_000])
    // A customer who converted at the source earns commissions here.
    expect((await old.post('/conversions', { ...sale, external_id: 'ch_2' })).body.commission.amount).toBe(2_000)
  })

  it('reports each record that it leaves out and imports the others', async () => {
    const old = await begin()
    const results = await old.takeAll({
      affiliates: [
        affiliate(),
        affiliate({ externalId: 'aff-2', email: 'nobody', links: [] }),
        affiliate({ externalId: 'aff-3', email: 'bob@old.test', links: [{ externalId: 'link-3', token: 'ada-l' }] }),
        affiliate({ externalId: 'aff-4', email: 'ada@OLD.test', links: [] }),
      ],
      coupons: [
        { externalId: 'coup-1', affiliateId: 'aff-1', token: 'ADA20' },
        { externalId: 'coup-2', affiliateId: 'aff-1', token: 'ADA30' },
        { externalId: 'coup-3', affiliateId: 'aff-3', token: 'bob?20' },
      ],
      referrals: [referral(), referral({ externalId: 'ref-2', affiliateId: 'aff-2' })],
    })
    const left = results.filter(({ outcome }) => outcome === 'LEFT_OUT')
    expect(Object.fromEntries(left.map(({ externalId, message }) => [externalId, message]))).toEqual({
      'aff-2': 'Email is not a valid e-mail address.',
      'aff-4': 'Email has already been taken',
      'link-3': 'Token is already in use.',
      'coup-3': 'Token may hold letters, digits, - _ . % + and single blanks between them, 1 to 100 of them.',
      'ref-2': 'Their affiliate was not imported.',
    })
    // An affiliate whose link is taken gets a new one.
    const { body } = await old.get('/affiliates?email=bob@old.test')
    expect(body.data[0].links).toHaveLength(1)
    const report = await old.finish()
    expect(report.kinds.find(({ kind }: any) => kind === 'AFFILIATE')).toMatchObject({ source: 4, here: 2, leftOut: 2 })
  })

  it('imports from a source that shows only the fields of the contract, with placeholders for the rest', async () => {
    const old = await begin()
    const poor = {
      externalId: 'com-1',
      affiliateId: 'aff-1',
      campaignId: 'camp-1',
      currency: 'usd',
      amountCents: 2_000,
    }
    const results = await old.takeAll({
      payouts: [{ externalId: 'pay-1', affiliateId: 'aff-1', currency: 'usd', amountCents: 2_000, paidAt: at(40) }],
      commissions: [
        { ...poor, state: 'paid', dueAt: at(34), paidAt: at(40) },
        { ...poor, externalId: 'com-2', state: 'void', dueAt: at(35) },
        { ...poor, externalId: 'com-3', state: 'pending', dueAt: at(80) },
      ],
    })
    expect(results.every(({ outcome }) => outcome === 'CREATED')).toBe(true)
    const { body } = await old.get('/commissions')
    const states = body.data.map(({ state, due_at, paid_at }: any) => [state, due_at, paid_at])
    expect(states).toEqual([
      ['pending', at(80), null],
      ['void', at(35), null],
      ['paid', at(34), at(40)],
    ])
    const report = await old.finish()
    expect(report.kinds.find(({ kind }: any) => kind === 'PAYOUT')).toMatchObject({ source: 1, here: 1, leftOut: 0 })
    expect(report.notes.map(({ note, count }: any) => [count, note])).toEqual([
      [3, expect.stringContaining('The source does not show the sale')],
    ])
    const { sales } = await old.graphql('{ sales { nodes { amountCents referral { id conversionState } } } }')
    expect(sales.nodes.map(({ amountCents }: any) => amountCents)).toEqual([10_000, 10_000, 10_000])
    expect(new Set(sales.nodes.map((one: any) => one.referral.id)).size).toBe(1)
  })

  it('resolves contradictions of the source and notes each of them', async () => {
    const old = await begin()
    await old.takeAll({
      affiliates: [affiliate(), affiliate({ externalId: 'aff-2', email: 'bob@old.test', links: [] })],
      referrals: [referral({ conversionState: 'lead', becameConversionAt: null })],
      payouts: [
        payout({ amountCents: 5_000 }),
        payout({ externalId: 'pay-2', affiliateId: 'aff-2', commissionIds: ['com-3'] }),
      ],
      commissions: [
        // Paid in a payout with a larger amount and another time.
        commission({ state: 'paid', paidAt: at(41) }),
        // Its referral belongs to another affiliate.
        commission({
          state: 'due',
          externalId: 'com-2',
          affiliateId: 'aff-2',
          saleId: 'sale-2',
          saleBillingId: 'ch_2',
        }),
        // Its payout belongs to another affiliate.
        commission({ externalId: 'com-3', saleId: 'sale-3', saleBillingId: 'ch_3', state: 'paid', paidAt: at(50) }),
        // Not void although its sale was refunded; a second commission of the same sale; an unknown state.
        commission({
          state: 'due',
          externalId: 'com-4',
          saleId: 'sale-4',
          saleBillingId: null,
          saleRefundedCents: 10_000,
        }),
        commission({ externalId: 'com-5', saleId: 'sale-4' }),
        commission({ externalId: 'com-6', saleId: 'sale-6', state: 'frozen' }),
      ],
    })
    const { notes } = await old.finish()
    const lines = notes.map(
      ({ externalIds, isLeftOut, note }: any) => `${externalIds} ${isLeftOut ? '-' : '+'} ${note}`,
    )
    expect(lines.sort()).toEqual([
      'aff-2 + The source shows no link. A new link was created.',
      'com-2 + The referral was not imported or belongs to another affiliate. A placeholder referral is used.',
      'com-3 + The payout that lists this commission has another affiliate or currency, or is not paid.',
      'com-4 + The sale was fully refunded, but the commission is not void. It was imported without the refund.',
      'com-5 - The sale already has a commission.',
      'com-6 - The state "frozen" is unknown.',
      'pay-1 + The source shows 50.00 USD, but the imported commissions of the payouts add up to 20.00 USD.',
      'pay-2 - None of their commissions was imported.',
      'sale-6 - Their commission was not imported.',
    ])
  })

  it('imports a negative commission for a refund after the payment', async () => {
    const old = await begin()
    const debt = commission({
      externalId: 'com-2',
      amountCents: -500,
      createdAt: at(45),
      dueAt: at(45),
      saleRefundedCents: 2_500,
    })
    await old.takeAll({
      payouts: [payout()],
      commissions: [commission({ state: 'paid', paidAt: at(40), saleRefundedCents: 2_500 })],
    })
    expect(outcomes(await old.take('COMMISSION', [debt]))).toEqual({ 'COMMISSION com-2': 'created' })
    expect(outcomes(await old.take('COMMISSION', [debt]))).toEqual({ 'COMMISSION com-2': 'unchanged' })
    const { sums } = await old.finish()
    for (const sum of sums) expect([sum.hereCount, sum.hereCents]).toEqual([sum.sourceCount, sum.sourceCents])
    const { sales } = await old.graphql('{ sales { nodes { refundedCents commissions { nodes { amountCents } } } } }')
    expect(sales.nodes).toMatchObject([{ refundedCents: 2_500 }])
  })

  it('keeps fields that were changed here since the last import', async () => {
    const old = await begin()
    await old.takeAll({ commissions: [commission({ dueAt: at(34) })] })
    const [mine] = (await old.get('/affiliates')).body.data
    await old.put(`/affiliates/${mine.id}`, { first_name: 'Augusta', last_name: 'King' })
    const [earned] = (await old.get('/commissions')).body.data
    await old.delete(`/commissions/${earned.id}`)
    const results = [
      ...(await old.take('AFFILIATE', [affiliate({ firstName: 'Adele', billingCustomerId: 'cus_9' })])),
      ...(await old.take('COMMISSION', [commission({ state: 'paid', paidAt: at(50), amountCents: 1 })])),
    ]
    expect((await old.get(`/affiliates/${mine.id}`)).body).toMatchObject({
      first_name: 'Augusta',
      last_name: 'King',
      billing_customer_id: 'cus_9',
    })
    expect((await old.get(`/commissions/${earned.id}`)).body).toMatchObject({ state: 'void', amount: 2_000 })
    expect(results.flatMap(({ message }) => message ?? [])).toEqual([
      'Changed at the source but kept here, because it was also changed here or is final: first name.',
      'Changed at the source but kept here, because it was also changed here or is final: amount cents, state.',
    ])
  })

  it('pays a commission that is in an open payout here and was paid at the source', async () => {
    const old = await begin()
    await old.takeAll({})
    expect((await old.get('/payouts')).body.data).toMatchObject([{ state: 'pending', amount: 2_000 }])
    await old.take('PAYOUT', [payout({ paidAt: at(60) })])
    await old.take('COMMISSION', [commission({ state: 'paid', paidAt: at(60) })])
    expect((await old.get('/payouts')).body.data).toMatchObject([{ state: 'paid', amount: 2_000, paid_at: at(60) }])
  })

  it('returns the same outcomes in a dry run and writes nothing', async () => {
    const old = await begin()
    await old.takeAll({})
    const look = () =>
      app.database.db.importedRecord.findMany({ where: { programId: old.programId }, orderBy: [{ kind: 'asc' }] })
    const before = await look()
    const results = await old.take(
      'AFFILIATE',
      [affiliate({ firstName: 'New' }), affiliate({ externalId: 'aff-2', email: 'b@x.test' })],
      { dryRun: true },
    )
    expect(outcomes(results)).toMatchObject({ 'AFFILIATE aff-1': 'updated', 'AFFILIATE aff-2': 'created' })
    const known = { kind: 'affiliate', records: [affiliate({ externalId: 'aff-9', email: 'n@x.test', links: [] })] }
    const unknown = referral({ externalId: 'ref-9', affiliateId: 'aff-9' })
    for (const [earlier, outcome] of [
      [undefined, 'LEFT_OUT'],
      [JSON.stringify([known]), 'CREATED'],
    ])
      expect(await old.take('REFERRAL', [unknown], { dryRun: true, earlier })).toMatchObject([{ outcome }])
    expect(await look()).toEqual(before)
  })

  it.each([
    [
      'text that is not JSON',
      { kind: 'AFFILIATE', records: '{' },
      'Records must be a JSON list of at most 200 records.',
    ],
    [
      'earlier records outside of a dry run',
      { kind: 'AFFILIATE', records: '[]', earlier: '[]' },
      'Earlier is only for a dry run.',
    ],
    [
      'earlier records of another shape',
      { kind: 'AFFILIATE', records: '[]', earlier: '[{"kind":"sale"}]', dryRun: true },
      'Earlier must be a JSON list of { kind, records }.',
    ],
    [
      'records of the kind SALE',
      { kind: 'SALE', records: '[]' },
      'Kind must not be SALE: sales are part of commission records.',
    ],
  ])('rejects %s', async (_what, input, message) => {
    const old = await begin()
    await expect(
      app.operator('mutation ($input: ImportRecordsInput!) { importRecords(input: $input) { records { outcome } } }', {
        input: { programId: old.programId, source: 'x', ...input },
      }),
    ).rejects.toThrow(message)
  })

  it('imports nothing twice when the same batch runs ten times concurrently', async () => {
    const old = await begin()
    for (const [kind, records] of Object.entries({
      CAMPAIGN: [campaign()],
      AFFILIATE: [affiliate()],
      REFERRAL: [referral()],
      PAYOUT: [payout()],
      COMMISSION: [commission({ state: 'paid', paidAt: at(40) })],
    })) {
      const results = await times(10, () => old.take(kind, records))
      const created = results.flat().filter(({ outcome }) => outcome === 'CREATED')
      expect(new Set(created.map(({ externalId }) => externalId)).size).toBe(created.length)
    }
    expect((await old.get('/payouts')).body.data).toMatchObject([{ amount: 2_000 }])
    expect((await old.get('/affiliates')).body.data).toMatchObject([{ visitors: 1, conversions: 1 }])
  })
})

describe('an imported record', () => {
  it('is found by its id at the source, by clients and by referral ids in browsers', async () => {
    const old = await begin()
    await old.takeAll({ coupons: [{ externalId: 'coup-1', affiliateId: 'aff-1', token: 'ADA20' }] })
    const { data } = (await old.get('/commissions')).body
    expect((await old.get('/affiliates/aff-1')).body).toMatchObject({ object: 'affiliate', email: 'Ada@Old.test' })
    expect((await old.get('/campaigns/camp-1')).body.name).toBe('Partners')
    expect((await old.get('/commissions/com-1')).body.id).toBe(data[0].id)
    expect((await old.get('/affiliate_links/link-1')).body.token).toBe('Ada-L')
    expect((await old.get('/affiliate_coupons/coup-1')).body.token).toBe('ADA20')
    expect((await old.put('/affiliates/aff-1', { first_name: 'Augusta' })).body.first_name).toBe('Augusta')
    expect((await old.put('/commissions/com-1', { amount: 1 })).body.amount).toBe(1)
    expect((await old.delete('/commissions/com-1')).body.state).toBe('void')
    const sale = { referral_id: 'ref-1', amount_cents: 10_000, external_id: 'ch_9' }
    expect((await old.post('/conversions', sale)).body.commission.amount).toBe(2_000)
    expect((await old.get('/affiliates/aff-9')).body).toEqual({ error: 'Affiliate not found: aff-9' })
    const { affiliates, commissions } = await old.graphql(
      '{ affiliates { nodes { importedId coupon { importedId } links { nodes { importedId } } campaign { importedId } } } commissions { nodes { importedId referral { importedId } } } }',
    )
    expect(affiliates.nodes).toEqual([
      {
        importedId: 'aff-1',
        coupon: { importedId: 'coup-1' },
        links: { nodes: [{ importedId: 'link-1' }] },
        campaign: { importedId: 'camp-1' },
      },
    ])
    expect(commissions.nodes.map(({ importedId }: any) => importedId)).toEqual([null, 'com-1'])
  })

  it('can be referenced by its id at the source in bodies, paths and filters', async () => {
    const old = await begin()
    await old.takeAll({})
    const [{ id: campaignId }] = (await old.get('/campaigns')).body.data.filter(({ name }: any) => name === 'Partners')
    const made = await old.post('/affiliates', { email: 'new@example.com', campaign_id: 'camp-1' })
    expect([made.status, made.body.campaign.id]).toEqual([201, campaignId])
    const affiliateId = (await old.get('/affiliates/aff-1')).body.id
    for (const [path, body] of [
      ['/affiliate_links', { affiliate_id: 'aff-1', token: 'second' }],
      ['/affiliates/aff-1/links', { token: 'third' }],
      ['/affiliate_coupons', { affiliate_id: 'aff-1', token: 'CODE' }],
    ] as const)
      expect((await old.post(path, body)).body).toMatchObject({ affiliate_id: affiliateId, token: body.token })
    expect((await old.get('/affiliates/aff-1/sso')).body.affiliate.id).toBe(affiliateId)
    for (const list of ['affiliate_links', 'affiliate_coupons', 'referrals', 'commissions'])
      expect((await old.get(`/${list}?affiliate_id=aff-1`)).body.data).toEqual(
        (await old.get(`/${list}?affiliate_id=${affiliateId}`)).body.data,
      )
    expect((await old.get('/affiliates?campaign_id=camp-1')).body.pagination.total_count).toBe(2)
    expect((await old.get('/referrals?affiliate_id=aff-9')).body.data).toEqual([])
    const unknown = await old.post('/affiliates', { email: 'more@example.com', campaign_id: 'camp-9' })
    expect([unknown.status, unknown.body.details]).toEqual([422, ['Campaign not found.']])
  })

  it('is not found from another program', async () => {
    const old = await begin()
    await old.takeAll({})
    const other = await app.createProgram()
    expect((await other.get('/affiliates/aff-1')).status).toBe(404)
  })
})

describe('imports', () => {
  it('lists the imports into the program of the request, with their progress, for operators', async () => {
    const old = await begin()
    await old.take('CAMPAIGN', [campaign()])
    const listed = '{ imports { source finishedAt progress { kind isDone } } }'
    const inProgram = graphqlClient(app.app.fetch, {
      Authorization: `Bearer ${adminToken}`,
      'X-Program-Id': old.programId,
    })
    const { imports } = await inProgram(listed)
    expect(imports).toMatchObject([{ source: `https://old-${sources}.test/v1`, finishedAt: null }])
    expect(imports[0].progress.filter(({ isDone }: { isDone: boolean }) => isDone)).toEqual([
      { kind: 'CAMPAIGN', isDone: true },
    ])
    await expect(old.graphql(listed)).rejects.toThrow('Only an operator')
  })
})

it('an imported conversion says that the customer has bought before: no later sale is a first payment, in any order', async () => {
  const old = await begin()
  const seller = affiliate({
    externalId: 'aff-2',
    email: 'bob@old.test',
    links: [],
    coupon: { externalId: 'coup-1', token: 'BOB' },
  })
  await old.takeAll({
    campaigns: [campaign()],
    affiliates: [affiliate(), seller],
    referrals: [referral()],
    commissions: [],
  })
  const [{ id: campaignId }] = (await old.get('/campaigns')).body.data
  await old.graphql(
    'mutation ($input: CreateCommissionRuleInput!) { createCommissionRule(input: $input) { commissionRule { id } } }',
    {
      input: {
        campaignId,
        name: 'First',
        appliesTo: 'ALL_SALES',
        conditions: { payment: 'FIRST' },
        reward: { percent: 50 },
      },
    },
  )
  const begun = app.clock.now.getTime()
  app.clock.advanceDays(40)
  for (const day of [20, 10, 30]) {
    const sale = { coupon: 'BOB', email: 'grace@shop.test', amount_cents: 1_000, external_id: `in_${day}` }
    const { body } = await old.post('/conversions', {
      ...sale,
      occurred_at: new Date(begun + day * 86_400_000).toISOString(),
    })
    expect(body.commission.amount).toBe(200)
  }
  const earned = (await old.get('/commissions')).body.data.map(({ amount }: { amount: number }) => amount)
  expect(earned).toEqual([200, 200, 200])
})

import { describe, expect, it } from 'vitest'
import { sweepClock } from '../../../src/modules/event-log/sweep.ts'
import { type EventType, eventTypes } from '../../../src/modules/events/types.ts'
import { createTestApp, restClient, type TestProgram } from '../../support/app.ts'
import {
  createAffiliate,
  createCampaign,
  createCoupon,
  createLead,
  createSeller,
  listed,
  made,
  recordVisit,
  reportSale,
} from '../../support/factories.ts'
import { agreedSeller, createInvoices, setUpInvoices } from '../../support/invoices.ts'
import { runsOf } from '../../support/payout-runs.ts'
import { setUpOperator } from '../../support/people.ts'
import { proposalsOf } from '../../support/proposals.ts'

const test = await createTestApp()

/** What REST shows to a key with the superset profile and the convention's words. */
async function supersetOf(program: TestProgram) {
  const { createApiKey } = await test.operator(
    `mutation ($id: ID!) { createApiKey(input: { programId: $id, name: "Superset", profile: SUPERSET, words: CONVENTION }) { secret } }`,
    { id: program.id },
  )
  const rest = restClient(test.app.fetch, { Authorization: `Bearer ${createApiKey.secret}` })
  return (path: string) => made(rest.get(path))
}

type Logged = { id: string; type: EventType; subjectId: string; version: number; data: any }

/** The events of a program, oldest first. */
async function eventsOf(program: TestProgram, where: object = {}): Promise<Logged[]> {
  const { events } = await program.graphql(
    'query ($where: EventWhere) { events(last: 100, where: $where) { nodes { id type subjectId version data } } }',
    { where },
  )
  return events.nodes.reverse()
}

/** Runs `cause`, and returns the events that it records. */
async function recorded(program: TestProgram, cause: () => Promise<unknown>): Promise<Logged[]> {
  const before = new Set((await eventsOf(program)).map(({ id }) => id))
  await cause()
  return (await eventsOf(program)).filter(({ id }) => !before.has(id))
}

const typesOf = (events: Logged[]) => events.map(({ type }) => type)

const mutate = (program: TestProgram, name: string, fields: string) =>
  program.graphql(`mutation { ${name}(input: { ${fields} }) { __typename } }`)

/** Types that no verb here causes. */
const withoutCause: EventType[] = ['affiliate.deleted', 'referral.deleted', 'sale.deleted']
const seen = new Set<EventType>()

/** The paths of the resources of REST. */
const paths: Record<string, string> = {
  affiliate: '/affiliates',
  affiliate_link: '/affiliate_links',
  affiliate_coupon: '/affiliate_coupons',
  referral: '/referrals',
  sale: '/sales',
  commission: '/commissions',
  payout: '/payouts',
  campaign: '/campaigns',
}

/** Expects that each event has the resource as REST shows it now. */
async function expectAsRestShows(program: TestProgram, events: Logged[]) {
  const get = await supersetOf(program)
  for (const { type, subjectId, data } of events) {
    seen.add(type)
    const path = paths[data.object]
    if (!path || type.endsWith('.deleted')) continue
    const shown =
      data.object === 'referral'
        ? (await get(`/referrals?limit=100`)).data.find(({ id }: { id: string }) => id === subjectId)
        : await get(`${path}/${subjectId}`)
    expect({ type, data }).toEqual({ type, data: shown })
  }
}

describe('a write records its events, with the resource as REST shows it', () => {
  it('of an affiliate', async () => {
    const program = await test.createProgram()
    const created = await recorded(program, () =>
      createAffiliate(program, { first_name: 'Ada', wallet_a_email: 'a@b.co', token: 'ada' }),
    )
    expect(typesOf(created)).toEqual(['affiliate.created', 'affiliate.confirmed', 'affiliate_link.created'])
    await expectAsRestShows(program, created)
    const id = created[0]?.subjectId
    const updated = await recorded(program, () => made(program.put(`/affiliates/${id}`, { last_name: 'Lovelace' })))
    expect(typesOf(updated)).toEqual(['affiliate.updated'])
    await expectAsRestShows(program, updated)
    expect(await recorded(program, () => made(program.put(`/affiliates/${id}`, { last_name: 'Lovelace' })))).toEqual([])
  })

  it('of a link and a coupon', async () => {
    const program = await test.createProgram()
    const affiliate = await createAffiliate(program)
    const link = await recorded(program, () => made(program.post('/affiliate_links', { affiliate_id: affiliate.id })))
    expect(typesOf(link)).toEqual(['affiliate_link.created'])
    await expectAsRestShows(program, link)
    const linkId = link[0]?.subjectId
    const renamed = await recorded(program, () => made(program.put(`/affiliate_links/${linkId}`, { token: 'new' })))
    expect(typesOf(renamed)).toEqual(['affiliate_link.updated'])
    await expectAsRestShows(program, renamed)
    const archived = await recorded(program, async () => {
      await mutate(program, 'archiveAffiliateLink', `id: "${linkId}"`)
      await mutate(program, 'unarchiveAffiliateLink', `id: "${linkId}"`)
    })
    expect(typesOf(archived)).toEqual([
      'affiliate_link.updated',
      'tributary.affiliate_link.archived',
      'affiliate_link.updated',
      'tributary.affiliate_link.unarchived',
    ])
    await expectAsRestShows(program, archived)
    const deleted = await recorded(program, () => mutate(program, 'deleteAffiliateLink', `id: "${linkId}"`))
    expect(deleted).toMatchObject([{ type: 'affiliate_link.deleted', data: { id: linkId, token: 'new' } }])
    const coupon = await recorded(program, () => createCoupon(program, affiliate.id, 'SAVE'))
    expect(typesOf(coupon)).toEqual(['affiliate_coupon.created'])
    await expectAsRestShows(program, coupon)
    const couponId = coupon[0]?.subjectId
    const off = await recorded(program, () => mutate(program, 'archiveAffiliateCoupon', `id: "${couponId}"`))
    expect(typesOf(off)).toEqual(['affiliate_coupon.updated', 'affiliate_coupon.deactivated'])
    await expectAsRestShows(program, off)
    const on = await recorded(program, () => mutate(program, 'unarchiveAffiliateCoupon', `id: "${couponId}"`))
    expect(typesOf(on)).toEqual(['affiliate_coupon.updated', 'affiliate_coupon.activated'])
    await expectAsRestShows(program, on)
    const gone = await recorded(program, () => mutate(program, 'deleteAffiliateCoupon', `id: "${couponId}"`))
    expect(gone).toMatchObject([{ type: 'affiliate_coupon.deleted', data: { token: 'SAVE' } }])
    for (const { type } of [...deleted, ...gone]) seen.add(type)
  })

  it('of a visit, a lead and sales', async () => {
    const program = await test.createProgram()
    const { affiliate, link } = await createSeller(program)
    const visit = await recorded(program, () => recordVisit(program, link.token))
    expect(typesOf(visit)).toEqual(['referral.created'])
    await expectAsRestShows(program, visit)
    const email = 'grace@example.com'
    const lead = await recorded(program, () => createLead(program, link.token, email, { name: 'Grace Hopper' }))
    expect(typesOf(lead)).toEqual(['referral.created', 'referral.lead'])
    await expectAsRestShows(program, lead.slice(1))
    const first = await recorded(program, () => reportSale(program, { email, external_id: 'inv_1' }))
    expect(typesOf(first)).toEqual(['referral.converted', 'sale.created', 'commission.created'])
    await expectAsRestShows(program, first)
    expect(first[2]?.data.sale).toMatchObject({ sale_amount_cents: 10_000, affiliate: { id: affiliate.id } })
    const second = await recorded(program, () => reportSale(program, { email }))
    expect(typesOf(second)).toEqual(['sale.created', 'commission.created'])
    await expectAsRestShows(program, second)
    expect(await recorded(program, () => reportSale(program, { email, external_id: 'inv_1' }))).toEqual([])
  })

  it('of a sale by coupon, and of its refunds', async () => {
    const program = await test.createProgram()
    const { coupon } = await createSeller(program)
    const events = await recorded(program, () => reportSale(program, { coupon, external_id: 'inv_1', email: 'g@h.co' }))
    expect(typesOf(events)).toEqual([
      'referral.created',
      'referral.lead',
      'referral.converted',
      'sale.created',
      'commission.created',
    ])
    await expectAsRestShows(program, events)
    const refund = (amount: number) =>
      made(program.post('/conversions/refund', { external_id: 'inv_1', amount_cents: amount }))
    const part = await recorded(program, () => refund(4_000))
    expect(typesOf(part)).toEqual(['sale.updated', 'sale.refunded', 'commission.updated'])
    await expectAsRestShows(program, part)
    const rest = await recorded(program, () => refund(6_000))
    expect(typesOf(rest)).toEqual(['sale.updated', 'sale.refunded', 'commission.updated', 'commission.voided'])
    await expectAsRestShows(program, rest)
    expect(rest[3]?.data).toMatchObject({ state: 'voided' })
  })

  it('of a commission whose affiliate is in another campaign by now', async () => {
    const program = await test.createProgram()
    const { affiliate, coupon } = await createSeller(program)
    const { commission } = await reportSale(program, { coupon, email: 'g@h.co' })
    const other = await createCampaign(program, { name: 'Other' })
    await made(program.put(`/affiliates/${affiliate.id}`, { campaign_id: other.id }))
    const amended = await recorded(program, () => made(program.put(`/commissions/${commission.id}`, { amount: 700 })))
    await expectAsRestShows(program, amended)
    expect(amended[0]?.data.campaign.id).toBe(commission.campaign_id)
    const sold = await recorded(program, () => reportSale(program, { email: 'g@h.co' }))
    await expectAsRestShows(program, sold)
    const first = await recorded(program, () => reportSale(program, { coupon, email: 'new@h.co' }))
    await expectAsRestShows(program, first)
    expect(first.at(-1)?.data.campaign).toMatchObject({ id: other.id, name: 'Other' })
  })

  it('of a commission that is amended, paid by hand, unpaid and voided', async () => {
    const program = await test.createProgram()
    const { coupon } = await createSeller(program)
    const { commission } = await reportSale(program, { coupon })
    const path = `/commissions/${commission.id}`
    const amended = await recorded(program, () => made(program.put(path, { amount: 700 })))
    expect(typesOf(amended)).toEqual(['commission.updated'])
    await expectAsRestShows(program, amended)
    const paid = await recorded(program, () => made(program.put(path, { paid_at: '2026-03-10T11:00:00Z' })))
    expect(typesOf(paid)).toEqual(['commission.updated', 'commission.paid'])
    await expectAsRestShows(program, paid)
    expect(paid[0]?.data.state).toBe('paid')
    const unpaid = await recorded(program, () => made(program.put(path, { paid_at: '' })))
    expect(typesOf(unpaid)).toEqual(['commission.updated'])
    const voided = await recorded(program, () => made(program.delete(path)))
    expect(typesOf(voided)).toEqual(['commission.updated', 'commission.voided', 'commission.deleted'])
    await expectAsRestShows(program, voided)
    expect(voided.map(({ data }) => [data.state, data.deleted])).toEqual([
      ['voided', undefined],
      ['voided', undefined],
      ['voided', true],
    ])
  })

  it('of a held commission', async () => {
    const program = await test.createProgram()
    const { coupon, affiliate, campaign } = await createSeller(program)
    await mutate(program, 'updateCampaign', `id: "${campaign.id}", selfReferrals: HOLD`)
    const held = await recorded(program, () => reportSale(program, { coupon, email: affiliate.email }))
    expect(typesOf(held).slice(-2)).toEqual(['commission.created', 'tributary.commission.held'])
    const approved = await recorded(program, () =>
      mutate(program, 'approveCommission', `id: "${held.at(-1)?.subjectId}"`),
    )
    expect(typesOf(approved)).toEqual(['commission.updated', 'tributary.commission.approved'])
    await expectAsRestShows(program, [...held.slice(-1), ...approved].slice(1))
    seen.add('tributary.commission.held')
  })

  it('of payouts', async () => {
    const program = await test.createProgram()
    const { coupon } = await createSeller(program, { days_before_commissions_are_due: 0, minimum_payout_cents: 1_500 })
    const { commission } = await reportSale(program, { coupon })
    const opened = await recorded(program, () => listed(program, '/payouts'))
    expect(typesOf(opened)).toEqual(['payout.created'])
    await expectAsRestShows(program, opened)
    expect(opened[0]?.data).toMatchObject({ state: 'pending', amount: 1_000 })
    await reportSale(program, { coupon })
    const due = await recorded(program, () => listed(program, '/payouts'))
    expect(typesOf(due)).toEqual(['payout.updated', 'payout.due'])
    await expectAsRestShows(program, due)
    expect(due[1]?.data).toMatchObject({ state: 'due', amount: 2_000 })
    const payoutId = opened[0]?.subjectId
    const paid = await recorded(program, () => made(program.post(`/payouts/${payoutId}/pay`)))
    expect(typesOf(paid)).toEqual([
      'commission.updated',
      'commission.paid',
      'commission.updated',
      'commission.paid',
      'payout.updated',
      'payout.paid',
    ])
    await expectAsRestShows(program, paid)
    expect(paid.at(-1)?.data.paid_by_id).toBe(program.keyId)
    expect(await recorded(program, () => made(program.post(`/payouts/${payoutId}/pay`)))).toEqual([])
    const returned = await recorded(program, async () => {
      const { payoutRuns } = await program.graphql('{ payoutRuns { nodes { id } } }')
      await runsOf(program).record(payoutRuns.nodes[0].id, [{ payoutId, state: 'RETURNED' }])
    })
    expect(typesOf(returned)).toEqual([
      'commission.updated',
      'commission.updated',
      'payout.updated',
      'payout.failed',
      'payout.created',
      'payout.due',
    ])
    seen.add('payout.failed')
    const [again] = await listed(program, '/payouts?state=pending')
    await made(program.post(`/payouts/${again.id}/pay`))
    // A debt of a refund after the payment, and a payout that is left empty.
    const debt = await recorded(program, async () => {
      const [sale] = await listed(program, '/sales')
      await made(program.post('/conversions/refund', { sale_id: sale.id }))
    })
    expect(typesOf(debt)).toEqual(['sale.updated', 'sale.refunded', 'commission.created'])
    expect(debt[2]?.data.amount).toBe(-1_000)
    // Its reversal voids the debt.
    const reversed = await recorded(program, async () => {
      const { refunds } = await program.graphql('{ refunds { nodes { id } } }')
      await made(program.post('/conversions/refund/reverse', { refund_id: refunds.nodes[0].id }))
    })
    expect(typesOf(reversed)).toEqual([
      'sale.updated',
      'tributary.sale.refund_reversed',
      'commission.updated',
      'commission.voided',
    ])
    expect(reversed[1]?.data).toMatchObject({ object: 'sale', refund_amount_cents: 0 })
    await expectAsRestShows(program, reversed)
    expect(commission.id).toBeDefined()
    const other = await createSeller(program, { days_before_commissions_are_due: 0 })
    const sale = await reportSale(program, { coupon: other.coupon })
    await listed(program, '/payouts')
    const emptied = await recorded(program, () => made(program.delete(`/commissions/${sale.commission.id}`)))
    expect(typesOf(emptied).slice(-1)).toEqual(['payout.deleted'])
    seen.add('payout.deleted')
  })

  it('of what the convention has no type for', async () => {
    const program = await test.createProgram()
    const campaign = await recorded(program, () => createCampaign(program))
    expect(typesOf(campaign)).toEqual(['tributary.campaign.created'])
    const id = campaign[0]?.subjectId
    await expectAsRestShows(program, campaign)
    const changes = await recorded(program, async () => {
      await made(program.put(`/campaigns/${id}`, { name: 'Renamed' }))
      await mutate(program, 'archiveCampaign', `id: "${id}"`)
      await mutate(program, 'unarchiveCampaign', `id: "${id}"`)
      await mutate(program, 'deleteCampaign', `id: "${id}"`)
    })
    expect(typesOf(changes)).toEqual([
      'tributary.campaign.updated',
      'tributary.campaign.archived',
      'tributary.campaign.unarchived',
      'tributary.campaign.deleted',
    ])
    const unattributed = await recorded(program, () =>
      program.post('/conversions', { amount_cents: 100, email: 'nobody@example.com', external_id: 'x' }),
    )
    expect(unattributed).toMatchObject([
      { type: 'tributary.sale.unattributed', data: { object: 'unattributed_sale', external_id: 'x' } },
    ])
    const keys = await recorded(program, async () => {
      const { createApiKey } = await test.operator(
        'mutation ($id: ID!) { createApiKey(input: { programId: $id, name: "A" }) { apiKey { id } } }',
        { id: program.id },
      )
      const input = `id: "${createApiKey.apiKey.id}"`
      await test.operator(`mutation { updateApiKey(input: { ${input}, name: "B" }) { __typename } }`)
      for (const _ of [1, 2]) await test.operator(`mutation { revokeApiKey(input: { ${input} }) { __typename } }`)
    })
    expect(typesOf(keys)).toEqual([
      'tributary.api_key.created',
      'tributary.api_key.updated',
      'tributary.api_key.revoked',
    ])
    expect(JSON.stringify(keys)).not.toContain('secret')
    const proposals = await recorded(program, async () => {
      const { commission } = await reportSale(program, { coupon: (await createSeller(program)).coupon })
      const own = proposalsOf(program.graphql)
      const { id } = await own.propose('VOID', { ids: [commission.id] })
      const browser = await setUpOperator(test)
      await proposalsOf(browser.graphql(program.slug)).reject(id, 'No.')
    })
    const ofProposal = proposals.filter(({ type }) => type.startsWith('tributary.proposal'))
    expect(ofProposal.map(({ type, data }) => [type, data.state, data.decision_reason])).toEqual([
      ['tributary.proposal.created', 'open', null],
      ['tributary.proposal.decided', 'rejected', 'No.'],
    ])
    await setUpInvoices(program)
    await reportSale(program, { coupon: (await agreedSeller(test, program)).coupon })
    const closing = await recorded(program, async () => {
      const month = test.clock.now.toISOString().slice(0, 7)
      test.clock.advanceDays(31)
      await program.graphql(`mutation { closeMonth(input: { month: "${month}" }) { statements { id } } }`)
      await createInvoices(program, month)
    })
    const ofMonth = closing.filter(({ type }) => /^(statements|invoice)\./.test(type))
    expect(ofMonth).toMatchObject([
      { type: 'statements.closed', data: { object: 'statement_month', number: 1 } },
      { type: 'invoice.created', data: { object: 'invoice' } },
    ])
    for (const { type } of [...changes, ...unattributed, ...keys, ...proposals, ...closing]) seen.add(type)
  })

  it('an invoice', async () => {
    const invoicing = await test.createProgram()
    await setUpInvoices(invoicing)
    const { coupon } = await agreedSeller(test, invoicing)
    await reportSale(invoicing, { coupon, external_id: 'invoiced' })
    const month = test.clock.now.toISOString().slice(0, 7)
    test.clock.advanceDays(31)
    await invoicing.graphql(`mutation { closeMonth(input: { month: "${month}" }) { statements { id } } }`)
    const made = await recorded(invoicing, () => createInvoices(invoicing, month))
    expect(made.map(({ type }) => type)).toContain('invoice.created')
    seen.add('invoice.created')
  })
})

describe('what follows from the clock alone', () => {
  it('is recorded once by any number of sweeps', async () => {
    const program = await test.createProgram()
    const { coupon, link } = await createSeller(program, { days_before_commissions_are_due: 10 })
    await reportSale(program, { coupon })
    await recordVisit(program, link.token)
    const sweep = () => sweepClock({ db: test.database.db, now: () => test.clock.now })
    expect(await recorded(program, sweep)).toEqual([])
    test.clock.advanceDays(11)
    const due = await recorded(program, () => Promise.all([sweep(), sweep()]))
    expect(typesOf(due)).toEqual(['commission.updated', 'tributary.commission.due', 'payout.created', 'payout.due'])
    await expectAsRestShows(program, due)
    expect(due[1]?.data.state).toBe('due')
    test.clock.advanceDays(60)
    const expired = await recorded(program, () => Promise.all([sweep(), sweep()]))
    expect(typesOf(expired)).toEqual(['tributary.referral.expired'])
    await expectAsRestShows(program, expired)
    expect(await recorded(program, sweep)).toEqual([])
    // A new due date in the future makes it due once more.
    const dueAt = new Date(test.clock.now.getTime() + 86_400_000).toISOString()
    await made(program.put(`/commissions/${due[0]?.subjectId}`, { due_at: dueAt }))
    test.clock.advanceDays(2)
    expect(typesOf(await recorded(program, sweep))).toEqual([
      'commission.updated',
      'tributary.commission.due',
      'payout.created',
      'payout.due',
    ])
  })

  it('uses the own clock of a sandbox', async () => {
    const program = await test.createProgram({ isSandbox: true })
    const { coupon } = await createSeller(program, { days_before_commissions_are_due: 30 })
    await reportSale(program, { coupon })
    await test.operator(`mutation { advanceClock(input: { programId: "${program.id}", days: 40 }) { __typename } }`)
    const due = await recorded(program, () => sweepClock({ db: test.database.db, now: () => test.clock.now }))
    expect(typesOf(due)).toContain('tributary.commission.due')
  })
})

it('every type is recorded by its cause, except those that nothing causes', () => {
  const missing = eventTypes.filter((type) => !seen.has(type) && type !== 'tributary.webhook_endpoint.disabled')
  expect(missing).toEqual(withoutCause)
})

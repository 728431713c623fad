import { describe, expect, it } from 'vitest'
import { createTestApp, graphqlClient, type TestProgram } from '../../support/app.ts'
import { createSeller, listed, reportSale, unknownId } from '../../support/factories.ts'
import { earner } from '../../support/payout-runs.ts'
import { addMember, setUpOperator, type TestBrowser } from '../../support/people.ts'
import { proposalsOf } from '../../support/proposals.ts'

const test = await createTestApp()
const operator = await setUpOperator(test)
let members = 0

/** A program with a key that proposes, and people who decide. */
async function createOffice() {
  const program = await test.createProgram()
  const member = (role: string, name: string): Promise<TestBrowser> => {
    members += 1
    return addMember(test, operator, program.slug, { email: `member-${members}@example.com`, role, name })
  }
  const manager = await member('MANAGER', 'Mia Manager')
  const key = proposalsOf(program.graphql)
  return { program, member, manager: proposalsOf(manager.graphql(program.slug)), managerBrowser: manager, key }
}

const commissionOf = async (program: TestProgram, id: string) =>
  (
    await program.graphql(
      'query ($id: ID!) { commission(id: $id) { state amountCents heldReason history { nodes { action reason actor { kind } } } } }',
      { id },
    )
  ).commission

async function setLimit(program: TestProgram, cents: number) {
  await test.operator(
    'mutation ($id: ID!, $cents: SafeInt) { updateProgram(input: { id: $id, payoutApprovalAboveCents: $cents }) { program { id } } }',
    { id: program.id, cents },
  )
}

describe('a proposal', () => {
  it('of VOID says its effect in money, changes nothing, and is done by who confirms it', async () => {
    const { program, key, manager } = await createOffice()
    const { commission } = await earner(program)
    const proposal = await key.propose('VOID', { ids: [commission.id] })
    expect(proposal).toEqual({
      id: expect.any(String),
      kind: 'VOID',
      state: 'OPEN',
      arguments: { ids: [commission.id] },
      effect: {
        text: 'Cancels 1 commission: 10.00 USD less is owed to affiliates.',
        amountCents: -1000,
        currency: 'usd',
      },
      reason: 'The customer was refunded.',
      proposedBy: 'API key Tests',
      refusal: 'Only a person who is signed in confirms a proposal.',
      decidedBy: null,
      decisionReason: null,
      expiresAt: '2026-03-24T12:00:00.000Z',
    })
    expect(await commissionOf(program, commission.id)).toMatchObject({ state: 'DUE' })
    expect(await key.list({ state: { equals: 'OPEN' } })).toEqual([proposal])

    const confirmed = await manager.confirm(proposal.id)
    expect(confirmed).toMatchObject({
      state: 'CONFIRMED',
      decidedBy: { kind: 'PERSON', person: { name: 'Mia Manager' } },
    })
    const voided = await commissionOf(program, commission.id)
    expect(voided.state).toBe('VOID')
    expect(voided.history.nodes[0]).toEqual({
      action: 'VOIDED',
      reason: 'The customer was refunded.',
      actor: { kind: 'PERSON' },
    })
    const { proposal: read } = await program.graphql(
      'query ($id: ID!) { proposal(id: $id) { history { nodes { action actor { kind person { name } apiKey { name } } } } } }',
      { id: proposal.id },
    )
    expect(read.history.nodes).toEqual([
      { action: 'CONFIRMED', actor: { kind: 'PERSON', person: { name: 'Mia Manager' }, apiKey: null } },
      { action: 'CREATED', actor: { kind: 'API_KEY', person: null, apiKey: { name: 'Tests' } } },
    ])
    const { events } = await program.graphql(
      'query ($id: ID!) { events(where: { subjectId: { equals: $id } }) { nodes { type data } } }',
      { id: proposal.id },
    )
    expect(events.nodes.map(({ type, data }: any) => [type, data.state, data.effect_cents])).toEqual([
      ['tributary.proposal.decided', 'confirmed', -1000],
      ['tributary.proposal.created', 'open', -1000],
    ])
    // Confirming again is the same, and does nothing.
    expect(await manager.confirm(proposal.id)).toMatchObject({ state: 'CONFIRMED' })
  })

  it('of APPROVE, AMEND and REFUND says its effect in money', async () => {
    const { program, key, manager } = await createOffice()
    const seller = await createSeller(program, { days_before_commissions_are_due: 0 })
    await program.graphql(
      'mutation ($id: ID!) { updateCampaign(input: { id: $id, selfReferrals: HOLD }) { campaign { id } } }',
      { id: seller.campaign.id },
    )
    const held = await reportSale(program, { coupon: seller.coupon, email: seller.affiliate.email })
    const approval = await key.propose('APPROVE', { ids: [held.commission.id] })
    expect(approval.effect).toEqual({
      text: 'Approves 1 commission: 10.00 USD can be paid.',
      amountCents: 1000,
      currency: 'usd',
    })
    await manager.confirm(approval.id)
    expect(await commissionOf(program, held.commission.id)).toMatchObject({ heldReason: null, state: 'DUE' })

    const sale = await reportSale(program, { coupon: seller.coupon, email: 'grace@customers.test' })
    const amendment = await key.propose('AMEND', { id: sale.commission.id, amountCents: 400 })
    expect(amendment.effect).toMatchObject({ amountCents: -600, currency: 'usd' })
    await manager.confirm(amendment.id)
    expect(await commissionOf(program, sale.commission.id)).toMatchObject({ amountCents: 400 })

    const other = await reportSale(program, { coupon: seller.coupon, email: 'hedy@customers.test' })
    const refund = await key.propose('REFUND', { saleId: other.sale_id, amountCents: 5_000 })
    expect(refund.effect).toEqual({
      text: 'Records a refund of 50.00 USD: what is owed to affiliates changes by -5.00 USD.',
      amountCents: -500,
      currency: 'usd',
    })
    await manager.confirm(refund.id)
    expect(await commissionOf(program, other.commission.id)).toMatchObject({ amountCents: 500 })
  })

  it('of ATTRIBUTE and PAYOUT_RUN says what is earned and paid', async () => {
    const { program, key, manager } = await createOffice()
    const { affiliate } = await earner(program)
    await program.post('/conversions', { amount_cents: 10_000, email: 'nobody@customers.test', external_id: 'inv_9' })
    const { unattributedSales } = await program.graphql('{ unattributedSales { nodes { id } } }')
    const [sale] = unattributedSales.nodes
    const attribution = await key.propose('ATTRIBUTE', { id: sale.id, affiliateId: affiliate.id })
    expect(attribution.effect).toEqual({
      text: 'Attributes a sale of 100.00 USD, which earns 10.00 USD.',
      amountCents: 1000,
      currency: 'usd',
    })
    await manager.confirm(attribution.id)
    expect((await program.graphql('{ unattributedSales { nodes { id } } }')).unattributedSales.nodes).toEqual([])

    const run = await key.propose('PAYOUT_RUN', { method: 'PAYPAL' })
    expect(run.effect).toEqual({
      text: 'Prepares a run of 1 payout: 20.00 USD.',
      amountCents: 2000,
      currency: 'usd',
    })
    expect((await program.graphql('{ payoutRuns { nodes { id } } }')).payoutRuns.nodes).toEqual([])
    await manager.confirm(run.id)
    const { payoutRuns } = await program.graphql('{ payoutRuns { nodes { state amountCents preparedBy { kind } } } }')
    expect(payoutRuns.nodes).toEqual([{ state: 'PREPARED', amountCents: 2000, preparedBy: { kind: 'PERSON' } }])
  })

  it('of RULES and AFFILIATE_RATE says what it would have cost, and is refused once other rules hold', async () => {
    const { program, key, manager } = await createOffice()
    const { campaign, affiliate } = await earner(program)
    const reward = { percent: 25 }
    const rule = { campaignId: campaign.id, name: 'All', reward, appliesTo: 'ALL_SALES' }
    const change = await key.propose('RULES', { rules: [rule], keepOthers: true })
    expect(change.effect).toEqual({
      text: 'Commission rules: 1 rule created. Since 2025-03-10, 1 of 1 sale would have earned something else: 25.00 USD instead of 10.00 USD.',
      amountCents: 1500,
      currency: 'usd',
    })
    const rate = await key.propose('AFFILIATE_RATE', { affiliateId: affiliate.id, percent: 30 })
    expect(rate.effect).toMatchObject({ amountCents: 2000, currency: 'usd' })
    await manager.confirm(rate.id)
    const { campaign: read } = await program.graphql(
      'query ($id: ID!) { campaign(id: $id) { rules { name conditions { affiliateIds } reward { percent } } } }',
      { id: campaign.id },
    )
    expect(read.rules).toEqual([
      {
        name: `Rate of affiliate ${affiliate.id}`,
        conditions: { affiliateIds: [affiliate.id] },
        reward: { percent: 30 },
      },
    ])
    await expect(manager.confirm(change.id)).rejects.toThrow('The plan is out of date')
    // A second rate changes the rule of the first.
    const second = await key.propose('AFFILIATE_RATE', { affiliateId: affiliate.id, percent: 12.5 })
    expect(second.effect.text).toContain('1 rule changed')
    await manager.confirm(second.id)
  })

  it('of APPLICATION and MAIL decides and writes only when it is confirmed', async () => {
    const { program, key, manager } = await createOffice()
    const { affiliate } = await earner(program)
    const { apply } = await program.graphql(
      'mutation { apply(input: { email: "new@example.com" }) { application { id } } }',
    )
    await test.database.db.application.updateMany({
      where: { programId: program.id },
      data: { confirmedAt: test.clock.now },
    })
    const ids = [apply.application.id]
    const approval = await key.propose('APPLICATION', { ids, decision: 'APPROVE' })
    expect(approval.effect).toEqual({ text: 'Approves 1 application.', amountCents: null, currency: null })
    const mail = { subject: 'News', text: 'Hello {{name}}', affiliateIds: [affiliate.id] }
    const writing = await key.propose('MAIL', mail)
    expect(writing.effect.text).toBe('Writes a mail to 1 affiliate.')
    const written = async () =>
      (await program.graphql('{ mails(where: { kind: { equals: MESSAGE } }) { totalCount } }')).mails.totalCount
    expect(await written()).toBe(0)
    await manager.confirm(writing.id)
    expect(await written()).toBe(1)
    await manager.confirm(approval.id)
    const { applications } = await program.graphql('{ applications { nodes { state } } }')
    expect(applications.nodes).toEqual([{ state: 'APPROVED' }])
  })

  it('that the verb would reject is an error at once, and so is an argument that is not known', async () => {
    const { program, key } = await createOffice()
    const { commission, saleId } = await earner(program)
    await expect(key.propose('VOID', { ids: [unknownId] })).rejects.toThrow(`Commission not found: ${unknownId}`)
    await expect(key.propose('VOID', {})).rejects.toThrow("Ids can't be blank")
    await expect(key.propose('VOID', { ids: [commission.id] }, ' ')).rejects.toThrow("Reason can't be blank")
    await expect(key.propose('REFUND', { saleId, amountcents: 100 })).rejects.toThrow(
      'The argument amountcents is not known. Arguments of REFUND are: saleId, externalId, amountCents',
    )
    expect(await key.list()).toEqual([])
  })

  it('shows its new effect if that has changed, and does nothing before it is confirmed again', async () => {
    const { program, key, manager } = await createOffice()
    const { commission } = await earner(program)
    const proposal = await key.propose('VOID', { ids: [commission.id] })
    await program.graphql(
      'mutation ($id: ID!) { amendCommission(input: { id: $id, amountCents: 90000 }) { commission { id } } }',
      { id: commission.id },
    )
    await expect(manager.confirm(proposal.id)).rejects.toThrow(
      'The effect has changed since the proposal was made. It is now: Cancels 1 commission: 900.00 USD less',
    )
    expect(await commissionOf(program, commission.id)).toMatchObject({ state: 'DUE' })
    expect((await key.list())[0]).toMatchObject({ state: 'OPEN', effect: { amountCents: -90_000 } })
    await manager.confirm(proposal.id)
    expect(await commissionOf(program, commission.id)).toMatchObject({ state: 'VOID' })
  })

  it('that can no longer be done stays open, and can be rejected with a reason', async () => {
    const { program, key, manager } = await createOffice()
    const { commission } = await earner(program)
    const proposal = await key.propose('AMEND', { id: commission.id, amountCents: 1 })
    await program.delete(`/commissions/${commission.id}`)
    await expect(manager.confirm(proposal.id)).rejects.toThrow(/void/)
    expect((await key.list())[0]).toMatchObject({ state: 'OPEN' })
    expect(await manager.reject(proposal.id, 'It is void.')).toMatchObject({
      state: 'REJECTED',
      decisionReason: 'It is void.',
    })
    await expect(manager.confirm(proposal.id)).rejects.toThrow('The proposal was rejected already.')
  })

  it('expires after 14 days', async () => {
    const { program, key, manager } = await createOffice()
    const { commission } = await earner(program)
    const proposal = await key.propose('VOID', { ids: [commission.id] })
    test.clock.advanceDays(14)
    expect(await key.list({ state: { equals: 'EXPIRED' } })).toMatchObject([{ id: proposal.id, state: 'EXPIRED' }])
    expect(await key.list({ state: { equals: 'OPEN' } })).toEqual([])
    await expect(manager.confirm(proposal.id)).rejects.toThrow('The proposal expired at 2026-03-24T12:00:00.000Z.')
    test.clock.advanceDays(-14)
  })

  it('can be changed by a person, and has the effect of its new arguments', async () => {
    const { program, key, manager } = await createOffice()
    const { commission } = await earner(program)
    const proposal = await key.propose('AMEND', { id: commission.id, amountCents: 1 })
    await expect(key.update(proposal.id, { arguments: { id: commission.id, amountCents: 2 } })).rejects.toThrow(
      'Only a person',
    )
    const changed = await manager.update(proposal.id, { arguments: { id: commission.id, amountCents: 600 } })
    expect(changed).toMatchObject({ effect: { amountCents: -400 }, state: 'OPEN' })
    await manager.confirm(proposal.id)
    expect(await commissionOf(program, commission.id)).toMatchObject({ amountCents: 600 })
  })
})

describe('who decides', () => {
  it('is a person with the role that the action needs: neither a key, nor the operator token, nor an analyst', async () => {
    const { program, key, member, manager } = await createOffice()
    const { commission } = await earner(program)
    const { id } = await key.propose('VOID', { ids: [commission.id] })
    const analyst = proposalsOf((await member('ANALYST', 'Ana Analyst')).graphql(program.slug))
    const token = proposalsOf(
      graphqlClient(test.app.fetch, {
        Authorization: `Bearer operator-token-of-the-tests`,
        'X-Program-Id': program.slug,
      }),
    )
    await expect(key.confirm(id)).rejects.toThrow('Only a person who is signed in confirms a proposal.')
    await expect(key.reject(id)).rejects.toThrow('Only a person who is signed in rejects a proposal.')
    await expect(token.confirm(id)).rejects.toThrow('Only a person who is signed in confirms a proposal.')
    await expect(analyst.confirm(id)).rejects.toThrow('Your role in this program is analyst.')
    expect(await commissionOf(program, commission.id)).toMatchObject({ state: 'DUE' })
    expect(await manager.confirm(id)).toMatchObject({ state: 'CONFIRMED' })
  })

  it('is somebody else than who proposed or changed it, above the sum for two people', async () => {
    const { program, key, member, manager } = await createOffice()
    await setLimit(program, 999)
    const first = await earner(program)
    const other = proposalsOf((await member('MANAGER', 'Otto Other')).graphql(program.slug))
    const own = await manager.propose('VOID', { ids: [first.commission.id] })
    await expect(manager.confirm(own.id)).rejects.toThrow('Somebody else has to confirm it.')
    expect((await manager.list())[0]).toMatchObject({ refusal: expect.stringContaining('Somebody else') })
    expect(await other.confirm(own.id)).toMatchObject({ state: 'CONFIRMED' })

    // Also if the amount of one currency alone is above it.
    const inTwo = [await earner(program, undefined, { currency: 'eur' }), await earner(program)]
    const both = await manager.propose('VOID', { ids: inTwo.map(({ commission }) => commission.id) })
    expect(both.effect.amountCents).toBeNull()
    await expect(manager.confirm(both.id)).rejects.toThrow('Somebody else has to confirm it.')

    const second = await earner(program)
    const ofKey = await key.propose('AMEND', { id: second.commission.id, amountCents: 5 })
    await manager.update(ofKey.id, { arguments: { id: second.commission.id, amountCents: 9_000 } })
    await expect(manager.confirm(ofKey.id)).rejects.toThrow('Somebody else has to confirm it.')

    await setLimit(program, 1_000_000)
    expect(await manager.confirm(ofKey.id)).toMatchObject({ state: 'CONFIRMED' })
  })

  it('sees only proposals of the own program', async () => {
    const { program, key } = await createOffice()
    const { commission } = await earner(program)
    const { id } = await key.propose('VOID', { ids: [commission.id] })
    const elsewhere = await createOffice()
    expect(await elsewhere.key.list()).toEqual([])
    await expect(elsewhere.manager.confirm(id)).rejects.toThrow(`Proposal not found: ${id}`)
    await expect(elsewhere.key.propose('VOID', { ids: [commission.id] })).rejects.toThrow('Commission not found')
  })

  it('does not include a key that only reads: it proposes nothing', async () => {
    const { program } = await createOffice()
    const { commission } = await earner(program)
    const { createApiKey } = await test.operator(
      'mutation ($id: ID!) { createApiKey(input: { programId: $id, name: "Reader", access: READ }) { secret } }',
      { id: program.id },
    )
    const reader = proposalsOf(graphqlClient(test.app.fetch, { Authorization: `Bearer ${createApiKey.secret}` }))
    await expect(reader.propose('VOID', { ids: [commission.id] })).rejects.toThrow('This key may only read.')
    expect(await listed(program, '/commissions?state=void')).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../support/app.ts'
import {
  createAffiliate,
  createCoupon,
  createLead,
  createSeller,
  listed,
  recordLead,
  recordVisit,
  reportSale,
} from '../support/factories.ts'
import { countBy, isPostgres, needsPostgres, times } from '../support/parallel.ts'

const totalOf = async (program: TestProgram, path: string) => (await program.get(path)).body.pagination.total_count

describe.skipIf(!isPostgres)('concurrent requests', async () => {
  if (!isPostgres) return it(needsPostgres, () => {})
  const app = await createTestApp()
  const dueImmediately = { days_before_commissions_are_due: 0 }

  it.each(['coupon', 'referral', 'email', 'referral without e-mail'])(
    'record 50 first sales of one customer by %s as one conversion',
    async (signal) => {
      const program = await app.createProgram()
      const { affiliate, coupon, link } = await createSeller(program)
      const email = 'first@example.com'
      const signals: Record<string, () => Promise<object>> = {
        coupon: async () => ({ coupon, email }),
        referral: async () => ({ referral_id: (await recordVisit(program, link.token)).id, email }),
        'referral without e-mail': async () => ({ referral_id: (await recordVisit(program, link.token)).id }),
        email: async () => ({ email: (await createLead(program, link.token, email)).email }),
      }
      const sale = { amount_cents: 1000, ...(await signals[signal]?.()) }
      const responses = await times(50, () => program.post('/conversions', sale))
      expect(countBy(responses.map(({ status }) => status))).toEqual({ 201: 50 })
      expect(await listed(program, '/referrals')).toMatchObject([{ conversion_state: 'conversion' }])
      const counted = { visitors: 1, leads: 1, conversions: 1 }
      expect((await program.get(`/affiliates/${affiliate.id}`)).body).toMatchObject(counted)
      expect(await totalOf(program, '/commissions')).toBe(50)
    },
  )

  it('record first sales of one customer through two affiliates as one conversion each', async () => {
    const program = await app.createProgram()
    const sellers = [await createSeller(program), await createSeller(program)]
    const responses = await times(30, (index) => {
      const sale = { amount_cents: 1000, coupon: sellers[index % 2]?.coupon, email: 'both@example.com' }
      return program.post('/conversions', sale)
    })
    expect(countBy(responses.map(({ status }) => status))).toEqual({ 201: 30 })
    for (const { affiliate } of sellers) {
      expect(await totalOf(program, `/referrals?affiliate_id=${affiliate.id}`)).toBe(1)
      expect((await program.get(`/affiliates/${affiliate.id}`)).body.conversions).toBe(1)
    }
  })

  it('respect max_commissions', async () => {
    const program = await app.createProgram()
    const { link } = await createSeller(program, { max_commissions: 3 })
    const sale = { amount_cents: 1000, referral_id: (await recordVisit(program, link.token)).id }
    const responses = await times(30, () => program.post('/conversions', sale))
    expect(responses.filter(({ body }) => body.commission !== null)).toHaveLength(3)
    expect(await totalOf(program, '/commissions')).toBe(3)
  })

  it('count each visit and each lead once', async () => {
    const program = await app.createProgram()
    const affiliate = await createAffiliate(program)
    const visits = await times(20, () => recordVisit(program, affiliate.links[0].token))
    await times(40, (index) => {
      return recordLead(program, visits[index % 2]?.id as string, `lead-${index}@example.com`)
    })
    const counted = { visitors: 20, leads: 2, conversions: 0 }
    const { body } = await program.get(`/affiliates/${affiliate.id}`)
    expect(body).toMatchObject({ ...counted, links: [counted] })
  })

  it('to void, pay and amend the same commissions end in a legal state, and nothing is paid twice', async () => {
    const program = await app.createProgram()
    const { affiliate, coupon } = await createSeller(program, dueImmediately)
    for (let round = 0; round < 8; round++) {
      const commissions = []
      for (let i = 0; i < 4; i++) commissions.push((await reportSale(program, { coupon })).commission)
      const [payout] = await listed(program, '/payouts?state=pending')
      const responses = await Promise.all([
        ...commissions.map(({ id }) => program.delete(`/commissions/${id}`)),
        ...commissions.map(({ id }, index) => program.put(`/commissions/${id}`, { amount: 2000 + index })),
        ...Array.from({ length: 4 }, () => program.post(`/payouts/${payout.id}/pay`)),
        ...Array.from({ length: 2 }, () => program.get('/payouts')),
        reportSale(program, { coupon }).then(() => ({ status: 200, body: {} })),
      ])
      for (const { status, body } of responses) expect([200, 404, 422], JSON.stringify(body)).toContain(status)
    }
    await program.get('/payouts')
    const where = { programId: program.id, affiliateId: affiliate.id }
    const rows = await app.database.db.commission.findMany({ where })
    for (const { paidAt, voidedAt, payoutId } of rows) {
      expect(paidAt !== null && voidedAt !== null).toBe(false)
      expect(payoutId === null).toBe(voidedAt !== null)
    }
    const payouts = await app.database.db.payout.findMany({ where, include: { commissions: true } })
    expect(payouts.filter(({ paidAt }) => paidAt === null).length).toBeLessThanOrEqual(1)
    for (const { amountCents, paidAt, commissions } of payouts) {
      expect(amountCents).toBe(commissions.reduce((sum, commission) => sum + commission.amountCents, 0n))
      expect(commissions.length).toBeGreaterThan(0)
      for (const commission of commissions) expect(commission.paidAt).toEqual(paidAt)
    }
  })

  it('to pay overlapping sets of payouts, in any order, pay each payout once', async () => {
    const program = await app.createProgram()
    const sellers = await times(8, () => createSeller(program, dueImmediately))
    for (const { coupon } of sellers) await reportSale(program, { coupon })
    const ids = (await listed(program, '/payouts')).map(({ id }) => id)
    const mutation = `mutation ($ids: [ID!]!, $reference: String) {
      payPayouts(input: { ids: $ids, reference: $reference }) { payouts { id paidAt reference } }
    }`
    const responses = await times(20, (index) => {
      const rotated = [...ids.slice(index % 8), ...ids.slice(0, index % 8)].slice(0, 5)
      const selection = index % 2 ? rotated : rotated.reverse()
      return program.graphql(mutation, { ids: selection, reference: `run ${index}` })
    })
    const payments = new Map<string, Set<string>>()
    for (const { id, paidAt, reference } of responses.flatMap(({ payPayouts }) => payPayouts.payouts)) {
      payments.set(id, (payments.get(id) ?? new Set()).add(`${paidAt} ${reference}`))
    }
    expect(payments.size).toBe(8)
    // Every response has the one payment, with the reference of the request that made it.
    for (const reported of payments.values()) expect(reported.size).toBe(1)
    const paid = { programId: program.id, kind: 'paid' as const }
    expect(await app.database.db.moneyEvent.count({ where: paid })).toBe(8)
  })

  it('to pay a payout and to void its commissions: it is paid with the expected amount or not at all', async () => {
    const program = await app.createProgram()
    const { coupon } = await createSeller(program, dueImmediately)
    const outcomes: string[] = []
    for (let round = 0; round < 12; round++) {
      const commissions = []
      for (let i = 0; i < 3; i++) commissions.push((await reportSale(program, { coupon })).commission)
      const [payout] = await listed(program, '/payouts?state=pending')
      const mutation = `mutation { payPayout(input: { id: "${payout.id}", expectedAmountCents: ${payout.amount} }) { payout { amountCents } } }`
      const [paid, ...voided] = await Promise.all([
        program.graphql(mutation).then(
          ({ payPayout }) => `paid ${payPayout.payout.amountCents === payout.amount}`,
          (error) => error.errors[0].extensions.code as string,
        ),
        ...commissions.slice(0, 1 + (round % 3)).map(({ id }) => program.delete(`/commissions/${id}`)),
      ])
      outcomes.push(paid)
      const statuses = new Set(voided.map(({ status }) => status))
      // Paid: all three commissions are paid, and every void failed. Rejected: a void came first, and nothing was paid.
      if (paid === 'paid true') expect([...statuses]).toEqual([422])
      else {
        expect(['REFUSED', 'NOT_FOUND']).toContain(paid)
        expect([...statuses]).toEqual([200])
        for (const { id } of commissions) await program.delete(`/commissions/${id}`)
      }
    }
    expect(outcomes).toHaveLength(12)
  })

  it('to advance the clock of one sandbox add up', async () => {
    const program = await app.createProgram({ isSandbox: true })
    const mutation = `mutation { advanceClock(input: { programId: "${program.id}", days: 3 }) { program { clock } } }`
    const clocks = await times(40, () => program.graphql(mutation))
    const { clock } = (await program.graphql('{ program { clock } }')).program
    expect(new Date(clock).getTime() - app.clock.now.getTime()).toBe(120 * 86_400_000)
    expect(clocks).toHaveLength(40)
  })

  it('to read payouts create one open payout per affiliate and currency', async () => {
    const program = await app.createProgram()
    const sellers = await times(4, () => createSeller(program, { days_before_commissions_are_due: 1 }))
    for (const { coupon } of sellers) {
      for (const currency of ['usd', 'eur', 'usd']) await reportSale(program, { coupon, currency })
    }
    app.clock.advanceDays(2)
    const responses = await times(30, () => program.get('/payouts'))
    for (const { status, body } of responses) {
      expect(status).toBe(200)
      expect(body.data).toHaveLength(8)
    }
    const payouts = await listed(program, '/payouts')
    const sums = payouts.map(({ currency, amount }) => `${amount} ${currency}`)
    expect(countBy(sums)).toEqual({ '2000 usd': 4, '1000 eur': 4 })
    expect(new Set(payouts.map((payout) => `${payout.affiliate_id} ${payout.currency}`)).size).toBe(8)
  })

  it('to create affiliates with the same e-mail: one succeeds, the others get 422', async () => {
    const program = await app.createProgram()
    const responses = await times(20, (index) =>
      program.post('/affiliates', { email: index % 2 ? 'Same@example.com' : 'same@example.com' }),
    )
    expect(countBy(responses.map(({ status }) => status))).toEqual({ 201: 1, 422: 19 })
    for (const { status, body } of responses) {
      if (status === 422) expect(body.details).toEqual(['Email has already been taken'])
    }
    expect(await totalOf(program, '/affiliates')).toBe(1)
    expect(await totalOf(program, '/affiliate_links')).toBe(1)
  })

  it('to change affiliates to the same e-mail: one succeeds, the others get 422', async () => {
    const program = await app.createProgram()
    const affiliates = await times(10, () => createAffiliate(program))
    const responses = await Promise.all(
      affiliates.map(({ id }) => program.put(`/affiliates/${id}`, { email: 'wanted@example.com' })),
    )
    expect(countBy(responses.map(({ status }) => status))).toEqual({ 200: 1, 422: 9 })
  })

  it('to create affiliates and links with the same token: one succeeds, the others get 422', async () => {
    const program = await app.createProgram()
    const { id } = await createAffiliate(program)
    const responses = await times(20, (index) =>
      index % 2
        ? program.post('/affiliates', { email: `token-${index}@example.com`, token: 'wanted' })
        : program.post('/affiliate_links', { affiliate_id: id, token: 'WANTED' }),
    )
    expect(countBy(responses.map(({ status }) => status))).toEqual({ 201: 1, 422: 19 })
    for (const { status, body } of responses) {
      if (status === 422) expect(body.details).toEqual(['Token is already in use.'])
    }
    // A failed request leaves no affiliate without a link.
    const affiliates = await listed(program, '/affiliates')
    for (const { links } of affiliates) expect(links.length).toBeGreaterThan(0)
  })

  it('to create affiliates with the same name: each gets a link with its own token', async () => {
    const program = await app.createProgram()
    const affiliates = await times(20, (index) =>
      createAffiliate(program, { email: `twin-${index}@example.com`, first_name: 'Ada' }),
    )
    expect(new Set(affiliates.map(({ links }) => links[0].token)).size).toBe(20)
  })

  it('to record leads of one customer: the affiliate is rewarded once', async () => {
    const program = await app.createProgram()
    const { campaign, affiliate, link } = await createSeller(program)
    const rule = { campaignId: campaign.id, name: 'Leads', appliesTo: 'ALL_SALES', reward: { leadAmountCents: 500 } }
    await program.graphql(
      'mutation ($input: CreateCommissionRuleInput!) { createCommissionRule(input: $input) { __typename } }',
      { input: rule },
    )
    const visits = await times(20, () => recordVisit(program, link.token))
    await Promise.all(visits.map(({ id }) => recordLead(program, id, 'grace@example.com')))
    expect((await program.get(`/affiliates/${affiliate.id}`)).body.leads).toBe(20)
    expect(await totalOf(program, '/commissions')).toBe(1)
  })

  it('to create coupons: the oldest is the first one, and a token is used once', async () => {
    const program = await app.createProgram()
    const { id } = await createAffiliate(program)
    const sameAffiliate = await times(10, (index) =>
      program.post('/affiliate_coupons', { affiliate_id: id, token: `code-${index}` }),
    )
    expect(countBy(sameAffiliate.map(({ status }) => status))).toEqual({ 201: 10 })
    const ids = sameAffiliate.map(({ body }) => body.id).sort()
    expect((await program.get(`/affiliates/${id}`)).body.coupon.id).toBe(ids[0])
    const archive = 'mutation ($id: ID!) { archiveAffiliateCoupon(input: { id: $id }) { __typename } }'
    await Promise.all(ids.slice(0, 9).map((coupon) => program.graphql(archive, { id: coupon })))
    expect((await program.get(`/affiliates/${id}`)).body.coupon.id).toBe(ids[9])
    const affiliates = await times(10, () => createAffiliate(program))
    const sameToken = await Promise.all(
      affiliates.map((affiliate) =>
        program.post('/affiliate_coupons', { affiliate_id: affiliate.id, token: 'one-code' }),
      ),
    )
    expect(countBy(sameToken.map(({ status }) => status))).toEqual({ 201: 1, 422: 9 })
    for (const { status, body } of sameToken)
      if (status === 422) expect(body.details).toEqual(['Token is already in use.'])
    await createCoupon(program, (await createAffiliate(program)).id)
  })
})

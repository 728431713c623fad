import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../support/app.ts'
import { createLead, createSeller, listed, reportSale } from '../support/factories.ts'
import { countBy, isPostgres, needsPostgres, times } from '../support/parallel.ts'

describe.skipIf(!isPostgres)('50 concurrent first sales of one customer', async () => {
  if (!isPostgres) return it(needsPostgres, () => {})
  const app = await createTestApp()

  const sellersOf = async (program: TestProgram) => {
    const sellers = []
    for (let n = 0; n < 5; n += 1) sellers.push(await createSeller(program))
    return sellers
  }
  const salesOf = (program: TestProgram) =>
    app.database.db.sale.findMany({ where: { programId: program.id }, orderBy: { id: 'asc' } })
  const conversionsOf = async (program: TestProgram) =>
    (await listed(program, '/affiliates')).map(({ conversions }) => conversions as number)

  it.each([1, 2, 3])(
    'by the e-mail of a lead of five affiliates are all attributed to the newest lead, as one conversion (%i)',
    async () => {
      const program = await app.createProgram()
      const email = 'lead@example.com'
      let newest = ''
      for (const { link, affiliate } of await sellersOf(program)) {
        await createLead(program, link.token, email)
        newest = affiliate.id
      }
      const responses = await times(50, (n) =>
        program.post('/conversions', { email: n % 2 ? email : 'LEAD@example.com', amount_cents: 1_000 }),
      )
      expect(countBy(responses.map(({ status }) => status))).toEqual({ 201: 50 })
      const sales = await salesOf(program)
      expect(new Set(sales.map(({ affiliateId }) => affiliateId))).toEqual(new Set([newest]))
      expect(new Set(sales.map(({ referralId }) => referralId)).size).toBe(1)
      expect((await conversionsOf(program)).sort()).toEqual([0, 0, 0, 0, 1])
      expect(await listed(program, '/referrals?conversion_state=conversion')).toHaveLength(1)
      expect(await listed(program, '/referrals?conversion_state=lead')).toHaveLength(4)
    },
  )

  it.each([1, 2, 3])(
    'by the coupons of five affiliates and by e-mail only: a coupon decides its own sale, the first recorded sale decides all sales by e-mail, and each affiliate counts one conversion (%i)',
    async () => {
      const program = await app.createProgram()
      const sellers = await sellersOf(program)
      const email = 'shopper@example.com'
      const responses = await times(50, async (n) => {
        const coupon = n % 2 ? undefined : sellers[(n / 2) % 5]?.coupon
        const { status, body } = await program.post('/conversions', { coupon, email, amount_cents: 1_000 })
        return { status, coupon, affiliateId: body.commission?.affiliate_id as string | undefined }
      })
      for (const { status, coupon, affiliateId } of responses) {
        // Before the first sale by coupon is recorded, the e-mail is unknown.
        expect(coupon ? [201] : [201, 422]).toContain(status)
        if (coupon) expect(sellers.find((seller) => seller.coupon === coupon)?.affiliate.id).toBe(affiliateId)
      }
      const [first] = await salesOf(program)
      expect(first?.attributedBy).toBe('coupon')
      const byEmail = responses.filter(({ status, coupon }) => !coupon && status === 201)
      for (const { affiliateId } of byEmail) expect(affiliateId).toBe(first?.affiliateId)
      const { commission } = await reportSale(program, { email })
      expect(commission.affiliate_id).toBe(first?.affiliateId)
      expect(await conversionsOf(program)).toEqual([1, 1, 1, 1, 1])
      expect(await listed(program, '/referrals')).toHaveLength(5)
    },
  )

  it('by one coupon and by e-mail only are one referral and one conversion', async () => {
    const program = await app.createProgram()
    const [seller] = await sellersOf(program)
    await times(50, (n) => {
      const coupon = n % 5 ? undefined : seller?.coupon
      return program.post('/conversions', { coupon, email: 'one@example.com', amount_cents: 1_000 })
    })
    const sales = await salesOf(program)
    expect(new Set(sales.map(({ referralId }) => referralId)).size).toBe(1)
    expect(sales.length).toBeGreaterThanOrEqual(10)
    expect((await conversionsOf(program)).sort()).toEqual([0, 0, 0, 0, 1])
  })

  it('by the referral and by e-mail are one conversion, without a deadlock', async () => {
    const program = await app.createProgram()
    const [seller] = await sellersOf(program)
    const lead = await createLead(program, seller?.link.token)
    const deadlocks = async () => {
      const [row] = await app.database.db.$queryRaw<[{ deadlocks: bigint }]>`
        select deadlocks from pg_stat_database where datname = current_database()`
      return row.deadlocks
    }
    const before = await deadlocks()
    const responses = await times(50, (n) =>
      program.post('/conversions', {
        amount_cents: 1_000,
        ...(n % 2 ? { email: lead.email } : { referral_id: lead.id }),
      }),
    )
    expect(countBy(responses.map(({ status }) => status))).toEqual({ 201: 50 })
    expect((await conversionsOf(program)).sort()).toEqual([0, 0, 0, 0, 1])
    await pause(1_500)
    expect(await deadlocks()).toBe(before)
  })
})

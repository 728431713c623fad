import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { examine } from '../../src/modules/doctor/service.ts'
import { createTestApp } from '../support/app.ts'
import { createAffiliate, createSeller, listed, reportSale } from '../support/factories.ts'
import { expectLegalHistories, expectNothingPaidTwice, kinds, startTraffic } from '../support/money-traffic.ts'
import { isPostgres, needsPostgres, stream, times } from '../support/parallel.ts'

describe.skipIf(!isPostgres)('concurrent requests', async () => {
  if (!isPostgres) return it(needsPostgres, () => {})
  const app = await createTestApp()
  const { db } = app.database
  const seed = randomInt(2 ** 31)

  it(`for 200 commissions (${Object.keys(kinds).join(', ')}): every history is legal, nothing is paid twice (seed ${seed})`, async () => {
    const program = await app.createProgram()
    const coupons = []
    for (let n = 0; n < 8; n += 1) {
      const { coupon } = await createSeller(program, { days_before_commissions_are_due: 0 })
      coupons.push(coupon)
    }
    const traffic = await startTraffic(program, coupons, 200, seed)
    const names = Object.keys(kinds)
    const seen: Record<string, Set<number>> = Object.fromEntries(names.map((name) => [name, new Set()]))
    await stream(1_200, 60, async () => {
      // Enough reports, so that there are always commissions left to change.
      const name = traffic.random() < 0.3 ? 'report' : (names[Math.floor(traffic.random() * names.length)] as string)
      const { status, body } = (await kinds[name]?.(traffic)) ?? { status: 0, body: null }
      seen[name]?.add(status)
      expect([200, 201, 404, 422], `${name}: ${status} ${JSON.stringify(body)}`).toContain(status)
    })
    expect(await expectLegalHistories(db, program.id)).toBeGreaterThan(300)
    expect(await expectNothingPaidTwice(db, program.id)).toBeGreaterThan(5)
    expect(await examine(app.database)).toEqual([])
    // Every kind of change succeeded, and some changes came too late.
    for (const name of names)
      expect(
        [...(seen[name] ?? [])].some((status) => status < 300),
        name,
      ).toBe(true)
    for (const name of ['void', 'amend', 'reschedule']) expect(seen[name]).toContain(422)
  })

  it('to mark a commission as paid and to pay its payout: one of the two pays it, once', async () => {
    const program = await app.createProgram()
    const { coupon } = await createSeller(program, { days_before_commissions_are_due: 0 })
    const winners = new Set<boolean>()
    for (let round = 0; round < 30; round += 1) {
      const [first, second] = [await reportSale(program, { coupon }), await reportSale(program, { coupon })]
      const [payout] = await listed(program, '/payouts?state=pending')
      const mark = () => program.put(`/commissions/${first.commission.id}`, { paid_at: '2026-03-01T00:00:00Z' })
      const pay = () => program.post(`/payouts/${payout.id}/pay`)
      // Each request starts first in half of the rounds, by up to 42 ms, so that each of them wins sometimes.
      const marking = round % 2 ? mark() : undefined
      const paying = round % 2 ? pause((round % 8) * 6).then(pay) : pay()
      if (!marking) await pause((round % 8) * 6)
      const [marked, paid] = [await (marking ?? mark()), await paying]
      const markedFirst = marked.status === 200
      winners.add(markedFirst)
      expect([marked.status, paid.status, paid.body.amount]).toEqual(
        markedFirst ? [200, 200, 1_000] : [422, 200, 2_000],
      )
      const rows = await db.commission.findMany({
        where: { programId: program.id, id: { in: [first.commission.id, second.commission.id] } },
        include: { events: { where: { kind: 'paid' } } },
      })
      for (const { id, payoutId, events } of rows) {
        expect(events).toHaveLength(1)
        expect(payoutId).toBe(markedFirst && id === first.commission.id ? null : payout.id)
      }
    }
    await expectLegalHistories(db, program.id)
    await expectNothingPaidTwice(db, program.id)
    expect(winners.size).toBe(2)
  })

  it('to mark a commission as paid, and then to reverse the payment: it is paid once and reversed once', async () => {
    const program = await app.createProgram()
    const { coupon } = await createSeller(program, { days_before_commissions_are_due: 0 })
    const { commission } = await reportSale(program, { coupon })
    const responses = await times(10, (n) =>
      program.put(`/commissions/${commission.id}`, { paid_at: `2026-03-0${(n % 9) + 1}` }),
    )
    expect(responses.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(1)
    const { body } = await program.get(`/commissions/${commission.id}`)
    for (const response of responses) if (response.status === 200) expect(response.body.paid_at).toBe(body.paid_at)
    const reversals = await times(5, () => program.put(`/commissions/${commission.id}`, { paid_at: null }))
    expect(reversals.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    const events = await db.moneyEvent.findMany({ where: { programId: program.id }, orderBy: { id: 'asc' } })
    expect(events.map(({ kind }) => kind)).toEqual(['earned', 'paid', 'unpaid'])
    expect((await listed(program, '/payouts'))[0].amount).toBe(1_000)
  })

  it('to reverse a refund, and to pay what its debt lowers: the balance is the same in either order', async () => {
    const program = await app.createProgram()
    const { coupon } = await createSeller(program, { days_before_commissions_are_due: 0 })
    const payments = new Set<number>()
    for (let round = 0; round < 30; round += 1) {
      const { sale_id } = await reportSale(program, { coupon })
      const [first] = await listed(program, '/payouts?state=pending')
      await program.post(`/payouts/${first.id}/pay`)
      await reportSale(program, { coupon, amount_cents: 30_000 })
      const { body: refund } = await program.post('/conversions/refund', { sale_id })
      const [payout] = await listed(program, '/payouts?state=pending')
      const reverse = () => program.post('/conversions/refund/reverse', { refund_id: refund.id })
      const pay = () => program.post(`/payouts/${payout.id}/pay`)
      const started = round % 2 ? reverse() : undefined
      const paying = round % 2 ? pause((round % 8) * 6).then(pay) : pay()
      if (!started) await pause((round % 8) * 6)
      const reversals = await Promise.all([started ?? reverse(), reverse()])
      const paid = await paying
      expect([paid.status, ...reversals.map(({ status }) => status)]).toEqual([200, 200, 200])
      expect(new Set(reversals.map(({ body }) => body.credit_commission?.id)).size).toBe(1)
      payments.add(paid.body.amount)
      for (const { id } of await listed(program, '/payouts?state=pending')) await program.post(`/payouts/${id}/pay`)
      const payouts = await listed(program, '/payouts?state=paid&limit=100')
      expect(payouts.reduce((sum, { amount }) => sum + amount, 0)).toBe(4_000 * (round + 1))
    }
    await expectLegalHistories(db, program.id)
    await expectNothingPaidTwice(db, program.id)
    expect([...payments].sort()).toEqual([2_000, 3_000])
  })

  it('to change one affiliate: the change history is a chain without gaps', async () => {
    const program = await app.createProgram()
    const { id, links } = await createAffiliate(program, { last_name: 'name-0', token: 'token-0' })
    const responses = await times(40, (n) =>
      n % 2
        ? program.put(`/affiliates/${id}`, { last_name: `name-${n}`, state: n % 4 === 1 ? 'disabled' : 'active' })
        : program.put(`/affiliate_links/${links[0].id}`, { token: `token-${n + 1}` }),
    )
    for (const { status } of responses) expect(status).toBe(200)
    const changes = await db.change.findMany({
      where: { programId: program.id, subjectId: id, action: { in: ['updated', 'link_token_changed'] } },
      orderBy: { id: 'asc' },
    })
    expect(changes).toHaveLength(40)
    const current: Record<string, unknown> = { lastName: 'name-0', state: 'active', token: 'token-0' }
    for (const { fields } of changes) {
      for (const [field, [from, to]] of Object.entries(fields as Record<string, [unknown, unknown]>)) {
        expect(from, field).toBe(current[field])
        current[field] = to
      }
    }
    const { body } = await program.get(`/affiliates/${id}`)
    expect(current).toEqual({ lastName: body.last_name, state: body.state, token: body.links[0].token })
  })
})

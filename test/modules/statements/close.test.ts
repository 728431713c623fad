import { describe, expect, it } from 'vitest'
import { encryptSecret } from '../../../src/kernel/encryption.ts'
import { closeDueMonths } from '../../../src/modules/statements/close-due.ts'
import { createTestApp, testKey } from '../../support/app.ts'
import { silentLog } from '../../support/database.ts'
import { createAffiliate, createSeller, listed, reportSale } from '../../support/factories.ts'
import { brief, closeMonth, type ReadStatement, sumOf } from '../../support/statements.ts'

const test = await createTestApp({ startsAt: '2026-10-10T12:00:00.000Z' })

/** A program of its own, whose tests move the one clock of the file: each begins with a new month. */
async function begin(month: string, more: Parameters<typeof test.createProgram>[0] = {}) {
  const to = Date.parse(`${month}-10T12:00:00.000Z`)
  if (to > test.clock.now.getTime()) test.clock.advanceMinutes((to - test.clock.now.getTime()) / 60_000)
  const program = await test.createProgram(more)
  const seller = await createSeller(program, { days_before_commissions_are_due: 0 })
  return { program, ...seller }
}

const until = (time: string) => test.clock.advanceMinutes((Date.parse(time) - test.clock.now.getTime()) / 60_000)

describe('closing a month', () => {
  it('lists what was booked, and the next statement opens where it closed', async () => {
    const { program, affiliate, coupon } = await begin('2026-10')
    await reportSale(program, { coupon, external_id: 'in-1', amount_cents: 4_900 })
    await reportSale(program, { coupon, external_id: 'in-2', amount_cents: 10_000 })
    until('2026-11-02T08:00:00.000Z')
    await reportSale(program, { coupon, external_id: 'in-3', amount_cents: 2_000, occurred_at: '2026-10-31T23:00:00Z' })

    const [october] = await closeMonth(program, '2026-10')
    expect(october).toMatchObject({ month: '2026-10', number: 1, currency: 'usd', affiliateId: affiliate.id })
    expect(brief(october as ReadStatement)).toEqual([
      ['commission', 490],
      ['commission', 1_000],
    ])
    expect([october?.openingCents, october?.closingCents]).toEqual([0, 1_490])

    until('2026-12-01T00:00:00.000Z')
    const [november] = await closeMonth(program, '2026-11')
    expect(november).toMatchObject({ number: 2, openingCents: 1_490, closingCents: 1_690, previousHash: october?.hash })
    expect(november?.lines).toMatchObject([{ kind: 'commission', amountCents: 200, month: '2026-10' }])
    expect(november && november.openingCents + sumOf(november)).toBe(november?.closingCents)
  })

  it('is refused before the end of the month, before the program, and out of order', async () => {
    const { program } = await begin('2027-01')
    await expect(closeMonth(program, '2027-01')).rejects.toThrow('not over yet')
    await expect(closeMonth(program, '2026-12')).rejects.toThrow('its first month is 2027-01')
    await expect(closeMonth(program, '2027-13')).rejects.toThrow('such as 2026-10')
    until('2027-04-01T00:00:00.000Z')
    await closeMonth(program, '2027-01')
    await expect(closeMonth(program, '2027-03')).rejects.toThrow('2027-02, which is not closed yet')
    await closeMonth(program, '2027-02')
    await expect(closeMonth(program, '2026-12')).rejects.toThrow('closed in order')
  })

  it('returns the same statements when it is repeated', async () => {
    const { program, coupon } = await begin('2027-05')
    await reportSale(program, { coupon })
    until('2027-06-01T00:00:00.000Z')
    const first = await closeMonth(program, '2027-05')
    await reportSale(program, { coupon })
    expect(await closeMonth(program, '2027-05')).toEqual(first)
  })

  it('lists refunds, what is changed by hand, payments and what earned nothing', async () => {
    const { program, affiliate, campaign, coupon } = await begin('2027-07')
    await reportSale(program, { coupon, external_id: 'a', amount_cents: 10_000 })
    const b = await reportSale(program, { coupon, external_id: 'b', amount_cents: 20_000 })
    await reportSale(program, { coupon, external_id: 'c', amount_cents: 1 })
    await program.graphql(
      'mutation { refundSale(input: { externalId: "a", amountCents: 2500, refundExternalId: "r" }) { sale { id } } }',
    )
    const commission = b.commissions?.[0]?.id ?? (await listed(program, '/commissions'))[0].id
    await program.graphql(
      'mutation ($id: ID!) { amendCommission(input: { id: $id, amountCents: 1500 }) { commission { id } } }',
      { id: commission },
    )
    await program.graphql(
      'mutation ($id: ID!) { createCommission(input: { kind: BONUS, affiliateId: $id, amountCents: 300, reason: "Thanks, Ada" }) { commission { id } } }',
      { id: affiliate.id },
    )
    const [payout] = await listed(program, '/payouts')
    await program.graphql(
      'mutation ($id: ID!) { payPayout(input: { id: $id, reference: "TX-1" }) { payout { id } } }',
      { id: payout.id },
    )
    await program.graphql(
      'mutation { refundSale(input: { externalId: "b", amountCents: 20000, refundExternalId: "r2" }) { sale { id } } }',
    )
    until('2027-08-01T00:00:00.000Z')
    const [july] = await closeMonth(program, '2027-07')
    expect(campaign.id).toBeTruthy()
    expect(july && brief(july)).toEqual([
      ['commission', 1_000],
      ['commission', 2_000],
      ['nothing', 0],
      ['refund', -250],
      ['amended', -500],
      ['bonus', 300],
      ['payment', -2_550],
      ['refund', -1_500],
    ])
    expect(july?.closingCents).toBe(-1_500)
  })

  it('by the clock goes on with the next program if a key cannot be used', async () => {
    const [{ program: broken }, { program: next }] = [await begin('2027-11'), await begin('2027-11')]
    await broken.graphql('mutation { rotateStatementKey(input: {}) { keyId } }')
    const { db } = test.database
    await db.program.updateMany({ where: { id: { in: [broken.id, next.id] } }, data: { closesMonthsAfterDays: 1 } })
    const secret = encryptSecret(Buffer.alloc(32, 1), 'of another installation', 'd')
    await db.statementKey.updateMany({ where: { programId: broken.id }, data: { secret } })
    until('2027-12-01T12:00:00.000Z')
    await expect(closeMonth(broken, '2027-11')).rejects.toThrow('encrypted with another key')
    until('2027-12-03T12:00:00.000Z')
    const closing = { db, now: () => test.clock.now, log: silentLog, key: testKey }
    await closeDueMonths(closing)
    const months = (programId: string) =>
      db.statementMonth.findMany({ where: { programId }, select: { closedAt: true } })
    expect(await months(next.id)).toEqual([{ closedAt: test.clock.now }])
    expect(await months(broken.id)).toEqual([{ closedAt: null }])
    await broken.graphql('mutation { rotateStatementKey(input: {}) { keyId } }')
    await closeDueMonths(closing)
    expect(await months(broken.id)).toEqual([{ closedAt: test.clock.now }])
  })

  it.each(['9999-12', '0000-01'])('knows no month %s, of which there are no times', async (month) => {
    const { program } = await begin('2028-01')
    const of = 'query ($month: String!) { reconciliation(month: $month) { month } }'
    await expect(program.graphql(of, { month })).rejects.toThrow('such as 2026-10')
  })

  it('has no statement for an affiliate of whom nothing is known', async () => {
    const { program } = await begin('2028-03')
    await createAffiliate(program)
    until('2028-04-01T00:00:00.000Z')
    expect(await closeMonth(program, '2028-03')).toEqual([])
  })
})

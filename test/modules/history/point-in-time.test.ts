import { describe, expect, it } from 'vitest'
import { changedFields } from '../../../src/modules/history/fields.ts'
import { affiliateCampaignIdAsOf, campaignAsOf, rowAsOf } from '../../../src/modules/history/point-in-time.ts'
import { createTestApp } from '../../support/app.ts'
import { createAffiliate, createCampaign } from '../../support/factories.ts'

const instant = (day: number, ms = 0) => new Date(Date.UTC(2026, 0, day, 12, 0, 0, ms))
type Values = Record<string, bigint | number | string | Date | null>

/** A change as an update records it. */
const changed = (
  day: number,
  before: Values,
  after: Values,
  more: { ms?: number; id?: string; action?: string } = {},
) => ({
  id: more.id ?? `id-${day}`,
  action: more.action ?? 'updated',
  at: instant(day, more.ms),
  fields: changedFields('campaign', before, after),
})

describe('rowAsOf', () => {
  const row = { id: 'x', name: 'third', minimumPayoutCents: 3n, commissionAmountCents: null, updatedAt: instant(9) }
  const changes = [
    changed(2, { name: 'first', minimumPayoutCents: 1n }, { name: 'second', minimumPayoutCents: 2n }),
    changed(4, { name: 'second' }, { name: 'third' }),
    changed(6, { minimumPayoutCents: 2n }, { minimumPayoutCents: 3n }),
    changed(8, { commissionAmountCents: 2n ** 53n - 1n }, { commissionAmountCents: null }),
  ]

  it.each([
    ['before all changes', instant(1), { name: 'first', minimumPayoutCents: 1n }],
    ['a millisecond before the first', instant(1, 86_399_999), { name: 'first', minimumPayoutCents: 1n }],
    ['at the instant of the first, which is in force', instant(2), { name: 'second', minimumPayoutCents: 2n }],
    ['between the first and the second', instant(3), { name: 'second', minimumPayoutCents: 2n }],
    ['at the instant of the second', instant(4), { name: 'third', minimumPayoutCents: 2n }],
    ['at the instant of the third', instant(6), { name: 'third', minimumPayoutCents: 3n }],
  ])('%s', (_label, moment, expected) => {
    const whole = { ...row, commissionAmountCents: 2n ** 53n - 1n, ...expected }
    expect(rowAsOf('campaign', row, changes, moment)).toEqual(whole)
    expect(rowAsOf('campaign', row, [...changes].reverse(), moment)).toEqual(whole)
  })

  it('returns the current row for a time after all changes', () => {
    for (const moment of [instant(8), instant(30)]) expect(rowAsOf('campaign', row, changes, moment)).toEqual(row)
    expect(rowAsOf('campaign', row, [], instant(1))).toEqual(row)
  })

  it('orders two changes of the same millisecond by id', () => {
    const twice = [
      changed(2, { name: 'second' }, { name: 'third' }, { id: 'b' }),
      changed(2, { name: 'first' }, { name: 'second' }, { id: 'a' }),
    ]
    expect(rowAsOf('campaign', row, twice, instant(1)).name).toBe('first')
    expect(rowAsOf('campaign', row, twice, instant(2)).name).toBe('third')
  })

  it('restores timestamps as dates, and null as null', () => {
    const affiliate = { email: 'a@b.test', confirmedAt: instant(5) as Date | null, lastName: 'King' as string | null }
    const fields = changedFields('affiliate', { ...affiliate, confirmedAt: instant(3), lastName: null }, affiliate)
    const was = rowAsOf('affiliate', affiliate, [{ id: '1', action: 'updated', at: instant(5), fields }], instant(4))
    expect(was).toEqual({ email: 'a@b.test', confirmedAt: instant(3), lastName: null })
  })

  it("ignores changes of links and the row's creation", () => {
    const affiliate = { email: 'a@b.test' }
    const fields = { token: [null, 'ada'], email: [null, 'a@b.test'] }
    const made = [
      { id: '1', action: 'created', at: instant(5), fields },
      { id: '2', action: 'link_created', at: instant(5), fields: { token: fields.token as string[] } },
    ]
    expect(rowAsOf('affiliate', affiliate, made, instant(1))).toEqual(affiliate)
  })
})

describe('with recorded changes', async () => {
  const app = await createTestApp()
  const program = await app.createProgram()
  const { db } = app.database
  const keyOf = (id: string) => ({ where: { programId_id: { programId: program.id, id } } })

  it('campaignAsOf returns the rules in force at a date', async () => {
    const { id } = await createCampaign(program, { commission_percent: 10 })
    const rules = []
    for (const change of [
      { commission_amount_cents: Number.MAX_SAFE_INTEGER },
      { commission_percent: 30.5 },
      { name: 'New' },
    ]) {
      rules.push({ at: app.clock.now, campaign: await db.campaign.findUniqueOrThrow(keyOf(id)) })
      app.clock.advanceDays(1)
      await program.put(`/campaigns/${id}`, change)
    }
    const now = await db.campaign.findUniqueOrThrow(keyOf(id))
    expect(await campaignAsOf(db.sql, now, app.clock.now)).toEqual(now)
    for (const { at, campaign } of rules) {
      const { updatedAt, ...rule } = campaign
      expect(await campaignAsOf(db.sql, now, at)).toMatchObject(rule)
    }
    expect(rules.map(({ campaign }) => campaign.commissionAmountCents)).toEqual([null, 2n ** 53n - 1n, null])
  })

  it('affiliateCampaignIdAsOf returns the campaign of a date', async () => {
    const affiliate = await createAffiliate(program)
    const other = await createCampaign(program)
    const made = app.clock.now
    app.clock.advanceDays(2)
    await program.put(`/affiliates/${affiliate.id}`, { campaign_id: other.id })
    const moved = app.clock.now
    const row = await db.affiliate.findUniqueOrThrow(keyOf(affiliate.id))
    const wasIn = (at: Date) => affiliateCampaignIdAsOf(db.sql, row, at)
    expect(await wasIn(made)).toBe(affiliate.campaign.id)
    expect(await wasIn(new Date(moved.getTime() - 1))).toBe(affiliate.campaign.id)
    expect(await wasIn(moved)).toBe(other.id)
  })
})

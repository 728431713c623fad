import { expect, it } from 'vitest'
import { everyWeek, sinceLately } from '../../../src/pages/dashboard/analytics/weeks.ts'

/** Midnight here, so that the test holds in every time zone. */
const midnight = (year: number, month: number, day: number) => new Date(year, month - 1, day).toISOString()

it('fills the weeks between those with an amount, also across a change of the clock', () => {
  const weeks = [
    { start: midnight(2026, 3, 16), amount: { amountCents: 500 } },
    { start: midnight(2026, 4, 6), amount: { amountCents: 700 } },
    { start: midnight(2026, 4, 13), amount: { amountCents: -20 } },
  ]
  expect(everyWeek(weeks)).toEqual([
    { start: midnight(2026, 3, 16), value: 500 },
    { start: midnight(2026, 3, 23), value: 0 },
    { start: midnight(2026, 3, 30), value: 0 },
    { start: midnight(2026, 4, 6), value: 700 },
    { start: midnight(2026, 4, 13), value: -20 },
  ])
  expect(everyWeek([])).toEqual([])
})

it('begins four weeks before now, and adds up what was due before', () => {
  const week = (month: number, day: number, amountCents: number) => ({
    start: midnight(2026, month, day),
    amount: { amountCents },
  })
  const weeks = [week(1, 5, 70), week(1, 12, 5), week(3, 16, 500), week(4, 6, 700)]
  const now = new Date(2026, 2, 25).getTime()
  expect(sinceLately(weeks, now)).toEqual({ earlier: 75, weeks: weeks.slice(2) })
  expect(sinceLately(weeks.slice(2), now)).toEqual({ earlier: undefined, weeks: weeks.slice(2) })
  expect(sinceLately(weeks.slice(0, 1), now)).toEqual({ earlier: 70, weeks: [] })
})

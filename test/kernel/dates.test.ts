import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addDays, addMonths, instantText } from '../../src/kernel/dates.ts'

it.each([
  ['2026-01-31T10:00:00.000Z', 1, '2026-02-28T10:00:00.000Z', 'January ends later than February'],
  ['2024-01-31T10:00:00.000Z', 1, '2024-02-29T10:00:00.000Z', 'a leap year'],
  ['2024-02-29T10:00:00.000Z', 12, '2025-02-28T10:00:00.000Z', 'a leap day has no anniversary'],
  ['2024-02-29T10:00:00.000Z', 48, '2028-02-29T10:00:00.000Z', 'but every fourth year'],
  ['2096-02-29T10:00:00.000Z', 48, '2100-02-28T10:00:00.000Z', '2100 is no leap year'],
  ['2026-01-31T10:00:00.000Z', 2, '2026-03-31T10:00:00.000Z', 'the day comes back'],
  ['2026-03-31T23:59:59.999Z', 1, '2026-04-30T23:59:59.999Z', 'the time of day stays'],
  ['2026-12-31T00:00:00.000Z', 2, '2027-02-28T00:00:00.000Z', 'over the end of the year'],
  ['2026-05-15T00:00:00.000Z', 1200, '2126-05-15T00:00:00.000Z', 'a hundred years'],
])('%s and %i months: %s (%s)', (from, months, expected) => {
  expect(addMonths(new Date(from), months).toISOString()).toBe(expected)
})

it('adds months and keeps the day, or uses the last day of a shorter month', () => {
  const date = fc.date({ min: new Date('1970-01-01'), max: new Date('2199-12-31'), noInvalidDate: true })
  fc.assert(
    fc.property(date, fc.integer({ min: 1, max: 1200 }), (from, months) => {
      const to = addMonths(from, months)
      const monthOf = (at: Date) => at.getUTCFullYear() * 12 + at.getUTCMonth()
      expect(monthOf(to) - monthOf(from)).toBe(months)
      const nextDay = addDays(to, 1)
      const isLastDay = nextDay.getUTCDate() === 1
      expect(to.getUTCDate() === from.getUTCDate() || (isLastDay && to.getUTCDate() < from.getUTCDate())).toBe(true)
      expect(to.getTime() % 86_400_000).toBe(from.getTime() % 86_400_000)
    }),
  )
})

it('does not change its argument', () => {
  const date = new Date('2026-01-31T10:00:00.000Z')
  addMonths(date, 1)
  addDays(date, 1)
  expect(date.toISOString()).toBe('2026-01-31T10:00:00.000Z')
})

it('a day is always 24 hours, also when a time zone changes its offset', () => {
  expect(addDays(new Date('2026-03-28T12:00:00.000Z'), 2).toISOString()).toBe('2026-03-30T12:00:00.000Z')
})

it('every time is written as JavaScript writes it', () => {
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true }), (instant) => {
      expect(instantText(instant)).toBe(instant.toISOString())
    }),
    { numRuns: 2_000 },
  )
})

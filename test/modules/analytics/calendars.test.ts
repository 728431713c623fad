import { describe, expect, it } from 'vitest'
import { dayMs, startOfDay } from '../../../src/kernel/time-zone.ts'
import { calendarOf, dayStartIn, localIn, utc } from '../../../src/modules/analytics/calendars.ts'

const days = (from: number, to: number) => {
  const first = Date.UTC(from) / dayMs
  return Array.from({ length: Date.UTC(to) / dayMs - first }, (_, n) => first + n)
}

// Clocks change at midnight in Havana, and at a minute past it in St. John's, where they went back to the day before until
// 2011. Apia skipped a day. Kathmandu has an offset of 5:45.
describe.each([
  'Europe/Berlin',
  'America/Los_Angeles',
  'America/Havana',
  'America/St_Johns',
  'Pacific/Apia',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
])('the calendar of %s', (timeZone) => {
  const calendar = calendarOf(timeZone)

  it('has the days of the zone', () => {
    for (const day of days(1990, 2035)) {
      const start = dayStartIn(calendar, day)
      if (start !== startOfDay(day, timeZone)) expect.fail(`${new Date(day * dayMs).toISOString()} starts at ${start}`)
    }
  })

  it('puts each time into the day that has begun', () => {
    for (const day of days(2000, 2020)) {
      const [start, end] = [dayStartIn(calendar, day), dayStartIn(calendar, day + 1)]
      for (const ms of start < end ? [start, start + 90 * 60_000, end - 90 * 60_000, end - 1] : [])
        if (Math.floor(localIn(calendar, ms) / dayMs) !== day)
          expect.fail(`${new Date(ms).toISOString()} is another day`)
    }
  })
})

it('zones with the same days share a calendar', () => {
  expect(calendarOf('Europe/Paris').id).toBe(calendarOf('Europe/Berlin').id)
  expect(calendarOf('Etc/UTC')).toBe(utc)
  expect(calendarOf('Europe/London').id).not.toBe(calendarOf('Europe/Berlin').id)
})

import { dayMs, dayOf, momentOf } from '../../../kernel/time-zone.ts'

/** Weekdays from Monday on. */
export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

export type Days = { daysOfMonth: readonly number[]; weekdays: readonly (typeof weekdays)[number][] }

/** When the runs of a day are made, in the time zone of the program: at the time of the daily mails. */
const startMs = 7 * 3_600_000

/** The longest time between two days of a schedule. */
const mostDays = 31

/** @property day `2026-03-01` @property at when its runs are made */
export type ScheduledDay = { day: string; at: Date }

const scheduledDay = (day: number, timeZone: string): ScheduledDay => ({
  day: new Date(day * dayMs).toISOString().slice(0, 10),
  at: new Date(momentOf(day * dayMs + startMs, timeZone)),
})

/** Whether a day has runs. A day that a month lacks is its last. @param day the number of days since 1970 */
function isOn(day: number, { daysOfMonth, weekdays: chosen }: Days): boolean {
  const date = new Date(day * dayMs)
  const ofMonth = date.getUTCDate()
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  // Sunday is 0 there.
  const weekday = weekdays[(date.getUTCDay() + 6) % 7]
  return (
    daysOfMonth.some((one) => one === ofMonth || (ofMonth === last && one > last)) ||
    chosen.some((one) => one === weekday)
  )
}

/** The latest day whose runs are to be made by now, after `since`. Earlier ones that were missed are left out. */
export function dueDay(days: Days, since: Date, now: Date, timeZone: string): ScheduledDay | null {
  const today = dayOf(now.getTime(), timeZone)
  for (let day = today; day >= today - mostDays; day -= 1) {
    const found = scheduledDay(day, timeZone)
    if (found.at <= since) return null
    if (found.at <= now && isOn(day, days)) return found
  }
  return null
}

/** The next day on which runs are made. Null if the schedule has no days. */
export function nextDay(days: Days, now: Date, timeZone: string): ScheduledDay | null {
  const today = dayOf(now.getTime(), timeZone)
  for (let day = today; day <= today + mostDays; day += 1) {
    const found = scheduledDay(day, timeZone)
    if (found.at > now && isOn(day, days)) return found
  }
  return null
}

import { addDays, addMonths } from '../../kernel/calendar.ts'
import type { Random } from './random.ts'

/** From Sunday to Saturday: business software is looked for on working days. */
const weekdays = [0.5, 1.1, 1.2, 1.2, 1.15, 0.95, 0.55]
/** From January to December: a slow summer, a strong autumn. */
const months = [1.05, 1, 1.05, 1, 0.95, 0.9, 0.75, 0.7, 1.05, 1.1, 1.3, 1]
/** How many of a day's visits fall into each hour, UTC. */
const hours = [1, 1, 1, 1, 1, 2, 3, 5, 7, 9, 10, 10, 9, 10, 11, 11, 10, 9, 8, 7, 6, 4, 3, 2]

export type Period = { start: Date; now: Date }

/** A year and a month, so that the twelve months of a campaign have ended for the first customers. */
export const periodUntil = (now: Date): Period => ({ start: addMonths(now, -13), now })

export const startOfDay = (date: Date) =>
  new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()))

/** The days, each by its midnight UTC, that touch the time between. */
export function* daysBetween(from: Date, until: Date): Generator<Date> {
  for (let day = startOfDay(from); day < until; day = addDays(day, 1)) yield day
}

/** How busy a day is; 1 is a day of the program's last months. After the launch it doubles over the year. */
export function busyness(day: Date, { start, now }: Period): number {
  const progress = Math.max(0, (day.getTime() - start.getTime()) / (now.getTime() - start.getTime()))
  const launch = progress < 0.07 ? 2 : 1
  return launch * (0.55 + 0.55 * progress) * (weekdays[day.getUTCDay()] ?? 1) * (months[day.getUTCMonth()] ?? 1)
}

export const momentOf = (day: Date, random: Random) =>
  new Date(day.getTime() + Math.floor((random.weighted(hours) + random.unit()) * 3_600_000))

export const minutesAfter = (date: Date, minutes: number) => new Date(date.getTime() + Math.round(minutes * 60_000))

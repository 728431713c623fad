import { addDays, addMonths } from '../../kernel/dates.ts'
import type { Random } from './random.ts'

/** The weight of each day, from Sunday to Saturday. Business software is bought on working days. */
const weekdays = [0.5, 1.1, 1.2, 1.2, 1.15, 0.95, 0.55]
/** The weight of each month, from January to December: a slow summer and a strong autumn. */
const months = [1.05, 1, 1.05, 1, 0.95, 0.9, 0.75, 0.7, 1.05, 1.1, 1.3, 1]
/** The weight of each hour of the day, in UTC. */
const hours = [1, 1, 1, 1, 1, 2, 3, 5, 7, 9, 10, 10, 9, 10, 11, 11, 10, 9, 8, 7, 6, 4, 3, 2]

export type Period = { start: Date; now: Date }

/** How long the program has run: each of the last twelve months has one of the year before. */
export const demoMonths = 25

export const periodUntil = (now: Date, months: number): Period => ({ start: addMonths(now, -months), now })

export const startOfDay = (date: Date) =>
  new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()))

/** The UTC midnights of all days that overlap the time between. */
export function* daysBetween(from: Date, until: Date): Generator<Date> {
  for (let day = startOfDay(from); day < until; day = addDays(day, 1)) yield day
}

/**
 * The activity of a day: 0.35 is typical for the last months. It grows threefold over the two years, to some
 * 3,000 sales: enough for charts, and soon created.
 */
export function busyness(day: Date, { start, now }: Period): number {
  const progress = Math.max(0, (day.getTime() - start.getTime()) / (now.getTime() - start.getTime()))
  const launch = progress < 0.035 ? 2 : 1
  return launch * (0.11 + 0.25 * progress) * (weekdays[day.getUTCDay()] ?? 1) * (months[day.getUTCMonth()] ?? 1)
}

export const momentOf = (day: Date, random: Random) =>
  new Date(day.getTime() + Math.floor((random.weighted(hours) + random.unit()) * 3_600_000))

export const minutesAfter = (date: Date, minutes: number) => new Date(date.getTime() + Math.round(minutes * 60_000))

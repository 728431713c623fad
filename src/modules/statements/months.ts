import { localOf, momentOf } from '../../kernel/time-zone.ts'

/** `2026-10`, of the years that the service has. */
export const isMonth = (text: string): boolean => /^2[01]\d{2}-(0[1-9]|1[0-2])$/.test(text)

const named = (local: Date): string => local.toISOString().slice(0, 7)

/** The month of a time zone that contains a time. */
export const monthAt = (at: Date, timeZone: string): string => named(new Date(localOf(at.getTime(), timeZone)))

const firstDay = (month: string, more = 0): number =>
  Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)) - 1 + more)

export const monthAfter = (month: string): string => named(new Date(firstDay(month, 1)))

/** When a month begins in a time zone, and when the next one does. */
export const spanOf = (month: string, timeZone: string): { fromAt: Date; untilAt: Date } => ({
  fromAt: new Date(momentOf(firstDay(month), timeZone)),
  untilAt: new Date(momentOf(firstDay(month, 1), timeZone)),
})

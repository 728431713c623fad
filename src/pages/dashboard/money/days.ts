/** The condition for times from the start of one day to the end of another, in the browser's time zone. */
export function betweenDays(
  from: string | undefined,
  to: string | undefined,
): { gte?: string; lt?: string } | undefined {
  const [start, end] = [startOf(from, 0), startOf(to, 1)]
  return start || end ? { ...(start && { gte: start }), ...(end && { lt: end }) } : undefined
}

/** The last instant of a day, or undefined for other text. */
export function endOf(day: string | undefined): string | undefined {
  const next = startOf(day, 1)
  return next && new Date(Date.parse(next) - 1).toISOString()
}

/** Noon of a day, or the text if it is no day. */
export function noonOf(day: string): string {
  const midnight = startOf(day, 0)
  return midnight ? new Date(Date.parse(midnight) + 12 * 3_600_000).toISOString() : day
}

/** Today as a date field has it: 2026-03-01. */
export const today = (): string => dayOf(new Date())

/** The day of an instant in the browser's time zone, as a date field has it. */
export function dayOf(at: Date): string {
  const two = (part: number) => String(part).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}

function startOf(day: string | undefined, plusDays: number): string | undefined {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day ?? '') ?? []
  if (year === undefined) return undefined
  return new Date(Number(year), Number(month) - 1, Number(date) + plusDays).toISOString()
}

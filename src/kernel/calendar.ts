const dayMilliseconds = 86_400_000

export function addDays(date: Date, days: number): Date {
  return new Date(date.getTime() + days * dayMilliseconds)
}

/** Adds calendar months in UTC. A day that the month does not have becomes its last day: 31 January + 1 month = 28 or 29 February. */
export function addMonths(date: Date, months: number): Date {
  const result = new Date(date)
  result.setUTCDate(1)
  result.setUTCMonth(result.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(result.getUTCFullYear(), result.getUTCMonth() + 1, 0)).getUTCDate()
  result.setUTCDate(Math.min(date.getUTCDate(), lastDay))
  return result
}

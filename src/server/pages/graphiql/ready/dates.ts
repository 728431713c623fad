/** From its first moment to the first that is no longer in it, in the zone of the browser. */
export type Week = { from: string; to: string }

/** The week after this one, Monday to Monday. */
export function nextWeek(now: Date): Week {
  const daysToMonday = 7 - ((now.getDay() + 6) % 7)
  const midnight = (days: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days).toISOString()
  return { from: midnight(daysToMonday), to: midnight(daysToMonday + 7) }
}

/** A week in the browser's time zone. `from` is inclusive, `to` is exclusive. */
export type Week = { from: string; to: string }

/** Returns the week after the current one, from Monday to Monday. */
export function nextWeek(now: Date): Week {
  const daysToMonday = 7 - ((now.getDay() + 6) % 7)
  const midnight = (days: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days).toISOString()
  return { from: midnight(daysToMonday), to: midnight(daysToMonday + 7) }
}

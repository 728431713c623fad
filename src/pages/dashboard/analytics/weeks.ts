type Week = { start: string; amount: { amountCents: number } }

const weekMs = 7 * 86_400_000

/**
 * The amounts of consecutive weeks: the given ones, and 0 for those between them. Weeks begin at midnight of the runtime's
 * time zone.
 * @param weeks in ascending order
 */
export const everyWeek = (weeks: readonly Week[]): { start: string; value: number }[] =>
  weeks.flatMap(({ start, amount }, index) => {
    const next = weeks[index + 1]
    // Rounded, because a week in which the clock changes is an hour longer or shorter.
    const count = next ? Math.round((Date.parse(next.start) - Date.parse(start)) / weekMs) : 1
    return Array.from({ length: count }, (_, later) => {
      const day = new Date(start)
      day.setDate(day.getDate() + 7 * later)
      return { start: day.toISOString(), value: later === 0 ? amount.amountCents : 0 }
    })
  })

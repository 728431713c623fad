type Week = { start: string; amount: { amountCents: number } }

const weekMs = 7 * 86_400_000

/** The weeks before this one that are shown one by one. What is due for longer is one amount. */
const shownBefore = 4

/**
 * Leaves out the weeks long ago: their amounts are added up in the first entry, which has no week of its own then.
 * @param weeks in ascending order
 */
export function sinceLately(
  weeks: readonly Week[],
  now: number,
): { earlier: number | undefined; weeks: readonly Week[] } {
  const first = weeks.findIndex(({ start }) => Date.parse(start) + weekMs > now - shownBefore * weekMs)
  const count = first === -1 ? weeks.length : first
  if (count === 0) return { earlier: undefined, weeks }
  const earlier = weeks.slice(0, count).reduce((sum, { amount }) => sum + amount.amountCents, 0)
  return { earlier, weeks: weeks.slice(count) }
}

/**
 * The amounts of consecutive weeks: the given ones, and 0 for those between them. Weeks begin at midnight of the
 * runtime's time zone.
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

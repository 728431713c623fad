const dayMs = 86_400_000
const daysKept = 1_000

const digits = (count: number, width: number) => Array.from({ length: count }, (_, n) => String(n).padStart(width, '0'))
const twoDigits = digits(60, 2)
const threeDigits = digits(1_000, 3)

/** The texts of days, up to the `T`, by the number of the day since 1970. */
const days = new Map<number, string>()

function dayText(day: number): string {
  const known = days.get(day)
  if (known !== undefined) return known
  const text = new Date(day * dayMs).toISOString()
  if (days.size >= daysKept) days.clear()
  days.set(day, text.slice(0, text.indexOf('T') + 1))
  return dayText(day)
}

/** As `toISOString`, in a fifth of its time: formatting the times of a page took longer than all other values. */
export function instantText(instant: Date): string {
  const time = instant.getTime()
  const day = Math.floor(time / dayMs)
  const milliseconds = time - day * dayMs
  const seconds = Math.floor(milliseconds / 1_000)
  const minutes = Math.floor(seconds / 60)
  const clock = `${twoDigits[Math.floor(minutes / 60)]}:${twoDigits[minutes % 60]}:${twoDigits[seconds % 60]}`
  return `${dayText(day)}${clock}.${threeDigits[milliseconds % 1_000]}Z`
}

/** The same text from PostgreSQL's, `2026-01-02 03:04:05.678+00`, or its form in JSON. Undefined for other forms. */
export function instantOfText(text: string): string | undefined {
  const separator = text.charCodeAt(10)
  if (separator !== space && separator !== letterT) return undefined
  const end = text.indexOf('+', 19)
  const zone = text.slice(end)
  if (end < 0 || (zone !== '+00' && zone !== '+00:00')) return undefined
  const milliseconds = end === 19 ? '000' : text.slice(20, end).padEnd(3, '0').slice(0, 3)
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`
}

const space = 0x20
const letterT = 0x54

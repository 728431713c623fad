const firstHalf = ['january', 'february', 'march', 'april', 'may', 'june']
const months = [...firstHalf, 'july', 'august', 'september', 'october', 'november', 'december']

/** "2026-11-27", or "27 November 2026" as in the file of a day. Null: no day of the calendar. */
export function dayOfText(text: string): string | null {
  const [, day, name = '', year] = /^(\d{1,2}) ([A-Za-z]+) (\d{4})$/.exec(text) ?? []
  const number = months.indexOf(name.toLowerCase()) + 1
  const iso = day ? `${year}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}` : text
  if (!/^\d{4}-\d{2}-\d{2}$/.test(iso)) return null
  const at = new Date(`${iso}T00:00:00Z`)
  return Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== iso ? null : iso
}

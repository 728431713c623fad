let locale: string | undefined

/** The language tag (BCP 47) in which money, dates and counts are written from now on. Undefined is the browser's. */
export function setLocale(tag: string | undefined): void {
  locale = tag
}

const numberFormats = new Map<string, Intl.NumberFormat>()
const dateFormats = new Map<string, Intl.DateTimeFormat>()

/** "1,234.5" in the locale of the program. A decimal string is exact at every size. */
export function formatNumber(value: number | `${number}`, options: Intl.NumberFormatOptions = {}): string {
  const key = JSON.stringify([locale, options])
  const format = numberFormats.get(key) ?? new Intl.NumberFormat(locale, options)
  numberFormats.set(key, format)
  return format.format(value)
}

/** A date in the locale of the program and the time zone of the browser: "Mar 10, 2026" by default. */
export function formatDate(at: string | Date, options: Intl.DateTimeFormatOptions = { dateStyle: 'medium' }): string {
  const key = JSON.stringify([locale, options])
  const format = dateFormats.get(key) ?? new Intl.DateTimeFormat(locale, options)
  dateFormats.set(key, format)
  return format.format(new Date(at))
}

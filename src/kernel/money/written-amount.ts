/** By locale and currency: making one takes longer than writing an amount. */
const formats = new Map<string, Intl.NumberFormat>()

function formatOf(currency: string, locale: string): Intl.NumberFormat {
  const key = `${locale} ${currency}`
  const format = formats.get(key) ?? new Intl.NumberFormat(locale, { style: 'currency', currency })
  formats.set(key, format)
  return format
}

/** An amount as people read it: "€12.50". Exact, also for large amounts. @param cents in minor units */
export function writtenAmount(cents: bigint, currency: string, locale: string): string {
  const format = formatOf(currency, locale)
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2
  const sign = cents < 0n ? '-' : ''
  const text = (cents < 0n ? -cents : cents).toString().padStart(digits + 1, '0')
  const decimal = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
  return format.format(`${sign}${decimal}` as Intl.StringNumericLiteral)
}

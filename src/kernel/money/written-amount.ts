/** An amount as people read it: "€12.50". Exact, also for large amounts. @param cents in minor units */
export function writtenAmount(cents: bigint, currency: string, locale: string): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency })
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2
  const sign = cents < 0n ? '-' : ''
  const text = (cents < 0n ? -cents : cents).toString().padStart(digits + 1, '0')
  const decimal = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
  return format.format(`${sign}${decimal}` as Intl.StringNumericLiteral)
}

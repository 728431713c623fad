/**
 * The decimal places of currencies that do not have two. Source: ISO 4217, list one. The runtime follows CLDR, which
 * describes cash prices: a forint has 100 fillér in ISO 4217, but no decimals in CLDR. Currencies without a minor unit
 * have 0.
 */
const decimals: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries({
    0: 'bif clp djf gnf isk jpy kmf krw pyg rwf ugx uyi vnd vuv xaf xof xpf xdr xsu xua',
    3: 'bhd iqd jod kwd lyd omr tnd',
    4: 'clf uyw',
  }).flatMap(([places, codes]) => codes.split(' ').map((code) => [code, Number(places)])),
)

export const decimalsOf = (currency: string): number =>
  Object.hasOwn(decimals, currency) ? (decimals[currency] as number) : 2

/** Formats minor units as an exact decimal number: 1234 is "12.34" in usd, "1234" in jpy, "1.234" in kwd. */
export function toMajorUnits(cents: bigint, currency: string): string {
  const places = decimalsOf(currency)
  if (places === 0) return String(cents)
  const digits = String(cents < 0n ? -cents : cents).padStart(places + 1, '0')
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`
}

/** "12.5" is 1250 in usd. Null for other text, negative numbers, and too many decimal places. */
export function toMinorUnits(decimal: string, currency: string): bigint | null {
  const [, whole = '', part = ''] = /^(\d+)(?:\.(\d+))?$/.exec(decimal) ?? []
  const places = decimalsOf(currency)
  return whole === '' || part.length > places ? null : BigInt(whole + part.padEnd(places, '0'))
}

/** Formats an amount for people: "12.34 USD". */
export const readableAmount = (cents: bigint, currency: string): string =>
  `${toMajorUnits(cents, currency)} ${currency.toUpperCase()}`

/** Converts an amount between decimal places. What is smaller than one unit is rounded, halves away from zero. */
export function convertUnits(amount: bigint, from: number, to: number): bigint {
  if (to >= from) return amount * 10n ** BigInt(to - from)
  const unit = 10n ** BigInt(from - to)
  const half = unit / 2n
  return amount < 0n ? -((-amount + half) / unit) : (amount + half) / unit
}

/**
 * How many decimal places a currency's minor unit is, where it is not two.
 *
 * Source: ISO 4217, list one. The runtime's own data (`Intl.NumberFormat`) follows CLDR, which says what is usual in
 * shops and differs for some twenty currencies: a forint has 100 fillér in ISO 4217 and none in CLDR. What ISO 4217
 * gives no minor unit at all (special drawing rights, the sucre) counts in whole units.
 */
const decimals: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries({
    0: 'bif clp djf gnf isk jpy kmf krw pyg rwf ugx uyi vnd vuv xaf xof xpf xdr xsu xua',
    3: 'bhd iqd jod kwd lyd omr tnd',
    4: 'clf uyw',
  }).flatMap(([places, codes]) => codes.split(' ').map((code) => [code, Number(places)])),
)

/** Decimal places of a currency's minor unit, by its code in lower case. */
export const decimalsOf = (currency: string): number =>
  Object.hasOwn(decimals, currency) ? (decimals[currency] as number) : 2

/** Minor units as a decimal number of major units, exact at every size: 1234 is "12.34" in usd, "1234" in jpy, "1.234" in kwd. */
export function toMajorUnits(cents: bigint, currency: string): string {
  const places = decimalsOf(currency)
  if (places === 0) return String(cents)
  const digits = String(cents < 0n ? -cents : cents).padStart(places + 1, '0')
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`
}

/** An amount as a person reads it: "12.34 usd". */
export const readableAmount = (cents: bigint, currency: string): string =>
  `${toMajorUnits(cents, currency)} ${currency}`

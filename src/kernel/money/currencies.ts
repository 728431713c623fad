/** ISO 4217 codes in lower case. Source: `Intl.supportedValuesOf` (ECMA-402), which follows ISO 4217 through CLDR. */
const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()))

/** Converts an ISO 4217 code in any case to lower case. Returns null for any other text. */
export function normalizeCurrency(code: string): string | null {
  const normalized = code.trim().toLowerCase()
  return currencies.has(normalized) ? normalized : null
}

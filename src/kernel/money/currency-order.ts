type InCurrency = { currency: string | null }

/** The order of amounts in lists of one per currency: the program's own currency first, then by code. */
export const byCurrency =
  (own: string) =>
  (a: InCurrency, b: InCurrency): number => {
    const [left, right] = [a, b].map(({ currency }) => (currency === own ? '' : (currency ?? ''))) as [string, string]
    return left < right ? -1 : left > right ? 1 : 0
  }

/** The codes in that order, each once. */
export const currenciesInOrder = (codes: readonly string[], own: string): string[] =>
  [...new Set(codes)]
    .map((currency) => ({ currency }))
    .sort(byCurrency(own))
    .map(({ currency }) => currency)

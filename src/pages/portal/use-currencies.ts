import { NextCurrencyDocument } from '../../generated/portal/graphql.ts'
import { useLoad } from './use-query.ts'

/** Loads the currencies of the affiliate's commissions, newest first; without commissions, the default. */
export const useCurrencies = (defaultCurrency: string) =>
  useLoad(defaultCurrency, async (runQuery) => {
    const known: string[] = []
    for (;;) {
      const { me } = await runQuery(NextCurrencyDocument, { known })
      const [next] = me.commissions.nodes
      if (!next) return known.length > 0 ? known : [defaultCurrency]
      known.push(next.currency)
    }
  })

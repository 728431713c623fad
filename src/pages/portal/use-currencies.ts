import { NextCurrencyDocument } from '../../generated/portal/graphql.ts'
import { currenciesInOrder } from '../../kernel/money/currency-order.ts'
import { useLoad } from './use-query.ts'

/** Loads the currencies of the affiliate's commissions; without commissions, the program's. */
export const useCurrencies = (ownCurrency: string) =>
  useLoad(ownCurrency, async (runQuery) => {
    const known: string[] = []
    for (;;) {
      const { me } = await runQuery(NextCurrencyDocument, { known })
      const [next] = me.commissions.nodes
      if (!next) return known.length > 0 ? currenciesInOrder(known, ownCurrency) : [ownCurrency]
      known.push(next.currency)
    }
  })

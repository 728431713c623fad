import { NextCurrencyDocument } from '../../../generated/portal/graphql.ts'
import { ask } from './ask.ts'
import { useAsked } from './use-answer.ts'

/** The currencies of the affiliate's commissions, that of the newest first; without any, the program's. */
export function useCurrencies(usual: string) {
  const {
    data: currencies,
    trouble,
    askAgain,
  } = useAsked(usual, async () => {
    const known: string[] = []
    for (;;) {
      const { me } = await ask(NextCurrencyDocument, { known })
      const [next] = me.commissions.nodes
      if (!next) return known.length > 0 ? known : [usual]
      known.push(next.currency)
    }
  })
  return { currencies, trouble, askAgain }
}

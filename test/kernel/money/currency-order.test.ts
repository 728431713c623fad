import { expect, it } from 'vitest'
import { byCurrency, currenciesInOrder } from '../../../src/kernel/money/currency-order.ts'

it("orders currencies by code after the program's own", () => {
  expect(currenciesInOrder(['usd', 'chf', 'jpy', 'usd', 'eur'], 'jpy')).toEqual(['jpy', 'chf', 'eur', 'usd'])
  const amounts = [{ currency: 'chf' }, { currency: 'usd' }, { currency: 'aud' }]
  expect(amounts.sort(byCurrency('usd'))).toEqual([{ currency: 'usd' }, { currency: 'aud' }, { currency: 'chf' }])
})

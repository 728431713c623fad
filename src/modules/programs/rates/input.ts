import { z } from 'zod'
import { currency, described, file, required, text } from '../../../kernel/input/fields.ts'

const day = (description: string) => required(described(text(10), description, { example: '2026-11-27' }))

export const setExchangeRateInput = z.object({
  base: required(described(currency(), 'The currency of which one unit is converted.', { example: 'eur' })),
  currency: required(described(currency(), 'The currency in which the rate is.', { example: 'usd' })),
  day: day('The day of the rate.'),
  rate: required(
    described(text(17), 'How many units of `currency` one unit of `base` is, with at most nine decimals.', {
      example: '1.0843',
    }),
  ),
})

export const importExchangeRatesInput = z.object({
  csv: required(
    described(
      file(),
      'A file of the European Central Bank with rates of the euro: the header `Date,USD,JPY,…`, and a line for each day. At most 1,000 days.',
    ),
  ),
})

import { z } from 'zod'
import { currency, described, kept, optional, percent, required, text, url } from '../input/fields.ts'

const name = described(text(), "The program's name.", { example: 'Acme' })
const address = described(
  url(),
  'Where its links lead unless a campaign says otherwise: an absolute http(s) address.',
  { example: 'https://acme.test' },
)
const defaultCurrency = described(currency(), 'ISO 4217; the currency of sales and campaigns that name none.')

export const createProgramInput = z.object({
  name: required(name),
  url: required(address),
  currency: required(defaultCurrency),
  commissionPercent: optional(described(percent(), 'What the default campaign pays; 20 percent unless given.')),
})

export const updateProgramInput = z.object({ name: kept(name), url: kept(address), currency: kept(defaultCurrency) })

import { z } from 'zod'
import type { PayoutMethod } from '../../../generated/prisma/enums.ts'
import { currency, described, optional, reference, required, someOf } from '../../../kernel/input/fields.ts'
import { references } from '../../../kernel/input/lists.ts'
import { withWire } from '../../../kernel/input/wire.ts'
import { payoutMethods } from '../../payout-methods/addresses.ts'
import { methods } from '../../payout-methods/all.ts'
import { payoutStates } from '../input.ts'

/** The methods whose file can be asked for without a run, with what the contract calls it. */
const formats = payoutMethods.flatMap((method) => {
  const format = methods[method].file?.format
  return format ? [{ method, ...format }] : []
})

const methodsByWord = new Map<string, PayoutMethod>([
  ...formats.map(({ method, word }) => [word, method] as const),
  ...formats.map(({ method }) => [method, method] as const),
])
const words = [...methodsByWord.keys()]

/** "`wallet_a` or `paypal` is PayPal's payout file". */
const meanings = formats.map(({ method, word, meaning }) => {
  return `${[...new Set([word, method])].map((name) => `\`${name}\``).join(' or ')} ${meaning}`
})

const fileFormat = () => {
  const word = z.enum(words, { error: () => `must be one of: ${words.join(', ')}` })
  const read = z.preprocess((value) => (typeof value === 'string' ? value.trim().toLowerCase() : value), word)
  return withWire(
    read.transform((format) => methodsByWord.get(format) as PayoutMethod),
    { type: 'string', enum: words },
  )
}

const maxFileIds = 1_000

export const readPayoutFileInput = z.object({
  format: required(
    described(fileFormat(), `The method of the run, and so the format of the file: ${meanings.join(', ')}.`),
  ),
  ids: optional(described(references(maxFileIds), `Only payouts with these ids, at most ${maxFileIds}. Default: all.`)),
  state: optional(
    described(
      someOf('PayoutState', payoutStates),
      'Only payouts in one of these states. A run pays open payouts: others are left out of it. Default: pending.',
    ),
  ),
  affiliateId: optional(described(reference(), 'Only payouts of this affiliate.')),
  currency: optional(
    described(currency(), 'Only payouts in this currency. Needed if several could be paid: a run has one currency.'),
  ),
})

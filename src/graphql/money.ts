import { toMajorUnits } from '../kernel/money/decimals.ts'
import { builder, publicOnly } from './builder.ts'

export type Money = { amountCents: bigint; currency: string }

export const MoneyType = builder.objectRef<Money>('Money').implement({
  description: 'An amount of money in one currency.',
  subGraphs: publicOnly,
  fields: (t) => ({
    amountCents: t.expose('amountCents', {
      forAffiliate: true,
      type: 'SafeInt',
      description: 'The same as `cents`.',
      deprecationReason: 'Use cents.',
    }),
    cents: t.expose('amountCents', {
      forAffiliate: true,
      type: 'SafeInt',
      description: 'The amount in minor units of `currency`: 4900 is 49.00 USD.',
    }),
    currency: t.expose('currency', {
      forAffiliate: true,
      type: 'Currency',
      description: 'The ISO 4217 code, in lower case.',
    }),
    formatted: t.string({
      forAffiliate: true,
      description:
        'The exact amount as text, for example "12.34 USD", with the number of decimals that the currency has.',
      resolve: ({ amountCents, currency }) => `${toMajorUnits(amountCents, currency)} ${currency.toUpperCase()}`,
    }),
  }),
})

/** A field that has the amount of the field `…Cents` beside it as Money. */
export const moneyBeside = (cents: string) => ({
  type: MoneyType,
  subGraphs: publicOnly,
  description: `\`${cents}\` with its currency, and as text.`,
})

/** Null stays null: a metric without a value. */
export const moneyOf = (cents: bigint | null, currency: string): Money | null =>
  cents === null ? null : { amountCents: cents, currency }

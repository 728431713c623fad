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
      description: 'In minor units of `currency`.',
    }),
    currency: t.expose('currency', { forAffiliate: true, type: 'Currency', description: 'ISO 4217, lower case.' }),
    formatted: t.string({
      forAffiliate: true,
      description: 'For a person to read, exact: "12.34 USD", with as many decimals as the currency has.',
      resolve: ({ amountCents, currency }) => `${toMajorUnits(amountCents, currency)} ${currency.toUpperCase()}`,
    }),
  }),
})

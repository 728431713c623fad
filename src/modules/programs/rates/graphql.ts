import type { ExchangeRate } from '../../../generated/prisma/client.ts'
import { batched } from '../../../graphql/batch.ts'
import { builder, publicOnly } from '../../../graphql/builder.ts'
import { type GraphQLContext, programScope } from '../../../graphql/context.ts'
import { defineEnum } from '../../../graphql/enums.ts'
import { MoneyType } from '../../../graphql/money.ts'
import { mutation } from '../../../graphql/mutation.ts'
import { toMajorUnits } from '../../../kernel/money/decimals.ts'
import { billion, convertCents, decimalOf, type Factor, factorOf, type RateSource } from './convert.ts'
import { importExchangeRatesInput, setExchangeRateInput } from './input.ts'
import { importExchangeRates, readRates, setExchangeRate } from './service.ts'

const RateSourceEnum = defineEnum('RateSource', 'Where an exchange rate is from.', {
  entered: 'A person or a program entered it.',
  ecb: 'A file of the European Central Bank.',
} satisfies Record<RateSource, string>)

type Converted = { amountCents: bigint; currency: string; factor: Factor | null }

const ConvertedMoneyType = builder.objectRef<Converted>('ConvertedMoney').implement({
  description:
    'An amount in another currency, by a rate of a day. It is for display only: nothing is booked or paid by it.',
  subGraphs: publicOnly,
  fields: (t) => ({
    amountCents: t.expose('amountCents', {
      type: 'SafeInt',
      description: 'The amount in minor units of `currency`, rounded half away from zero.',
    }),
    currency: t.expose('currency', { type: 'Currency', description: 'The currency that was asked for.' }),
    formatted: t.string({
      description: 'The amount as text. A converted one begins with "≈": "≈ 12.34 EUR".',
      resolve: ({ amountCents, currency, factor }) =>
        `${factor ? '≈ ' : ''}${toMajorUnits(amountCents, currency)} ${currency.toUpperCase()}`,
    }),
    isConverted: t.boolean({
      description: 'False if the amount was in this currency already.',
      resolve: ({ factor }) => factor !== null,
    }),
    rate: t.string({
      nullable: true,
      description:
        'How many units of `currency` one unit of the original one is, as a decimal number. Null if not converted.',
      resolve: ({ factor }) => factor && decimalOf(factor),
    }),
    day: t.string({
      nullable: true,
      description: 'The day of the rate, such as `2026-11-27`. Null if not converted.',
      resolve: ({ factor }) => factor?.day ?? null,
    }),
    source: t.field({
      type: RateSourceEnum,
      nullable: true,
      description: 'Where the rate is from. Null if not converted.',
      resolve: ({ factor }) => factor?.source ?? null,
    }),
  }),
})

/** The newest rates of the program are read once for a request. */
const ratesOf = (ctx: GraphQLContext) => {
  const scope = programScope(ctx)
  return batched<ExchangeRate[]>(ctx, 'exchange rates', scope.program.id, async (ids) => {
    const rates = await readRates(scope)
    return ids.map(() => rates)
  })
}

builder.objectField(MoneyType, 'converted', (t) =>
  t.field({
    type: ConvertedMoneyType,
    nullable: true,
    subGraphs: publicOnly,
    description:
      'The amount in another currency, by the newest rate until today: see `importExchangeRates`. Null if the program has no rate that leads to it.',
    args: {
      to: t.arg({
        type: 'Currency',
        description: "The currency to convert to. Default: the program's `readingCurrency`; null without one.",
      }),
    },
    resolve: async ({ amountCents, currency }, args, ctx): Promise<Converted | null> => {
      const to = args.to ?? programScope(ctx).program.readingCurrency
      if (to === null) return null
      if (to === currency) return { amountCents, currency, factor: null }
      const factor = factorOf(await ratesOf(ctx), currency, to)
      return factor && { amountCents: convertCents(amountCents, currency, to, factor), currency: to, factor }
    },
  }),
)

const ExchangeRateType = builder.objectRef<ExchangeRate>('ExchangeRate').implement({
  description: 'The exchange rate of a day, for display only.',
  subGraphs: publicOnly,
  fields: (t) => ({
    base: t.expose('base', { type: 'Currency', description: 'The currency of which one unit is converted.' }),
    currency: t.expose('currency', { type: 'Currency', description: 'The currency in which the rate is.' }),
    day: t.exposeString('day', { description: 'The day, such as `2026-11-27`.' }),
    rate: t.string({
      description: 'How many units of `currency` one unit of `base` is, as a decimal number.',
      resolve: ({ rateBillionths }) => decimalOf({ numerator: rateBillionths, denominator: billion }),
    }),
    source: t.expose('source', { type: RateSourceEnum, description: 'Where it is from.' }),
  }),
})

builder.queryField('exchangeRates', (t) =>
  t.field({
    type: [ExchangeRateType],
    subGraphs: publicOnly,
    description: 'The newest exchange rate of each pair of currencies until today.',
    resolve: (_root, _args, ctx) => readRates(programScope(ctx)),
  }),
)

const SetExchangeRatePayload = builder.objectRef<{ exchangeRate: ExchangeRate }>('SetExchangeRatePayload').implement({
  description: 'The result of `setExchangeRate`.',
  subGraphs: publicOnly,
  fields: (t) => ({
    exchangeRate: t.field({
      type: ExchangeRateType,
      description: 'The rate after the operation.',
      resolve: ({ exchangeRate }) => exchangeRate,
    }),
  }),
})

mutation('setExchangeRate', SetExchangeRatePayload, {
  description:
    'Enters the exchange rate of a day, by which amounts are shown in another currency. The same pair and day again replaces the rate. Nothing is booked or paid by it.',
  forRole: 'finance',
  input: setExchangeRateInput,
  resolve: async (ctx, input) => ({ exchangeRate: await setExchangeRate(programScope(ctx), input) }),
})

const ImportExchangeRatesPayload = builder
  .objectRef<{ rates: number; days: number }>('ImportExchangeRatesPayload')
  .implement({
    description: 'The result of `importExchangeRates`.',
    subGraphs: publicOnly,
    fields: (t) => ({
      rateCount: t.exposeInt('rates', { description: 'How many rates the file had.' }),
      dayCount: t.exposeInt('days', { description: 'How many days.' }),
    }),
  })

mutation('importExchangeRates', ImportExchangeRatesPayload, {
  description:
    'Imports rates of the euro from a CSV file of the European Central Bank, as a whole or not at all. Rates of the same day are replaced.',
  forRole: 'finance',
  input: importExchangeRatesInput,
  resolve: (ctx, input) => importExchangeRates(programScope(ctx), input),
})

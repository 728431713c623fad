import { builder, publicOnly } from '../graphql/builder.ts'
import { MoneyType, moneyBeside, moneyOf } from '../graphql/money.ts'

/** Money as one object, wherever a row has an amount: reports have it in the same form. */
const description = 'The amount with its currency, in minor units and as text.'

for (const noun of ['Sale', 'Commission', 'Payout', 'UnattributedSale'] as const)
  builder.prismaObjectField(noun as 'Sale', 'amount', (t) =>
    t.field({
      forAffiliate: noun !== 'UnattributedSale',
      subGraphs: publicOnly,
      type: MoneyType,
      description,
      select: { amountCents: true, currency: true },
      resolve: ({ amountCents, currency }) => ({ amountCents, currency }),
    }),
  )

builder.prismaObjectField('Refund', 'amount', (t) =>
  t.field({
    forAffiliate: true,
    subGraphs: publicOnly,
    type: MoneyType,
    description,
    select: { amountCents: true, sale: { select: { currency: true } } },
    resolve: ({ amountCents, sale: { currency } }) => ({ amountCents, currency }),
  }),
)

builder.prismaObjectField('Sale', 'refunded', (t) =>
  t.field({
    forAffiliate: true,
    ...moneyBeside('refundedCents'),
    select: { refundedCents: true, currency: true },
    resolve: ({ refundedCents: amountCents, currency }) => ({ amountCents, currency }),
  }),
)

builder.prismaObjectField('PayoutRun', 'amount', (t) =>
  t.field({
    ...moneyBeside('amountCents'),
    select: { amountCents: true, currency: true },
    resolve: ({ amountCents, currency }) => ({ amountCents, currency }),
  }),
)

builder.prismaObjectFields('PayoutRunItem', (t) => ({
  amount: t.field({
    ...moneyBeside('amountCents'),
    select: { amountCents: true, currency: true },
    resolve: ({ amountCents, currency }) => ({ amountCents, currency }),
  }),
  withheld: t.field({
    ...moneyBeside('withheldCents'),
    select: { withheldCents: true, currency: true },
    resolve: ({ withheldCents: amountCents, currency }) => ({ amountCents, currency }),
  }),
  gone: t.field({
    ...moneyBeside('goneCents'),
    select: { goneCents: true, currency: true },
    resolve: ({ goneCents: amountCents, currency }) => ({ amountCents, currency }),
  }),
  fee: t.field({
    ...moneyBeside('feeCents'),
    nullable: true,
    select: { feeCents: true, feeCurrency: true },
    resolve: ({ feeCents, feeCurrency }) => moneyOf(feeCents, feeCurrency ?? ''),
  }),
  received: t.field({
    ...moneyBeside('receivedCents'),
    nullable: true,
    select: { receivedCents: true, receivedCurrency: true },
    resolve: ({ receivedCents, receivedCurrency }) => moneyOf(receivedCents, receivedCurrency ?? ''),
  }),
}))

builder.prismaObjectFields('Statement', (t) => ({
  opening: t.field({
    forAffiliate: true,
    ...moneyBeside('openingCents'),
    select: { openingCents: true, currency: true },
    resolve: ({ openingCents: amountCents, currency }) => ({ amountCents, currency }),
  }),
  closing: t.field({
    forAffiliate: true,
    ...moneyBeside('closingCents'),
    select: { closingCents: true, currency: true },
    resolve: ({ closingCents: amountCents, currency }) => ({ amountCents, currency }),
  }),
}))

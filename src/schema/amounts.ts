import { builder, publicOnly } from '../graphql/builder.ts'
import { MoneyType } from '../graphql/money.ts'

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

import { batched } from '../../graphql/batch.ts'
import { builder, publicOnly } from '../../graphql/builder.ts'
import { programScope } from '../../graphql/context.ts'
import { MoneyType } from '../../graphql/money.ts'
import { type Balance, readBalances } from './balances.ts'

const AffiliateBalanceType = builder.objectRef<Balance>('AffiliateBalance').implement({
  description: 'What an affiliate has sold and earned in one currency, of all time. Void commissions are not counted.',
  subGraphs: publicOnly,
  fields: (t) => {
    const money = (name: Exclude<keyof Balance, 'currency'>, description: string) =>
      t.field({
        forAffiliate: true,
        type: MoneyType,
        description,
        resolve: ({ currency, [name]: amountCents }) => ({ amountCents, currency }),
      })
    return {
      currency: t.expose('currency', { forAffiliate: true, type: 'Currency', description: 'ISO 4217, lower case.' }),
      revenue: money('revenue', "The sum of the affiliate's sales. Refunds are not subtracted."),
      total: money('total', 'All commissions: `pending`, `due` and `paid`.'),
      pending: money('pending', 'Commissions that are not due yet, or are held.'),
      due: money('due', 'Commissions that are due now, and not paid.'),
      paid: money('paid', 'Commissions that are paid.'),
    }
  },
})

builder.prismaObjectField('Affiliate', 'balances', (t) =>
  t.field({
    forAffiliate: true,
    type: [AffiliateBalanceType],
    subGraphs: publicOnly,
    description:
      "The affiliate's balance in each currency: the program's currency first, also if nothing was sold in it. The numbers are always exact.",
    resolve: ({ id }, _args, ctx) => batched(ctx, 'balances', id, (ids) => readBalances(programScope(ctx), ids)),
  }),
)

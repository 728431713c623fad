import { builder, everywhere, publicOnly } from '../graphql/builder.ts'
import { programScope } from '../graphql/context.ts'
import { PayoutStateEnum } from '../graphql/enums.ts'
import { objectName } from '../graphql/object-name.ts'
import { listField } from '../graphql/pages.ts'
import { listPayoutsInput } from './input.ts'
import { findPayout, listPayouts, payPayout } from './service.ts'
import { payoutState } from './state.ts'

const PayoutType = builder.prismaObject('Payout', {
  description: "An affiliate's due commissions in one currency, paid together.",
  fields: (t) => ({
    id: t.exposeID('id'),
    object: objectName(t, 'payout'),
    state: t.field({ type: PayoutStateEnum, resolve: (payout) => payoutState(payout) }),
    currency: t.exposeString('currency', { description: 'ISO 4217, lower case.' }),
    amountCents: t.expose('amountCents', {
      type: 'SafeInt',
      restName: 'amount',
      description: 'The sum of its commissions, in minor units of `currency`.',
    }),
    paidAt: t.expose('paidAt', { type: 'DateTime', nullable: true }),
    affiliateId: t.exposeID('affiliateId'),
    affiliate: t.relation('affiliate', { subGraphs: publicOnly }),
    commissions: t.relation('commissions', {
      subGraphs: publicOnly,
      description: 'Newest first.',
      query: { orderBy: { id: 'desc' } },
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', subGraphs: publicOnly }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', subGraphs: publicOnly }),
  }),
})

listField(
  'payouts',
  PayoutType,
  listPayoutsInput,
  listPayouts,
  "The program's payouts, newest first, with all that is due by now.",
)

builder.queryField('payout', (t) =>
  t.prismaField({
    type: 'Payout',
    description: 'A payout by id.',
    subGraphs: everywhere,
    args: { id: t.arg.id({ required: true }) },
    resolve: (query, _root, { id }, ctx) => findPayout(programScope(ctx), id, query),
  }),
)

builder.mutationField('payPayout', (t) =>
  t.prismaField({
    type: 'Payout',
    description:
      "Marks a payout and its commissions as paid, at one instant. Refused below the campaign's minimum. Again: the same answer.",
    subGraphs: everywhere,
    args: { id: t.arg.id({ required: true }) },
    resolve: async (query, _root, { id }, ctx) => {
      await payPayout(programScope(ctx), id)
      return findPayout(programScope(ctx), id, query)
    },
  }),
)

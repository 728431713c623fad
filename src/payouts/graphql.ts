import { builder, everywhere, publicOnly } from '../graphql/builder.ts'
import { programScope } from '../graphql/context.ts'
import { PayoutStateEnum } from '../graphql/enums.ts'
import { argsOf } from '../graphql/inputs.ts'
import { objectName } from '../graphql/object-name.ts'
import { listField } from '../graphql/pages.ts'
import { listPayoutsInput, payPayoutInput, payPayoutsInput } from './input.ts'
import { payPayout, payPayouts } from './pay.ts'
import { findPayout, findPayouts, listPayouts } from './service.ts'
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
    reference: t.exposeString('reference', {
      nullable: true,
      subGraphs: publicOnly,
      description: 'What the payment is called where it was made, as it was said when the payout was paid.',
    }),
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
    args: { id: t.arg.id({ required: true }), ...argsOf(payPayoutInput) },
    resolve: async (query, _root, { id, ...input }, ctx) => {
      await payPayout(programScope(ctx), id, input)
      return findPayout(programScope(ctx), id, query)
    },
  }),
)

builder.mutationField('payPayouts', (t) =>
  t.prismaField({
    type: ['Payout'],
    description:
      'Marks payouts and their commissions as paid, at one instant, all or none; every problem is told, with the id of its payout. Those that are paid already are answered as they are, so that a run can be repeated.',
    args: argsOf(payPayoutsInput),
    resolve: async (query, _root, input, ctx) => {
      const scope = programScope(ctx)
      return findPayouts(scope, await payPayouts(scope, input), query)
    },
  }),
)

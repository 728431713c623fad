import { batched } from '../../graphql/batch.ts'
import { builder, publicOnly } from '../../graphql/builder.ts'
import { type GraphQLContext, programScope } from '../../graphql/context.ts'
import { moneyBeside } from '../../graphql/money.ts'
import { readWithheldOfPayouts } from './withheld.ts'

const withheldOf = (ctx: GraphQLContext, payoutId: string): Promise<bigint> =>
  batched(ctx, 'withheld of payouts', payoutId, (ids) => readWithheldOfPayouts(programScope(ctx), ids))

builder.prismaObjectFields('Payout', (t) => ({
  withheldCents: t.field({
    forAffiliate: true,
    type: 'SafeInt',
    subGraphs: publicOnly,
    description:
      'What is withheld of the amount as tax, in minor units of `currency`; the rest is paid. Of an open payout by its run, or by the present rate. 0 if the payment failed.',
    select: { id: true },
    resolve: ({ id }, _args, ctx) => withheldOf(ctx, id),
  }),
  withheld: t.field({
    forAffiliate: true,
    ...moneyBeside('withheldCents'),
    select: { id: true, currency: true },
    resolve: async ({ id, currency }, _args, ctx) => ({ amountCents: await withheldOf(ctx, id), currency }),
  }),
}))

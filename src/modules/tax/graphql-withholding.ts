import { builder, publicOnly } from '../../graphql/builder.ts'
import { programScope } from '../../graphql/context.ts'
import { mutation } from '../../graphql/mutation.ts'
import { findAffiliate } from '../affiliates/find.ts'
import { setAffiliateWithholdingInput } from './input/withholding.ts'
import { setAffiliateWithholding } from './withholding.ts'

builder.prismaObjectField('Affiliate', 'withholdingBasisPoints', (t) =>
  t.exposeInt('withholdingBasisPoints', {
    nullable: true,
    forRole: 'finance',
    subGraphs: publicOnly,
    description:
      'How much of each payout of the affiliate is withheld as tax, in hundredths of a percent: 1500 is 15 %. Null: as the tax settings of the program say.',
  }),
)

const SetAffiliateWithholdingPayload = builder.objectRef<{ id: string }>('SetAffiliateWithholdingPayload').implement({
  description: 'The result of `setAffiliateWithholding`.',
  subGraphs: publicOnly,
  fields: (t) => ({
    affiliate: t.prismaField({
      type: 'Affiliate',
      description: 'The affiliate after the operation.',
      resolve: (query, { id }, _args, ctx) => findAffiliate(programScope(ctx), id, query),
    }),
  }),
})

mutation('setAffiliateWithholding', SetAffiliateWithholdingPayload, {
  description:
    "Sets how much of each payout of an affiliate is withheld as tax, in place of the program's rate. It holds for payments that are made from then on.",
  forRole: 'finance',
  input: setAffiliateWithholdingInput,
  resolve: async (ctx, input) => ({ id: await setAffiliateWithholding(programScope(ctx), input) }),
})

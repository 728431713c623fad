import { batched } from '../../graphql/batch.ts'
import { builder, publicOnly } from '../../graphql/builder.ts'
import { programScope } from '../../graphql/context.ts'
import { readNextDue } from './next-due.ts'

builder.prismaObjectFields('Affiliate', (t) => ({
  nextDueAt: t.field({
    forAffiliate: { args: ['currency'] },
    type: 'DateTime',
    nullable: true,
    subGraphs: publicOnly,
    description:
      'When the next commission of the affiliate becomes due, in one currency. Held commissions are left out: they wait for a decision. Null if there is none.',
    args: { currency: t.arg({ type: 'Currency', required: true, description: 'An ISO 4217 code.' }) },
    select: { id: true },
    resolve: ({ id }, { currency }, ctx) =>
      batched(ctx, `next due in ${currency}`, id, (ids) => readNextDue(programScope(ctx), ids, currency)),
  }),
}))

import { batched } from '../../graphql/batch.ts'
import { builder, publicOnly } from '../../graphql/builder.ts'
import { programScope } from '../../graphql/context.ts'
import { type AcceptedTerms, acceptedTermsOf, termsToAcceptOf } from './accept-terms.ts'
import { TermsType } from './graphql-settings.ts'

const AcceptedTermsType = builder.objectRef<AcceptedTerms>('AcceptedTerms').implement({
  description: 'Terms that an affiliate has accepted, with the application or in the portal.',
  subGraphs: publicOnly,
  fields: (t) => ({
    version: t.exposeInt('version', { description: 'The version of the terms.' }),
    acceptedAt: t.expose('acceptedAt', { type: 'DateTime', description: 'When they were accepted.' }),
    address: t.exposeString('address', {
      nullable: true,
      description: 'The network address from which they were accepted. Null if it is not known.',
    }),
  }),
})

builder.prismaObjectFields('Affiliate', (t) => ({
  acceptedTerms: t.field({
    type: [AcceptedTermsType],
    subGraphs: publicOnly,
    select: { id: true },
    description: 'The terms that the affiliate has accepted, oldest first.',
    resolve: ({ id }, _args, ctx) =>
      batched(ctx, 'accepted terms', id, (ids) => acceptedTermsOf(programScope(ctx), ids)),
  }),
  termsToAccept: t.field({
    forAffiliate: true,
    type: TermsType,
    nullable: true,
    subGraphs: publicOnly,
    select: { id: true },
    description: 'The terms that hold now, if the affiliate has not accepted them. Null if there is nothing to accept.',
    resolve: ({ id }, _args, ctx) =>
      batched(ctx, 'terms to accept', id, (ids) => termsToAcceptOf(programScope(ctx), ids)),
  }),
}))

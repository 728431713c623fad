import { batched } from '../../graphql/batch.ts'
import { builder, publicOnly } from '../../graphql/builder.ts'
import { affiliateScope, programScope } from '../../graphql/context.ts'
import { mutation } from '../../graphql/mutation.ts'
import { findAffiliate } from '../affiliates/find.ts'
import { type AcceptedTerms, acceptedTermsOf, acceptTerms, termsToAcceptOf } from './accept-terms.ts'
import { TermsType } from './graphql-settings.ts'
import { acceptTermsInput } from './input.ts'

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

const AcceptTermsPayload = builder.objectRef<{ version: number }>('AcceptTermsPayload').implement({
  description: 'The result of `acceptTerms`.',
  subGraphs: publicOnly,
  fields: (t) => ({
    version: t.exposeInt('version', { forAffiliate: true, description: 'The version that is accepted.' }),
    affiliate: t.prismaField({
      forAffiliate: true,
      type: 'Affiliate',
      description: 'The affiliate after the operation.',
      resolve: (query, _payload, _args, ctx) => {
        const scope = affiliateScope(ctx)
        return findAffiliate(scope, scope.affiliateId, query)
      },
    }),
  }),
})

mutation('acceptTerms', AcceptTermsPayload, {
  description:
    'Accepts the terms that hold now. When and from which address is kept. Idempotent. Only with an affiliate token.',
  forAffiliate: true,
  input: acceptTermsInput,
  resolve: async (ctx, input) => ({
    version: await acceptTerms(affiliateScope(ctx), input, ctx.clientAddress?.() ?? null),
  }),
})

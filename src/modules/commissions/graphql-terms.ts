import { builder, publicOnly } from '../../graphql/builder.ts'
import { affiliateScope } from '../../graphql/context.ts'
import { mutation } from '../../graphql/mutation.ts'
import { findAffiliate } from '../affiliates/find.ts'
import { acceptTerms } from '../applications/accept-terms.ts'
import { acceptTermsInput } from '../applications/input.ts'
import { releaseAccepted } from './terms.ts'

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
    'Accepts the terms that hold now. When and from which address is kept. Commissions that were held for terms are not held any more. Idempotent. Only with an affiliate token.',
  forAffiliate: true,
  input: acceptTermsInput,
  resolve: async (ctx, input) => {
    const scope = affiliateScope(ctx)
    const version = await acceptTerms(scope, input, ctx.clientAddress?.() ?? null)
    await releaseAccepted(scope, scope.affiliateId)
    return { version }
  },
})

import { builder, publicOnly } from '../../../graphql/builder.ts'
import { affiliateScope, ownerScope, programScope } from '../../../graphql/context.ts'
import { mutation, resourceMutation } from '../../../graphql/mutation.ts'
import { findAffiliate } from '../../affiliates/find.ts'
import { ProgramType } from '../../programs/graphql.ts'
import { createAffiliateTokenInput, revokeAffiliateTokensInput } from './input.ts'
import { createAffiliateToken, type IssuedToken, revokeAffiliateTokens } from './service.ts'

const CreateAffiliateTokenPayload = builder.objectRef<IssuedToken>('CreateAffiliateTokenPayload').implement({
  description: 'A token with which an affiliate reads their own data, for a portal that asks GraphQL directly.',
  subGraphs: publicOnly,
  fields: (t) => ({
    token: t.exposeString('token', { description: 'Sent as `Bearer`. It is shown once, and kept nowhere.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'From then on it is refused, by the true time.',
    }),
    affiliate: t.prismaField({
      type: 'Affiliate',
      resolve: (query, { affiliate }, _args, ctx) => findAffiliate(programScope(ctx), affiliate.id, query),
    }),
  }),
})

mutation('createAffiliateToken', CreateAffiliateTokenPayload, {
  description:
    "Makes a short-lived token that reads one affiliate's own data (`me`) and nothing else; customers' e-mails and names are masked. It is refused over REST, and from the moment the affiliate is disabled.",
  input: createAffiliateTokenInput,
  resolve: (ctx, input) => createAffiliateToken({ ...programScope(ctx), now: ctx.trueNow }, input),
})

resourceMutation('revokeAffiliateTokens', 'program', ProgramType, {
  description: 'Ends all affiliate tokens of the program, at once: what signs them is made anew.',
  input: revokeAffiliateTokensInput,
  resolve: (ctx, { programId }: { programId?: string }) => {
    const id = programId ?? programScope(ctx).program.id
    return revokeAffiliateTokens(ownerScope(ctx, id), id)
  },
})

builder.queryField('me', (t) =>
  t.prismaField({
    type: 'Affiliate',
    description:
      'The affiliate of the token. Only affiliate tokens have one; all that they may read is reached from here.',
    forAffiliate: true,
    resolve: (query, _root, _args, ctx) => {
      const scope = affiliateScope(ctx)
      return findAffiliate(scope, scope.affiliateId, query)
    },
  }),
)

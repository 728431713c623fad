import { findAffiliate } from '../affiliates/find.ts'
import { builder, publicOnly } from '../graphql/builder.ts'
import { affiliateScope, programScope } from '../graphql/context.ts'
import { argsOf } from '../graphql/inputs.ts'
import { createAffiliateTokenInput } from './input.ts'
import { createAffiliateToken, type IssuedToken, revokeAffiliateTokens } from './service.ts'

const AffiliateTokenType = builder.objectRef<IssuedToken>('AffiliateToken').implement({
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

builder.mutationField('createAffiliateToken', (t) =>
  t.field({
    type: AffiliateTokenType,
    description:
      "Makes a short-lived token that reads one affiliate's own data (`me`) and nothing else; customers' e-mails and names are masked. It is refused over REST, and from the moment the affiliate is disabled.",
    args: argsOf(createAffiliateTokenInput),
    resolve: (_root, args, ctx) => createAffiliateToken({ ...programScope(ctx), now: ctx.trueNow }, args),
  }),
)

builder.mutationField('revokeAffiliateTokens', (t) =>
  t.prismaField({
    type: 'Program',
    description: 'Ends all affiliate tokens of the program, at once: what signs them is made anew.',
    resolve: (_query, _root, _args, ctx) => revokeAffiliateTokens({ ...programScope(ctx), now: ctx.trueNow }),
  }),
)

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

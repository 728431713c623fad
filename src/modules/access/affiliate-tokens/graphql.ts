import { builder, publicOnly } from '../../../graphql/builder.ts'
import { affiliateScope, ownerScope, programScope } from '../../../graphql/context.ts'
import { mutation, resourceMutation } from '../../../graphql/mutation.ts'
import { findAffiliate } from '../../affiliates/find.ts'
import { ProgramType } from '../../programs/graphql.ts'
import { createAffiliateTokenInput, revokeAffiliateTokensInput } from './input.ts'
import { createAffiliateToken, type IssuedToken, revokeAffiliateTokens } from './service.ts'

const CreateAffiliateTokenPayload = builder.objectRef<IssuedToken>('CreateAffiliateTokenPayload').implement({
  description: 'A token with which an affiliate reads their own data, for a portal that queries GraphQL directly.',
  subGraphs: publicOnly,
  fields: (t) => ({
    token: t.exposeString('token', {
      description: 'The token, to be sent as `Bearer`. It is not stored and cannot be read again.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'When the token expires, in true time.',
    }),
    affiliate: t.prismaField({
      type: 'Affiliate',
      description: 'The affiliate whose data the token reads.',
      resolve: (query, { affiliate }, _args, ctx) => findAffiliate(programScope(ctx), affiliate.id, query),
    }),
  }),
})

mutation('createAffiliateToken', CreateAffiliateTokenPayload, {
  description:
    "Creates a short-lived token that reads one affiliate's own data (`me`) and nothing else. Customers' e-mails and names are masked. REST rejects the token. Only active affiliates get one. It stops working when the affiliate is disabled. The token of a person or of the operator token changes nothing: `Affiliate.isViewOnly`.",
  input: createAffiliateTokenInput,
  resolve: (ctx, input) =>
    createAffiliateToken({ ...programScope(ctx), now: ctx.trueNow, webhooks: ctx.webhooks }, input),
})

resourceMutation('revokeAffiliateTokens', 'program', ProgramType, {
  description:
    'Revokes all affiliate tokens of the program, by replacing the secret that signs them: immediately, or after `keepOldForHours`.',
  input: revokeAffiliateTokensInput,
  resolve: (ctx, input: { programId?: string }) => {
    const id = input.programId ?? programScope(ctx).program.id
    return revokeAffiliateTokens({ ...ownerScope(ctx, id), webhooks: ctx.webhooks }, id, input)
  },
})

builder.prismaObjectField('Affiliate', 'isViewOnly', (t) =>
  t.boolean({
    forAffiliate: true,
    subGraphs: publicOnly,
    description:
      'Whether the token of this request only shows what the affiliate sees: a person of the program, or the operator, has made it. All mutations are rejected then.',
    resolve: (_affiliate, _args, { actor }) => actor.kind === 'affiliate' && actor.viewer !== undefined,
  }),
)

builder.queryField('me', (t) =>
  t.prismaField({
    type: 'Affiliate',
    description:
      'The affiliate of the affiliate token. Everything that the token may read is reached from here. Fails for other credentials.',
    forAffiliate: true,
    resolve: (query, _root, _args, ctx) => {
      const scope = affiliateScope(ctx)
      return findAffiliate(scope, scope.affiliateId, query)
    },
  }),
)

import { builder, everywhere, publicOnly } from '../../../graphql/builder.ts'
import { programScope } from '../../../graphql/context.ts'
import { mutation } from '../../../graphql/mutation.ts'
import { findAffiliate } from '../../affiliates/find.ts'
import { createSsoLinkInput } from './input.ts'
import { createSsoLink, type SsoLink } from './service.ts'

const url = 'To the portal. Whoever opens it first is signed in: hand it to the affiliate alone.'
const expires = 'From then on it is refused, by the true time: a minute from now.'

const SsoType = builder.objectRef<SsoLink>('Sso').implement({
  description: 'A link to the portal.',
  subGraphs: ['rest'],
  fields: (t) => ({
    url: t.expose('url', { type: 'URL', description: url }),
    expires: t.expose('expiresAt', { type: 'DateTime', description: expires }),
  }),
})

const SsoAffiliateType = builder.objectRef<SsoLink['affiliate']>('SsoAffiliate').implement({
  description: 'Whom a link signs in.',
  subGraphs: ['rest'],
  fields: (t) => ({
    id: t.exposeID('id'),
    email: t.expose('email', { type: 'EmailAddress' }),
  }),
})

const CreateSsoLinkPayload = builder.objectRef<SsoLink>('CreateSsoLinkPayload').implement({
  description: 'A link that signs an affiliate in to the portal, once.',
  extensions: { restName: 'SsoLink' },
  fields: (t) => ({
    url: t.expose('url', { type: 'URL', subGraphs: publicOnly, description: url }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', subGraphs: publicOnly, description: expires }),
    affiliate: t.prismaField({
      type: 'Affiliate',
      subGraphs: publicOnly,
      resolve: (query, { affiliate }, _args, ctx) => findAffiliate(programScope(ctx), affiliate.id, query),
    }),
    sso: t.field({ type: SsoType, subGraphs: ['rest'], resolve: (link) => link }),
    whom: t.field({
      type: SsoAffiliateType,
      subGraphs: ['rest'],
      restName: 'affiliate',
      resolve: ({ affiliate }) => affiliate,
    }),
  }),
})

mutation('createSsoLink', CreateSsoLinkPayload, {
  description:
    'Makes a link that signs an affiliate in to the portal at `/portal`, once and within a minute. Nothing is written: a link that nobody opens leaves no trace. Send the affiliate there at once, by a redirect.',
  subGraphs: everywhere,
  input: createSsoLinkInput,
  resolve: (ctx, input) => createSsoLink({ ...programScope(ctx), now: ctx.trueNow }, ctx.publicUrl, input),
})

import { builder, everywhere, publicOnly } from '../../../graphql/builder.ts'
import { programScope } from '../../../graphql/context.ts'
import { mutation } from '../../../graphql/mutation.ts'
import { findAffiliate } from '../../affiliates/find.ts'
import { createSsoLinkInput } from './input.ts'
import { createSsoLink, type SsoLink } from './service.ts'

const url =
  'The URL of the portal with the sign-in ticket. The first person who opens it is signed in, so give it only to the affiliate.'
const expires = 'When the link expires, in true time: one minute after its creation.'

const SsoType = builder.objectRef<SsoLink>('Sso').implement({
  description: 'A sign-in link to the portal.',
  subGraphs: ['rest'],
  fields: (t) => ({
    url: t.expose('url', { type: 'URL', description: url }),
    expires: t.expose('expiresAt', { type: 'DateTime', description: expires }),
  }),
})

const SsoAffiliateType = builder.objectRef<SsoLink['affiliate']>('SsoAffiliate').implement({
  description: 'The affiliate whom a sign-in link signs in.',
  subGraphs: ['rest'],
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the affiliate.' }),
    email: t.expose('email', { type: 'EmailAddress', description: "The affiliate's e-mail." }),
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
      description: 'The affiliate whom the link signs in.',
      resolve: (query, { affiliate }, _args, ctx) => findAffiliate(programScope(ctx), affiliate.id, query),
    }),
    sso: t.field({
      type: SsoType,
      subGraphs: ['rest'],
      description: 'The link and its expiry.',
      resolve: (link) => link,
    }),
    whom: t.field({
      type: SsoAffiliateType,
      subGraphs: ['rest'],
      description: 'The affiliate whom the link signs in.',
      restName: 'affiliate',
      resolve: ({ affiliate }) => affiliate,
    }),
  }),
})

mutation('createSsoLink', CreateSsoLinkPayload, {
  description:
    'Creates a link to the portal at `/portal`, which works once and within a minute. With an API key it signs the affiliate in: redirect the affiliate to it immediately. The link of a person or of the operator token shows what the affiliate sees, and changes nothing: `Affiliate.isViewOnly`. Nothing is stored, so unused links leave no trace.',
  subGraphs: everywhere,
  input: createSsoLinkInput,
  resolve: (ctx, input) =>
    createSsoLink({ ...programScope(ctx), now: ctx.trueNow, webhooks: ctx.webhooks }, ctx.affiliateUrl, input),
})

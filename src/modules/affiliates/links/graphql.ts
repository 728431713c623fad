import { archiveMutations } from '../../../graphql/archive.ts'
import { builder, everywhere, publicOnly } from '../../../graphql/builder.ts'
import { connectionOf, rootConnection } from '../../../graphql/connection.ts'
import { programScope } from '../../../graphql/context.ts'
import { lookUp } from '../../../graphql/look-up-field.ts'
import { resourceMutation } from '../../../graphql/mutation.ts'
import { objectName } from '../../../graphql/object-name.ts'
import { restList } from '../../../graphql/pages.ts'
import { archiveAffiliateLink, deleteAffiliateLink } from './archive.ts'
import {
  createAffiliateLinkInput,
  createAffiliateLinksInput,
  listAffiliateLinksInput,
  updateAffiliateLinkInput,
} from './input.ts'
import { affiliateLinkListing, listAffiliateLinks } from './listing.ts'
import {
  createAffiliateLink,
  createAffiliateLinks,
  findAffiliateLink,
  findAffiliateLinks,
  linkUrl,
  updateAffiliateLink,
} from './service.ts'

export const AffiliateLinkType = builder.prismaObject('AffiliateLink', {
  description: 'A URL through which an affiliate refers visitors.',
  fields: (t) => ({
    id: t.exposeID('id', { forAffiliate: true, description: 'The id of the link, a UUID.' }),
    object: objectName(t, 'affiliate_link'),
    url: t.field({
      forAffiliate: true,
      type: 'URL',
      description: "The campaign's URL with `via=<token>` added.",
      select: { token: true, affiliate: { select: { campaign: { select: { url: true } } } } },
      resolve: (link) => linkUrl(link.affiliate.campaign.url, link.token),
    }),
    token: t.exposeString('token', {
      forAffiliate: true,
      description: "The value of `via` in the URL. Unique among the program's links, compared without regard to case.",
    }),
    visitors: t.exposeInt('visitors', {
      forAffiliate: true,
      description: 'The number of referrals through this link, in any state. May lag a second behind tracked visits.',
    }),
    leads: t.exposeInt('leads', {
      forAffiliate: true,
      description:
        'The number of referrals through this link that became a lead, including those that became a conversion later.',
    }),
    conversions: t.exposeInt('conversions', {
      forAffiliate: true,
      description: 'The number of referrals through this link that became a conversion.',
    }),
    affiliateId: t.exposeID('affiliateId', {
      forAffiliate: true,
      description: 'The id of the affiliate that the link belongs to.',
    }),
    affiliate: t.relation('affiliate', {
      subGraphs: publicOnly,
      description: 'The affiliate that the link belongs to.',
    }),
    createdAt: t.expose('createdAt', {
      forAffiliate: true,
      type: 'DateTime',
      subGraphs: publicOnly,
      description: 'When the link was created.',
    }),
    updatedAt: t.expose('updatedAt', {
      forAffiliate: true,
      type: 'DateTime',
      subGraphs: publicOnly,
      description: 'When the token was last changed. Changes of the counters do not count.',
    }),
    archivedAt: t.expose('archivedAt', {
      forAffiliate: true,
      type: 'DateTime',
      nullable: true,
      subGraphs: publicOnly,
      description: 'When the link was archived. Null if it is not archived.',
    }),
  }),
})

export const affiliateLinkConnection = connectionOf(affiliateLinkListing, AffiliateLinkType)

rootConnection('affiliateLinks', affiliateLinkConnection, "The program's affiliate links.")

restList(
  'affiliateLinks',
  AffiliateLinkType,
  listAffiliateLinksInput,
  listAffiliateLinks,
  "The program's affiliate links, newest first.",
)

lookUp(
  'affiliateLink',
  AffiliateLinkType,
  { description: 'Finds an affiliate link by id.', id: 'The id of the link.', subGraphs: everywhere },
  findAffiliateLink,
)

resourceMutation('createAffiliateLink', 'affiliateLink', AffiliateLinkType, {
  description: 'Adds a link to an affiliate.',
  subGraphs: everywhere,
  input: createAffiliateLinkInput,
  resolve: async (ctx, input, query) => {
    const { id } = await createAffiliateLink(programScope(ctx), input)
    return findAffiliateLink(programScope(ctx), id, query())
  },
})

resourceMutation('createAffiliateLinks', 'affiliateLinks', [AffiliateLinkType], {
  description: 'Adds links to affiliates. Creates all or none, and reports every problem of every entry.',
  input: createAffiliateLinksInput,
  resolve: async (ctx, input, query) => {
    const created = await createAffiliateLinks(programScope(ctx), input)
    const ids = created.map(({ id }) => id)
    return findAffiliateLinks(programScope(ctx), ids, query())
  },
})

resourceMutation('updateAffiliateLink', 'affiliateLink', AffiliateLinkType, {
  description: 'Changes the token of a link. URLs with the old token no longer lead to this link.',
  subGraphs: everywhere,
  ids: { id: 'The id of the link.' },
  input: updateAffiliateLinkInput,
  resolve: async (ctx, { id, ...input }, query) => {
    await updateAffiliateLink(programScope(ctx), id, input)
    return findAffiliateLink(programScope(ctx), id, query())
  },
})

archiveMutations('affiliateLink', AffiliateLinkType, {
  effect:
    "Visits are not recorded, and clicks lead to the campaign's URL. Referrals from before keep earning. Its token stays reserved.",
  references: 'referral, visit or imported record',
  archive: archiveAffiliateLink,
  find: findAffiliateLink,
  remove: deleteAffiliateLink,
})

import { builder, everywhere, publicOnly } from '../../../graphql/builder.ts'
import { connectionOf, rootConnection } from '../../../graphql/connection.ts'
import { programScope } from '../../../graphql/context.ts'
import { resourceMutation } from '../../../graphql/mutation.ts'
import { objectName } from '../../../graphql/object-name.ts'
import { restList } from '../../../graphql/pages.ts'
import {
  createAffiliateLinkInput,
  createAffiliateLinksInput,
  listAffiliateLinksInput,
  updateAffiliateLinkInput,
} from './input.ts'
import { affiliateLinkListing } from './listing.ts'
import {
  createAffiliateLink,
  createAffiliateLinks,
  findAffiliateLink,
  findAffiliateLinks,
  linkUrl,
  listAffiliateLinks,
  updateAffiliateLink,
} from './service.ts'

export const AffiliateLinkType = builder.prismaObject('AffiliateLink', {
  description: 'An address through which an affiliate refers visitors.',
  fields: (t) => ({
    id: t.exposeID('id', { forAffiliate: true }),
    object: objectName(t, 'affiliate_link'),
    url: t.field({
      forAffiliate: true,
      type: 'URL',
      description: "The campaign's address with `via=<token>` added.",
      select: { token: true, affiliate: { select: { campaign: { select: { url: true } } } } },
      resolve: (link) => linkUrl(link.affiliate.campaign.url, link.token),
    }),
    token: t.exposeString('token', {
      forAffiliate: true,
      description: "What `via` carries; unique among the program's links, whatever its case.",
    }),
    visitors: t.exposeInt('visitors', { forAffiliate: true, description: 'Referrals through this link.' }),
    leads: t.exposeInt('leads', { forAffiliate: true, description: 'Of these, how many became a lead.' }),
    conversions: t.exposeInt('conversions', {
      forAffiliate: true,
      description: 'Of these, how many became a conversion.',
    }),
    affiliateId: t.exposeID('affiliateId', { forAffiliate: true }),
    affiliate: t.relation('affiliate', { subGraphs: publicOnly }),
    createdAt: t.expose('createdAt', { forAffiliate: true, type: 'DateTime', subGraphs: publicOnly }),
    updatedAt: t.expose('updatedAt', { forAffiliate: true, type: 'DateTime', subGraphs: publicOnly }),
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

builder.queryField('affiliateLink', (t) =>
  t.prismaField({
    type: 'AffiliateLink',
    description: 'An affiliate link by id.',
    subGraphs: everywhere,
    args: { id: t.arg.id({ required: true }) },
    resolve: (query, _root, { id }, ctx) => findAffiliateLink(programScope(ctx), id, query),
  }),
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
  description: 'Adds links to affiliates, all or none; every problem of every one is told.',
  input: createAffiliateLinksInput,
  resolve: async (ctx, input, query) => {
    const made = await createAffiliateLinks(programScope(ctx), input)
    const ids = made.map(({ id }) => id)
    return findAffiliateLinks(programScope(ctx), ids, query())
  },
})

resourceMutation('updateAffiliateLink', 'affiliateLink', AffiliateLinkType, {
  description: "Changes a link's token. What carries the old one is no longer this link's.",
  subGraphs: everywhere,
  ids: { id: 'Of the link.' },
  input: updateAffiliateLinkInput,
  resolve: async (ctx, { id, ...input }, query) => {
    await updateAffiliateLink(programScope(ctx), id, input)
    return findAffiliateLink(programScope(ctx), id, query())
  },
})

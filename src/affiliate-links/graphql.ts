import { builder, everywhere, publicOnly } from '../graphql/builder.ts'
import { programScope } from '../graphql/context.ts'
import { inputOf } from '../graphql/inputs.ts'
import { objectName } from '../graphql/object-name.ts'
import { listField } from '../graphql/pages.ts'
import { createAffiliateLinkInput, listAffiliateLinksInput, updateAffiliateLinkInput } from './input.ts'
import { createAffiliateLink, findAffiliateLink, linkUrl, listAffiliateLinks, updateAffiliateLink } from './service.ts'

export const AffiliateLinkType = builder.prismaObject('AffiliateLink', {
  description: 'An address through which an affiliate refers visitors.',
  fields: (t) => ({
    id: t.exposeID('id'),
    object: objectName(t, 'affiliate_link'),
    url: t.string({
      description: "The campaign's address with `via=<token>` added.",
      select: { token: true, affiliate: { select: { campaign: { select: { url: true } } } } },
      resolve: (link) => linkUrl(link.affiliate.campaign.url, link.token),
    }),
    token: t.exposeString('token', {
      description: "What `via` carries; unique among the program's links, whatever its case.",
    }),
    visitors: t.exposeInt('visitors', { description: 'Referrals through this link.' }),
    leads: t.exposeInt('leads', { description: 'Of these, how many became a lead.' }),
    conversions: t.exposeInt('conversions', { description: 'Of these, how many became a conversion.' }),
    affiliateId: t.exposeID('affiliateId'),
    affiliate: t.relation('affiliate', { subGraphs: publicOnly }),
    createdAt: t.expose('createdAt', { type: 'DateTime', subGraphs: publicOnly }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', subGraphs: publicOnly }),
  }),
})

listField(
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

builder.mutationField('createAffiliateLink', (t) =>
  t.prismaField({
    type: 'AffiliateLink',
    description: 'Adds a link to an affiliate.',
    subGraphs: everywhere,
    args: { input: t.arg({ type: inputOf('CreateAffiliateLinkInput', createAffiliateLinkInput), required: true }) },
    resolve: async (query, _root, { input }, ctx) => {
      const { id } = await createAffiliateLink(programScope(ctx), input)
      return findAffiliateLink(programScope(ctx), id, query)
    },
  }),
)

builder.mutationField('updateAffiliateLink', (t) =>
  t.prismaField({
    type: 'AffiliateLink',
    description: "Changes a link's token. What carries the old one is no longer this link's.",
    subGraphs: everywhere,
    args: {
      id: t.arg.id({ required: true }),
      input: t.arg({ type: inputOf('UpdateAffiliateLinkInput', updateAffiliateLinkInput), required: true }),
    },
    resolve: async (query, _root, { id, input }, ctx) => {
      await updateAffiliateLink(programScope(ctx), id, input)
      return findAffiliateLink(programScope(ctx), id, query)
    },
  }),
)

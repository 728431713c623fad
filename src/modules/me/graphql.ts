import { builder, publicOnly } from '../../graphql/builder.ts'
import { affiliateScope } from '../../graphql/context.ts'
import { mutation } from '../../graphql/mutation.ts'
import { findAffiliate } from '../affiliates/find.ts'
import { findAffiliateLink } from '../affiliates/links/service.ts'
import { type Choices, defaultChoices, readMailChoices } from '../mails/choices.ts'
import { CommissionMailsEnum } from './graphql-enums.ts'
import { createMyLinkInput, updateMeInput } from './input.ts'
import { archiveMyLink, createMyLink, type MyLink, updateMe } from './service.ts'

const forAffiliate = true

const MailChoicesType = builder.objectRef<Choices>('MailChoices').implement({
  description: 'Which mails an affiliate wants.',
  subGraphs: publicOnly,
  fields: (t) => ({
    commissions: t.field({
      forAffiliate,
      type: CommissionMailsEnum,
      description: 'When mails tell of new commissions.',
      resolve: ({ commissions }) => commissions,
    }),
    getsPayoutMails: t.exposeBoolean('getsPayoutMails', {
      forAffiliate,
      description: 'Whether mails tell of payouts.',
    }),
    getsStatementMails: t.exposeBoolean('getsStatementMails', {
      forAffiliate,
      description: 'Whether a mail has the statement of each month.',
    }),
    getsTermsMails: t.exposeBoolean('getsTermsMails', {
      forAffiliate,
      description: 'Whether mails tell of new terms.',
    }),
    getsRewardMails: t.exposeBoolean('getsRewardMails', {
      forAffiliate,
      description: 'Whether mails tell of a change of what is earned.',
    }),
    getsMessageMails: t.exposeBoolean('getsMessageMails', {
      forAffiliate,
      description: 'Whether the program can write mails of its own.',
    }),
  }),
})

builder.prismaObjectField('Affiliate', 'mailChoices', (t) =>
  t.field({
    forAffiliate,
    type: MailChoicesType,
    subGraphs: publicOnly,
    select: { mailChoices: true },
    description: 'Which mails the affiliate wants.',
    resolve: ({ mailChoices }) => mailChoices ?? defaultChoices,
  }),
)

const UpdateMePayload = builder.objectRef<{ mailChoices: Choices }>('UpdateMePayload').implement({
  description: 'The result of `updateMe`.',
  subGraphs: publicOnly,
  fields: (t) => ({
    affiliate: t.prismaField({
      forAffiliate,
      type: 'Affiliate',
      description: 'The affiliate after the operation.',
      resolve: (query, _payload, _args, ctx) => {
        const scope = affiliateScope(ctx)
        return findAffiliate(scope, scope.affiliateId, query)
      },
    }),
    mailChoices: t.field({
      forAffiliate,
      type: MailChoicesType,
      description: 'Which mails the affiliate wants, after the operation.',
      resolve: ({ mailChoices }) => mailChoices,
    }),
  }),
})

mutation('updateMe', UpdateMePayload, {
  description:
    'Changes what an affiliate may change of themselves, all of it or nothing. A changed payout address is announced by mail, and payouts wait: see `Affiliate.payoutsHeldUntil`. Only with an affiliate token.',
  forAffiliate,
  input: updateMeInput,
  resolve: async (ctx, input) => {
    const scope = affiliateScope(ctx)
    await updateMe({ ...ctx, ...scope }, input)
    return {
      mailChoices: await readMailChoices(scope.db, { programId: scope.program.id, affiliateId: scope.affiliateId }),
    }
  },
})

const CreateMyLinkPayload = builder.objectRef<MyLink>('CreateMyLinkPayload').implement({
  description: 'The result of `createMyLink`.',
  subGraphs: publicOnly,
  fields: (t) => ({
    affiliateLink: t.prismaField({
      forAffiliate,
      type: 'AffiliateLink',
      description: 'The new link.',
      resolve: (query, { linkId }, _args, ctx) => findAffiliateLink(affiliateScope(ctx), linkId, query),
    }),
    url: t.exposeString('url', { forAffiliate, description: 'The address of the page, with `via` and `sub`.' }),
  }),
})

mutation('createMyLink', CreateMyLinkPayload, {
  description:
    "Creates a link of one's own, and the address of a page with it. Only with an affiliate token. An affiliate can have at most 100 links, archived ones included.",
  forAffiliate,
  input: createMyLinkInput,
  resolve: (ctx, input) => createMyLink(affiliateScope(ctx), input),
})

const ArchiveMyLinkPayload = builder.objectRef<{ linkId: string }>('ArchiveMyLinkPayload').implement({
  description: 'The result of `archiveMyLink`.',
  subGraphs: publicOnly,
  fields: (t) => ({
    affiliateLink: t.prismaField({
      forAffiliate,
      type: 'AffiliateLink',
      description: 'The link after the operation.',
      resolve: (query, { linkId }, _args, ctx) => findAffiliateLink(affiliateScope(ctx), linkId, query),
    }),
  }),
})

mutation('archiveMyLink', ArchiveMyLinkPayload, {
  description:
    "Archives a link of one's own: it gets no visitors any more, and lists leave it out. Idempotent. Only with an affiliate token.",
  forAffiliate,
  ids: { id: 'The id of the link.' },
  resolve: async (ctx, { id }) => {
    await archiveMyLink(affiliateScope(ctx), id)
    return { linkId: id }
  },
})

import { batched } from '../../graphql/batch.ts'
import { builder, publicOnly } from '../../graphql/builder.ts'
import { connectionOf, rootConnection } from '../../graphql/connection.ts'
import { type GraphQLContext, programScope } from '../../graphql/context.ts'
import { inputOf } from '../../graphql/inputs.ts'
import { mutation, resourceMutation } from '../../graphql/mutation.ts'
import { inOrder } from '../../kernel/lookup.ts'
import { MailType } from '../mails/graphql.ts'
import { type Applied, apply } from './apply.ts'
import { approveApplications, rejectApplications } from './decide.ts'
import { ApplicationStateEnum } from './graphql-enums.ts'
import {
  applicationFieldInput,
  applyInput,
  approveApplicationsInput,
  inviteApplicantsInput,
  rejectApplicationsInput,
} from './input.ts'
import { inviteApplicants } from './invite.ts'
import { countOtherApplications } from './known-applicants.ts'
import { applicationListing } from './listing.ts'

type OwnValue = { name: string; value: string }

const OwnValueType = builder.objectRef<OwnValue>('ApplicationField').implement({
  description: "The value of one of the program's own fields.",
  subGraphs: publicOnly,
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name of the field.' }),
    value: t.exposeString('value', { description: 'What the applicant entered.' }),
  }),
})

const known = (id: string, ctx: GraphQLContext) =>
  batched(ctx, 'known of applications', id, (ids) => countOtherApplications(programScope(ctx), ids))

export const ApplicationType = builder.prismaObject('Application', {
  description:
    'A person who wants to become an affiliate, and has confirmed the e-mail, unless the state is `SUSPECTED_SPAM`. The affiliate begins at approval.',
  subGraphs: publicOnly,
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the application.' }),
    state: t.expose('state', { type: ApplicationStateEnum, description: 'Whether it was decided.' }),
    email: t.expose('email', { type: 'EmailAddress', description: 'The e-mail of the applicant.' }),
    firstName: t.exposeString('firstName', { nullable: true, description: 'Given name.' }),
    lastName: t.exposeString('lastName', { nullable: true, description: 'Family name.' }),
    campaignId: t.exposeID('campaignId', {
      nullable: true,
      description: 'The campaign that they applied to. Null for the default campaign.',
    }),
    campaign: t.relation('campaign', {
      nullable: true,
      description: 'The campaign that they applied to. Null for the default campaign.',
    }),
    fields: t.field({
      type: [OwnValueType],
      description: "The values of the program's own fields.",
      resolve: ({ fields }) =>
        Object.entries(fields as Record<string, string>).map(([name, value]) => ({ name, value })),
    }),
    reason: t.exposeString('reason', {
      nullable: true,
      description: 'Why it was approved or rejected: the reason of the rule or of the person. Null without one.',
    }),
    isDisposable: t.exposeBoolean('isDisposable', {
      description: 'Whether the e-mail is of a provider of disposable addresses.',
    }),
    isInvited: t.exposeBoolean('isInvited', { description: 'Whether the program had invited the e-mail.' }),
    referredById: t.exposeID('referredById', {
      nullable: true,
      description: 'The affiliate whose invitation link was used. Null if nobody invited the applicant so.',
    }),
    referredBy: t.relation('referredBy', {
      nullable: true,
      description: 'The affiliate whose invitation link was used.',
    }),
    earlierCount: t.int({
      description: 'The number of earlier applications with the same e-mail.',
      resolve: async ({ id }, _args, ctx) => (await known(id, ctx)).earlier,
    }),
    sameNetworkCount: t.int({
      description: 'The number of applications with other e-mails from the same network address.',
      resolve: async ({ id }, _args, ctx) => (await known(id, ctx)).sameAddress,
    }),
    affiliateId: t.exposeID('affiliateId', {
      nullable: true,
      description: 'The affiliate that the applicant became. Null before approval.',
    }),
    affiliate: t.relation('affiliate', {
      nullable: true,
      description: 'The affiliate that the applicant became. Null before approval.',
    }),
    language: t.exposeString('language', {
      nullable: true,
      description: 'The language of the mails to the applicant. Null if it is not known.',
    }),
    termsVersion: t.exposeInt('termsVersion', {
      nullable: true,
      description: 'The version of the terms that the applicant accepted. Null if there were none.',
    }),
    termsAcceptedAt: t.expose('termsAcceptedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the terms were accepted. Null if there were none.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the application was sent.' }),
    confirmedAt: t.expose('confirmedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the e-mail was confirmed. Null for `SUSPECTED_SPAM`, also after a decision.',
    }),
    decidedAt: t.expose('decidedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was approved or rejected. Null before that.',
    }),
  }),
})

rootConnection(
  'applications',
  connectionOf(applicationListing, ApplicationType),
  'The applications to the program whose e-mail is confirmed, and those that a program may have sent (`SUSPECTED_SPAM`).',
  {
    within: () => ({
      OR: [{ confirmedAt: { not: null } }, { state: 'suspected_spam' as const }, { decidedAt: { not: null } }],
    }),
  },
)

const joinScope = (ctx: GraphQLContext) => ({
  ...programScope(ctx),
  publicUrl: ctx.affiliateUrl,
  key: ctx.webhooks.key,
})

const AppliedType = builder.objectRef<Applied>('SentApplication').implement({
  description: 'An application that was sent. It is listed once its e-mail is confirmed.',
  subGraphs: publicOnly,
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the application.' }),
    state: t.field({
      type: ApplicationStateEnum,
      description: 'Always `APPLIED`, whether the e-mail is known or not.',
      resolve: ({ state }) => state,
    }),
  }),
})

const ApplyPayload = builder.objectRef<{ application: Applied }>('ApplyPayload').implement({
  description: 'The result of `apply`.',
  subGraphs: publicOnly,
  fields: (t) => ({
    application: t.field({
      type: AppliedType,
      description: 'The application.',
      resolve: ({ application }) => application,
    }),
  }),
})

inputOf('ApplicationFieldInput', applicationFieldInput)

mutation('apply', ApplyPayload, {
  description:
    'Applies to the program for a person, as the page `/join/{program}` does: a mail with a link confirms the e-mail. The answer does not say whether the e-mail is known.',
  input: applyInput,
  resolve: async (ctx, input) => ({
    application: await apply(joinScope(ctx), input, { address: null, isSuspected: false }),
  }),
})

const decision = (
  name: string,
  description: string,
  input: typeof approveApplicationsInput | typeof rejectApplicationsInput,
  decide: typeof approveApplications,
) =>
  resourceMutation(name, 'applications', [ApplicationType], {
    description,
    input,
    resolve: async (ctx, given, query) => {
      const ids = await decide(joinScope(ctx), given)
      const where = { programId: programScope(ctx).program.id, id: { in: ids } }
      return inOrder(ids, await ctx.db.application.findMany({ ...query(), where }))
    },
  })

decision(
  'approveApplications',
  'Makes affiliates of applicants, and sends them a welcome with their link. All or none. An applicant who is an affiliate already stays as they are.',
  approveApplicationsInput,
  approveApplications,
)
decision('rejectApplications', 'Rejects applicants. All or none.', rejectApplicationsInput, rejectApplications)

resourceMutation('inviteApplicants', 'mails', [MailType], {
  description:
    'Mails invitations to apply. Affiliates, and people who were invited in the last seven days, get none. Rules can approve applications of people who were invited.',
  input: inviteApplicantsInput,
  resolve: async (ctx, input, query) => {
    const ids = await inviteApplicants(joinScope(ctx), input)
    const where = { programId: programScope(ctx).program.id, id: { in: ids } }
    return inOrder(ids, await ctx.db.mail.findMany({ ...query(), where }))
  },
})

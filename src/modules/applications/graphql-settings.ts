import { builder, publicOnly } from '../../graphql/builder.ts'
import { programScope } from '../../graphql/context.ts'
import { inputOf } from '../../graphql/inputs.ts'
import { mutation, resourceMutation } from '../../graphql/mutation.ts'
import { JoinDecisionEnum, JoinFieldTypeEnum } from './graphql-enums.ts'
import { joinFieldInput, joinRuleInput, publishTermsInput, updateJoinSettingsInput } from './input.ts'
import type { JoinRule } from './rules.ts'
import {
  type JoinField,
  type Joining,
  listTerms,
  type PublishedTerms,
  publishTerms,
  readJoinSettings,
  type Terms,
  updateJoinSettings,
} from './settings.ts'

inputOf('JoinFieldInput', joinFieldInput)
inputOf('JoinRuleInput', joinRuleInput)

const JoinFieldType = builder.objectRef<JoinField>('JoinField').implement({
  description: 'What a program asks of applicants, beside the e-mail and the name.',
  subGraphs: publicOnly,
  fields: (t) => ({
    name: t.exposeString('name', { description: 'How requests call it.' }),
    label: t.exposeString('label', { description: 'What the page calls it.' }),
    type: t.field({ type: JoinFieldTypeEnum, description: 'What is entered.', resolve: ({ type }) => type ?? 'text' }),
    isRequired: t.boolean({
      description: 'Whether it has to be filled in.',
      resolve: ({ isRequired }) => isRequired ?? false,
    }),
    choices: t.stringList({ description: 'The values of a `CHOICE`.', resolve: ({ choices }) => choices ?? [] }),
  }),
})

const JoinRuleType = builder.objectRef<JoinRule>('JoinRule').implement({
  description: 'A rule that decides applications. It holds if all of its conditions hold.',
  subGraphs: publicOnly,
  fields: (t) => ({
    decision: t.field({
      type: JoinDecisionEnum,
      description: 'What happens to the application.',
      resolve: ({ decision }) => decision,
    }),
    reason: t.exposeString('reason', { description: 'Why. It is kept with the application.' }),
    emailDomains: t.stringList({
      nullable: true,
      description: 'The e-mail is of one of these domains. Null for any.',
      resolve: ({ emailDomains }) => emailDomains ?? null,
    }),
    isDisposable: t.boolean({
      nullable: true,
      description: 'Whether the e-mail is of a provider of disposable addresses. Null for both.',
      resolve: ({ isDisposable }) => isDisposable ?? null,
    }),
    isInvited: t.boolean({
      nullable: true,
      description: 'Whether the program has invited the e-mail. Null for both.',
      resolve: ({ isInvited }) => isInvited ?? null,
    }),
    isInvitedByAffiliate: t.boolean({
      nullable: true,
      description: 'Whether the link of an affiliate led to the page. Null for both.',
      resolve: ({ isInvitedByAffiliate }) => isInvitedByAffiliate ?? null,
    }),
    field: t.string({
      nullable: true,
      description: 'The field whose value is one of `values`. Null without this condition.',
      resolve: ({ field }) => field ?? null,
    }),
    values: t.stringList({ description: 'The values of `field`.', resolve: ({ values }) => values ?? [] }),
  }),
})

const JoinSettingsType = builder.objectRef<Joining>('JoinSettings').implement({
  description: 'How people apply to the program, at `/join/{program}`.',
  subGraphs: publicOnly,
  fields: (t) => ({
    isOpen: t.exposeBoolean('isOpen', { description: 'Whether people can apply.' }),
    origins: t.exposeStringList('origins', {
      description: 'The origins whose pages may send applications, and show the join page and the portal in a frame.',
    }),
    fields: t.field({
      type: [JoinFieldType],
      description: 'What is asked beside the e-mail and the name.',
      resolve: ({ fields }) => fields,
    }),
    rules: t.field({
      type: [JoinRuleType],
      description: 'The rules that decide clear applications, the first that holds.',
      resolve: ({ rules }) => rules,
    }),
    mailsManagers: t.exposeBoolean('mailsManagers', {
      description:
        'Whether owners and managers get a mail when new applications wait, once a day at 07:00 in the time zone of the program.',
    }),
    applicationsPerMinute: t.exposeInt('applicationsPerMinute', {
      description: 'How many applications one network address can send in a minute. 30 by default.',
    }),
    text: t.exposeString('text', { nullable: true, description: 'Above the form. Null for none.' }),
    logoUrl: t.exposeString('logoUrl', {
      nullable: true,
      description: 'An image above the form, and in the portal. Null for none.',
    }),
    color: t.exposeString('color', {
      nullable: true,
      description: 'The colour of the button, and of the portal. Null for the default.',
    }),
  }),
})

builder.queryField('joinSettings', (t) =>
  t.field({
    type: JoinSettingsType,
    description: 'How people apply to the program.',
    resolve: (_root, _args, ctx) => readJoinSettings(ctx.db, programScope(ctx)),
  }),
)

resourceMutation('updateJoinSettings', 'joinSettings', JoinSettingsType, {
  description: 'Changes how people apply to the program. Lists replace the present ones as a whole.',
  input: updateJoinSettingsInput,
  resolve: (ctx, input) => updateJoinSettings(programScope(ctx), input),
})

const forAffiliate = true

export const TermsType = builder.objectRef<Terms>('Terms').implement({
  description: 'A version of the terms that affiliates accept.',
  subGraphs: publicOnly,
  fields: (t) => ({
    version: t.int({ forAffiliate, description: '1, 2, 3 …', resolve: ({ number }) => number }),
    text: t.exposeString('text', { forAffiliate, description: 'The terms, as plain text.' }),
    from: t.expose('holdsFrom', { forAffiliate, type: 'DateTime', description: 'When they begin to hold.' }),
    requiredFrom: t.expose('requiredFrom', {
      forAffiliate,
      type: 'DateTime',
      nullable: true,
      description: 'From when new commissions of affiliates who have not accepted them are held. Null: never.',
    }),
    publishedAt: t.expose('createdAt', { forAffiliate, type: 'DateTime', description: 'When they were published.' }),
  }),
})

builder.queryField('terms', (t) =>
  t.field({
    type: [TermsType],
    description: 'All versions of the terms, the newest first.',
    resolve: (_root, _args, ctx) => listTerms(programScope(ctx)),
  }),
)

const PublishTermsPayload = builder.objectRef<PublishedTerms>('PublishTermsPayload').implement({
  description: 'The result of `publishTerms`.',
  subGraphs: publicOnly,
  fields: (t) => ({
    terms: t.field({ type: TermsType, description: 'The terms, as published.', resolve: ({ terms }) => terms }),
    recipients: t.exposeInt('recipients', {
      description: 'How many active affiliates get a mail at once. Those who want no mails about terms do not count.',
    }),
  }),
})

mutation('publishTerms', PublishTermsPayload, {
  description:
    'Publishes the next version of the terms. Applicants accept the version that holds when they apply. Affiliates get a mail at once, and another a week before `requiredFrom`. With `dryRun`, it only says how many.',
  input: publishTermsInput,
  resolve: (ctx, input) => publishTerms(programScope(ctx), input),
})

import type { SelfBillingVersion } from '../../generated/prisma/client.ts'
import { batched } from '../../graphql/batch.ts'
import { builder, publicOnly } from '../../graphql/builder.ts'
import { affiliateScope, programScope } from '../../graphql/context.ts'
import { mutation } from '../../graphql/mutation.ts'
import { findAffiliate } from '../affiliates/find.ts'
import { acceptSelfBilling, publishSelfBilling, type SelfBilling, selfBillingOf } from './agreement.ts'
import { acceptSelfBillingInput, publishSelfBillingInput } from './input.ts'

const forAffiliate = true

const SelfBillingType = builder.objectRef<SelfBilling>('SelfBilling').implement({
  description: 'The text of self-billing that holds, and whether the affiliate has agreed to it.',
  subGraphs: publicOnly,
  fields: (t) => ({
    version: t.exposeInt('version', { forAffiliate, description: 'The version that holds.' }),
    text: t.exposeString('text', { forAffiliate, description: 'What affiliates agree to.' }),
    isAgreed: t.boolean({
      forAffiliate,
      description: 'Whether the affiliate has agreed to this version. Otherwise no invoice is made.',
      resolve: ({ agreed }) => agreed !== null,
    }),
    agreedAt: t.field({
      forAffiliate,
      type: 'DateTime',
      nullable: true,
      description: 'When the affiliate agreed to this version. Null: not yet.',
      resolve: ({ agreed }) => agreed?.agreedAt ?? null,
    }),
    signedName: t.string({
      forAffiliate,
      nullable: true,
      description: 'The name of the person who agreed to this version. Null: nobody, or the person was erased.',
      resolve: ({ agreed }) => agreed?.signedName ?? null,
    }),
    agreedVersion: t.exposeInt('agreedVersion', {
      forAffiliate,
      nullable: true,
      description: 'The newest version that the affiliate has agreed to. Null: none.',
    }),
  }),
})

builder.prismaObjectField('Affiliate', 'selfBilling', (t) =>
  t.field({
    forAffiliate,
    type: SelfBillingType,
    nullable: true,
    subGraphs: publicOnly,
    description: 'The agreement to self-billing. Null if the program makes no invoices.',
    resolve: ({ programId, id }, _args, ctx) =>
      batched<SelfBilling | null>(ctx, 'self-billing', id, (ids) => selfBillingOf(ctx.db, programId, ids)),
  }),
)

const SelfBillingVersionType = builder.objectRef<SelfBillingVersion>('SelfBillingVersion').implement({
  description: 'A version of the text by which affiliates agree to self-billing.',
  subGraphs: publicOnly,
  fields: (t) => ({
    number: t.exposeInt('number', { description: 'Counts the versions, from 1.' }),
    text: t.exposeString('text', { description: 'What affiliates agree to.' }),
    publishedAt: t.expose('createdAt', { type: 'DateTime', description: 'Since when it holds.' }),
    agreementCount: t.int({
      description: 'How many affiliates have agreed to it.',
      resolve: ({ programId, number }, _args, ctx) =>
        ctx.db.selfBillingAgreement.count({ where: { programId, version: number } }),
    }),
  }),
})

builder.queryField('selfBillingVersions', (t) =>
  t.field({
    type: [SelfBillingVersionType],
    subGraphs: publicOnly,
    description: 'The versions of the text of self-billing, newest first. The first one holds.',
    resolve: (_root, _args, ctx) => {
      const { db, program } = programScope(ctx)
      return db.selfBillingVersion.findMany({ where: { programId: program.id }, orderBy: { number: 'desc' } })
    },
  }),
)

const PublishSelfBillingPayload = builder.objectRef<{ version: number }>('PublishSelfBillingPayload').implement({
  description: 'The result of `publishSelfBilling`.',
  subGraphs: publicOnly,
  fields: (t) => ({ version: t.exposeInt('version', { description: 'The version that holds now.' }) }),
})

mutation('publishSelfBilling', PublishSelfBillingPayload, {
  description:
    'Publishes the text by which affiliates agree to self-billing. A new text is another version: affiliates are asked again, and get no invoices before they agree. The same text again changes nothing.',
  forRole: 'finance',
  input: publishSelfBillingInput,
  resolve: async (ctx, input) => ({ version: await publishSelfBilling(programScope(ctx), input) }),
})

const AcceptSelfBillingPayload = builder.objectRef<object>('AcceptSelfBillingPayload').implement({
  description: 'The result of `acceptSelfBilling`.',
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
  }),
})

mutation('acceptSelfBilling', AcceptSelfBillingPayload, {
  description:
    'Agrees to the version of self-billing that holds, with the name of the person who agrees. The time is kept. Idempotent: the first time stays. Only with an affiliate token.',
  forAffiliate,
  input: acceptSelfBillingInput,
  resolve: async (ctx, input) => {
    await acceptSelfBilling(affiliateScope(ctx), input)
    return {}
  },
})

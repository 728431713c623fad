import type { PayoutRecipient } from '../../../generated/prisma/client.ts'
import { batched } from '../../../graphql/batch.ts'
import { builder, publicOnly } from '../../../graphql/builder.ts'
import { affiliateScope, programScope } from '../../../graphql/context.ts'
import { mutation } from '../../../graphql/mutation.ts'
import { PayoutMethodEnum } from '../../payout-methods/graphql-enums.ts'
import { PayoutServiceKindEnum } from '../graphql-enums.ts'
import { refreshPayoutOnboardingInput, startPayoutOnboardingInput } from './input.ts'
import { offeredMethods, refreshPayoutOnboarding, startPayoutOnboarding } from './onboarding.ts'

const forAffiliate = true

const RecipientType = builder.prismaObject('PayoutRecipient', {
  description: 'An affiliate as a payout service knows them, which has the bank account.',
  subGraphs: publicOnly,
  fields: (t) => ({
    service: t.expose('service', { forAffiliate, type: PayoutServiceKindEnum, description: 'The service.' }),
    isReady: t.exposeBoolean('isReady', { forAffiliate, description: 'Whether the service could pay the affiliate.' }),
    missing: t.exposeString('missing', {
      forAffiliate,
      nullable: true,
      description: 'What the service still asks for, in its words. Null if it said nothing.',
    }),
    checkedAt: t.expose('checkedAt', { forAffiliate, type: 'DateTime', description: 'When it was last asked.' }),
  }),
})

builder.prismaObjectField('Affiliate', 'payoutRecipients', (t) =>
  t.relation('payoutRecipients', {
    forAffiliate,
    type: RecipientType,
    subGraphs: publicOnly,
    description: 'The services whose own page asks the affiliate for the payout details, if the affiliate began.',
    query: { orderBy: { service: 'asc' } },
  }),
)

builder.prismaObjectField('Program', 'payoutMethods', (t) =>
  t.field({
    forAffiliate,
    type: [PayoutMethodEnum],
    subGraphs: publicOnly,
    description:
      'The methods that affiliates can choose. Those that a service alone pays are among them if its page asks affiliates for their accounts.',
    resolve: ({ id }, _args, ctx) =>
      batched(ctx, 'offered methods', id, (ids) =>
        Promise.all(ids.map(() => offeredMethods(programScope(ctx), ctx.payoutServices))),
      ),
  }),
)

const StartPayload = builder.objectRef<{ url: string }>('StartPayoutOnboardingPayload').implement({
  description: 'The result of `startPayoutOnboarding`.',
  subGraphs: publicOnly,
  fields: (t) => ({
    url: t.exposeString('url', {
      forAffiliate,
      description: 'The page of the service. It works once, for some minutes, and leads back to the portal.',
    }),
  }),
})

mutation('startPayoutOnboarding', StartPayload, {
  description:
    'Makes the affiliate known to a payout service, and gives the address of the page where it asks for the bank account. Only with an affiliate token.',
  forAffiliate,
  input: startPayoutOnboardingInput,
  resolve: async (ctx, input) => ({
    url: await startPayoutOnboarding({ ...ctx, ...affiliateScope(ctx) }, ctx.payoutServices, input),
  }),
})

const RefreshPayload = builder.objectRef<{ row: PayoutRecipient }>('RefreshPayoutOnboardingPayload').implement({
  description: 'The result of `refreshPayoutOnboarding`.',
  subGraphs: publicOnly,
  fields: (t) => ({
    payoutRecipient: t.field({
      forAffiliate,
      type: RecipientType,
      description: 'What the service says.',
      resolve: ({ row }) => row,
    }),
  }),
})

mutation('refreshPayoutOnboarding', RefreshPayload, {
  description:
    'Asks the service whether it can pay the affiliate. If it can for the first time, that is a change of the payout address: it is announced by mail, and payouts wait. Only with an affiliate token.',
  forAffiliate,
  input: refreshPayoutOnboardingInput,
  resolve: async (ctx, input) => ({
    row: await refreshPayoutOnboarding({ ...ctx, ...affiliateScope(ctx) }, ctx.payoutServices, input),
  }),
})

import type { z } from 'zod'
import type { PayoutServiceKind } from '../../generated/prisma/enums.ts'
import { builder, publicOnly } from '../../graphql/builder.ts'
import { type GraphQLContext, programScope } from '../../graphql/context.ts'
import { mutation, resourceMutation } from '../../graphql/mutation.ts'
import { defineRowNode } from '../../graphql/node.ts'
import { wireOf } from '../../kernel/input/wire.ts'
import { addHistory } from '../history/graphql.ts'
import { kindOf } from './access.ts'
import { pausePayoutService, resumePayoutService, updatePayoutService } from './change.ts'
import { connectPayoutService, disconnectPayoutService } from './connect.ts'
import { listPayoutServices } from './find.ts'
import { PayoutServiceAbilityEnum, PayoutServiceKindEnum } from './graphql-enums.ts'
import { connectPayoutServiceInput, namedPayoutServiceInput, updatePayoutServiceInput } from './input.ts'
import { kinds } from './kinds/all.ts'
import type { Kind } from './kinds/kind.ts'

const limit = 'in minor units of the currency of a run. Null: no limit.'

export const PayoutServiceType = builder.prismaObject('PayoutService', {
  description: 'A service that sends payments by its API. Its credentials cannot be read.',
  subGraphs: publicOnly,
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the connected service.' }),
    service: t.expose('service', { type: PayoutServiceKindEnum, description: 'Which service it is.' }),
    name: t.string({ description: 'What people call it.', resolve: (row) => kindOf(row).name }),
    account: t.exposeString('account', { description: 'What the service calls the account, or the app.' }),
    canPay: t.exposeString('canPay', {
      description: 'What it said when the credentials were entered, such as "can pay EUR, balance 1,204.10".',
    }),
    checkedAt: t.expose('checkedAt', { type: 'DateTime', description: 'When the credentials were entered and tried.' }),
    abilities: t.field({
      type: [PayoutServiceAbilityEnum],
      description: 'What it can do.',
      resolve: (row) => [...kindOf(row).can],
    }),
    webhookUrl: t.field({
      type: 'URL',
      description: 'The address to enter at the service, so that it sends what became of payments.',
      resolve: ({ id }, _args, ctx) => `${ctx.publicUrl}/payout-services/${id}`,
    }),
    problem: t.exposeString('problem', {
      nullable: true,
      description: 'Why its last call failed, in a sentence. Null if it did not.',
    }),
    pausedAt: t.expose('pausedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when nothing is sent. Null if it is not paused.',
    }),
    mostPerRunCents: t.expose('mostPerRunCents', {
      type: 'SafeInt',
      nullable: true,
      description: `The most that a run can send, ${limit}`,
    }),
    mostPerDayCents: t.expose('mostPerDayCents', {
      type: 'SafeInt',
      nullable: true,
      description: `The most that all runs of 24 hours can send, ${limit}`,
    }),
    mostPerPayeeCents: t.expose('mostPerPayeeCents', {
      type: 'SafeInt',
      nullable: true,
      description: `The most that one payment can be, ${limit}`,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was connected.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
  }),
})

defineRowNode(PayoutServiceType)
addHistory('PayoutService')

builder.queryField('payoutServices', (t) =>
  t.field({
    type: [PayoutServiceType],
    description: 'The services that are connected, the oldest first. A program has each at most once.',
    resolve: (_root, _args, ctx) => listPayoutServices(programScope(ctx)),
  }),
)

type KindOfService = { service: PayoutServiceKind; kind: Kind }
type CredentialKey = { key: string; description: string; isRequired: boolean }

const CredentialKeyType = builder.objectRef<CredentialKey>('PayoutServiceCredential').implement({
  description: 'A key of the credentials of a service.',
  subGraphs: publicOnly,
  fields: (t) => ({
    key: t.exposeString('key', { description: 'The key in the JSON object.' }),
    description: t.exposeString('description', { description: 'What it is.' }),
    isRequired: t.exposeBoolean('isRequired', { description: 'Whether it is needed.' }),
  }),
})

const AvailableType = builder.objectRef<KindOfService>('AvailablePayoutService').implement({
  description: 'A service that can be connected.',
  subGraphs: publicOnly,
  fields: (t) => ({
    service: t.expose('service', { type: PayoutServiceKindEnum, description: 'Which service it is.' }),
    name: t.string({ description: 'What people call it.', resolve: ({ kind }) => kind.name }),
    abilities: t.field({
      type: [PayoutServiceAbilityEnum],
      description: 'What it can do.',
      resolve: ({ kind }) => [...kind.can],
    }),
    credentials: t.field({
      type: [CredentialKeyType],
      description: 'The keys of its credentials.',
      resolve: ({ kind }) =>
        Object.entries(kind.credentials.shape as Record<string, z.ZodType>).map(([key, schema]): CredentialKey => {
          const { description = '', required: isRequired = false } = wireOf(schema)
          return { key, description, isRequired }
        }),
    }),
  }),
})

builder.queryField('availablePayoutServices', (t) =>
  t.field({
    type: [AvailableType],
    description: 'The services that can be connected, with the keys of their credentials.',
    resolve: (_root, _args, ctx) => {
      programScope(ctx)
      return Object.entries(kinds).map(
        ([service, kind]): KindOfService => ({ service: service as PayoutServiceKind, kind }),
      )
    },
  }),
)

const settingsOf = (ctx: GraphQLContext) => ctx.payoutServices

resourceMutation('connectPayoutService', 'payoutService', PayoutServiceType, {
  description:
    'Connects a service, or gives a connected one other credentials, which are used from the next call on. They are tried first. Only an owner with a second factor can do it, or an API key with full access.',
  forRole: 'owner',
  input: connectPayoutServiceInput,
  resolve: (ctx, input) => connectPayoutService(programScope(ctx), settingsOf(ctx), input),
})

resourceMutation('updatePayoutService', 'payoutService', PayoutServiceType, {
  description: 'Changes the limits of a service, for runs that are sent from now on.',
  forRole: 'owner',
  input: updatePayoutServiceInput,
  resolve: (ctx, input) => updatePayoutService(programScope(ctx), input),
})

resourceMutation('pausePayoutService', 'payoutService', PayoutServiceType, {
  description: 'Sends nothing more until it is resumed. A run stops between two batches. Idempotent.',
  forRole: 'finance',
  input: namedPayoutServiceInput,
  resolve: (ctx, input) => pausePayoutService(programScope(ctx), input),
})

resourceMutation('resumePayoutService', 'payoutService', PayoutServiceType, {
  description: 'Sends by the service again. Runs that were stopped go on. Idempotent.',
  forRole: 'owner',
  input: namedPayoutServiceInput,
  resolve: (ctx, input) => resumePayoutService(programScope(ctx), input),
})

const Disconnected = builder.objectRef<{ id: string }>('DisconnectPayoutServicePayload').implement({
  description: 'The result of `disconnectPayoutService`.',
  subGraphs: publicOnly,
  fields: (t) => ({ deletedId: t.exposeID('id', { description: 'The id of the service that was connected.' }) }),
})

mutation('disconnectPayoutService', Disconnected, {
  description: 'Forgets the credentials of a service. It is refused while what became of a payment is unknown.',
  forRole: 'owner',
  input: namedPayoutServiceInput,
  resolve: async (ctx, input) => ({ id: await disconnectPayoutService(programScope(ctx), input) }),
})

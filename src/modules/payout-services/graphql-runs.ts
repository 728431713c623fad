import type { PayoutBatch, PayoutRun, PayoutRunItem } from '../../generated/prisma/client.ts'
import { batched } from '../../graphql/batch.ts'
import { builder, publicOnly } from '../../graphql/builder.ts'
import { type GraphQLContext, programScope } from '../../graphql/context.ts'
import { moneyBeside, moneyOf } from '../../graphql/money.ts'
import { mutation, resourceMutation } from '../../graphql/mutation.ts'
import { findPayoutRun } from '../payouts/runs/find.ts'
import { PayoutRunItemType, PayoutRunType } from '../payouts/runs/graphql.ts'
import { listPayoutServices } from './find.ts'
import { PayoutServiceType } from './graphql.ts'
import { PayoutServiceKindEnum } from './graphql-enums.ts'
import { cancelPaymentInput, sendPayoutRunInput } from './input.ts'
import { serviceOf } from './kinds/all.ts'
import { cancelPayment } from './runs/cancel-payment.ts'
import { quotePayoutRun, type RunQuote } from './runs/quote.ts'
import { refreshPayoutRun } from './runs/refresh.ts'
import { sendPayoutRun } from './runs/send.ts'

const servicesFor = async (ctx: GraphQLContext, methods: readonly string[]) => {
  const all = await listPayoutServices(programScope(ctx))
  return methods.map(() => all)
}

const HandOverType = builder.objectRef<PayoutBatch>('PayoutHandOver').implement({
  description: 'A batch of a run that the service has, and that a person has to fund there.',
  subGraphs: publicOnly,
  fields: (t) => ({
    text: t.string({ description: 'What to do, in a sentence.', resolve: ({ handOver }) => handOver ?? '' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Until when the service keeps to its rates and fees. Null if it does not say.',
    }),
  }),
})

const handOversFor = async (ctx: GraphQLContext, runIds: readonly string[]): Promise<PayoutBatch[][]> => {
  const { db, program } = programScope(ctx)
  const batches = await db.payoutBatch.findMany({
    where: {
      programId: program.id,
      runId: { in: [...runIds] },
      state: 'handed_over',
      items: { some: { state: { in: ['prepared', 'sent'] } } },
    },
    orderBy: { number: 'asc' },
  })
  return runIds.map((id) => batches.filter(({ runId }) => runId === id))
}

builder.prismaObjectFields('PayoutRun', (t) => ({
  service: t.expose('service', {
    type: PayoutServiceKindEnum,
    nullable: true,
    subGraphs: publicOnly,
    description: 'The service that it is sent by. Null if it was not sent by an API.',
  }),
  connectedService: t.field({
    type: PayoutServiceType,
    nullable: true,
    subGraphs: publicOnly,
    description: 'The connected service that can send runs of the method. Null if none is connected.',
    resolve: async ({ method }, _args, ctx) => {
      const found = serviceOf(method)
      const all = found && (await batched(ctx, 'payout services', method, (ids) => servicesFor(ctx, ids)))
      return all?.find(({ service }) => service === found?.service) ?? null
    },
  }),
  handedOverAt: t.expose('handedOverAt', {
    type: 'DateTime',
    nullable: true,
    subGraphs: publicOnly,
    description: 'Since when it is sent by the API of a service. Null if it is not.',
  }),
  serviceProblem: t.exposeString('serviceProblem', {
    nullable: true,
    subGraphs: publicOnly,
    description: 'Why it stands still, in a sentence: what the service said last. Null if all is well.',
  }),
  handOvers: t.field({
    type: [HandOverType],
    subGraphs: publicOnly,
    description: 'What a person has to do at the service, so that it pays. Empty if nothing.',
    select: { id: true },
    resolve: ({ id }, _args, ctx) => batched(ctx, 'hand-overs of payout runs', id, (ids) => handOversFor(ctx, ids)),
  }),
  nextStepAt: t.expose('nextStepAt', {
    type: 'DateTime',
    nullable: true,
    subGraphs: publicOnly,
    description:
      'When the rest is sent, or the service is asked again. Null if nothing is left, or a person has to act.',
  }),
}))

builder.prismaObjectFields('PayoutRunItem', (t) => ({
  serviceId: t.exposeString('serviceId', {
    nullable: true,
    description: "The service's id of the payment. Null if it was not sent by an API, or the service has not said it.",
  }),
  serviceState: t.exposeString('serviceState', {
    nullable: true,
    description: "The state of the payment in the service's own word, such as `SUCCESS`. Null if it has said none.",
  }),
  feeCents: t.expose('feeCents', {
    type: 'SafeInt',
    nullable: true,
    description: 'What the service took for the payment, in minor units of `feeCurrency`. Null if it has not said it.',
  }),
  feeCurrency: t.expose('feeCurrency', {
    type: 'Currency',
    nullable: true,
    description: 'The currency of the fee. Null without one.',
  }),
  exchangeRate: t.exposeString('exchangeRate', {
    nullable: true,
    description: 'The rate at which the service changed the currency, as it says it. Null if it did not.',
  }),
  receivedCents: t.expose('receivedCents', {
    type: 'SafeInt',
    nullable: true,
    description:
      'What arrived, in minor units of `receivedCurrency`, if that is not the amount: in another currency, or less the fee. Null otherwise.',
  }),
  receivedCurrency: t.expose('receivedCurrency', {
    type: 'Currency',
    nullable: true,
    description: 'The currency that arrived. Null if the amount arrived.',
  }),
  isUnknown: t.exposeBoolean('isUnknown', {
    description:
      'Whether it was handed over, and no answer says what became of it. It is asked for; until then, it is not sent as another payment.',
  }),
  contradiction: t.exposeString('contradiction', {
    nullable: true,
    description:
      'What was said of the payment that does not fit together, in a sentence. A person decides with `recordPayoutResults`. Null if all fits.',
  }),
}))

const ofRun = { id: 'The id of the run.' }
const runOf = (ctx: GraphQLContext, id: string, query: () => object) => findPayoutRun(programScope(ctx), id, query())

const QuoteType = builder.objectRef<RunQuote>('PayoutRunQuote').implement({
  description: 'What a service says of a run before it is sent.',
  subGraphs: publicOnly,
  fields: (t) => ({
    payments: t.exposeInt('payments', { description: 'How many payments would be sent.' }),
    amountCents: t.expose('amountCents', {
      type: 'SafeInt',
      description: 'Their sum, in minor units of the currency of the run.',
    }),
    currency: t.field({
      type: 'Currency',
      description: 'The currency of the run.',
      resolve: ({ run }) => run.currency,
    }),
    amount: t.field({
      ...moneyBeside('amountCents'),
      resolve: ({ amountCents, run: { currency } }) => ({ amountCents, currency }),
    }),
    feeCents: t.field({
      type: 'SafeInt',
      nullable: true,
      description: 'What the service takes, in minor units of `feeCurrency`. Null if it says so only afterwards.',
      resolve: ({ fee }) => fee?.cents ?? null,
    }),
    fee: t.field({
      ...moneyBeside('feeCents'),
      nullable: true,
      resolve: ({ fee }) => fee && { amountCents: fee.cents, currency: fee.currency },
    }),
    feeCurrency: t.field({
      type: 'Currency',
      nullable: true,
      description: 'The currency of the fee. Null without one.',
      resolve: ({ fee }) => fee?.currency ?? null,
    }),
    balanceCents: t.field({
      type: 'SafeInt',
      nullable: true,
      description: 'What the account has in the currency of the run. Null if that is not visible.',
      resolve: ({ balance }) => balance?.cents ?? null,
    }),
    balance: t.field({
      ...moneyBeside('balanceCents'),
      nullable: true,
      resolve: ({ balance, run }) => moneyOf(balance?.cents ?? null, run.currency),
    }),
    isEnough: t.exposeBoolean('isEnough', {
      nullable: true,
      description: 'Whether the balance is enough. Null if it is not visible.',
    }),
    exchangeRate: t.exposeString('exchangeRate', {
      nullable: true,
      description: 'The rate. Null without an exchange.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Until when the service keeps to it. Null if it does not say.',
    }),
    notes: t.stringList({
      description: 'What a person should know before it is sent.',
      resolve: ({ notes }) => [...notes],
    }),
  }),
})

const QuotePayload = builder.objectRef<RunQuote>('QuotePayoutRunPayload').implement({
  description: 'The result of `quotePayoutRun`.',
  subGraphs: publicOnly,
  fields: (t) => ({
    payoutRun: t.field({ type: PayoutRunType, description: 'The run.', resolve: ({ run }) => run }),
    quote: t.field({ type: QuoteType, description: 'What the service says.', resolve: (quote) => quote }),
  }),
})

mutation('quotePayoutRun', QuotePayload, {
  description: 'Asks the service what a run costs, and whether the balance is enough. Nothing is sent.',
  forRole: 'finance',
  ids: ofRun,
  resolve: (ctx, { id }) => quotePayoutRun(programScope(ctx), ctx.payoutServices, id),
})

resourceMutation('sendPayoutRun', 'payoutRun', PayoutRunType, {
  description:
    'Sends a run by the API of its service. A payment whose answer is lost is `isUnknown`, and is never sent as another one. Idempotent. If a large run is not `SENT` after 20 seconds, it goes on by itself; the same request goes on, too.',
  forRole: 'finance',
  ids: ofRun,
  input: sendPayoutRunInput,
  resolve: async (ctx, { id, ...input }, query) => {
    await sendPayoutRun(programScope(ctx), ctx.payoutServices, id, input)
    return runOf(ctx, id, query)
  },
})

resourceMutation('refreshPayoutRun', 'payoutRun', PayoutRunType, {
  description:
    'Asks the service what became of the payments of a run that was sent by its API, and records it. This also happens by itself.',
  forRole: 'finance',
  ids: ofRun,
  resolve: async (ctx, { id }, query) => {
    await refreshPayoutRun(programScope(ctx), ctx.payoutServices, id)
    return runOf(ctx, id, query)
  },
})

type Cancelled = { payoutRun: PayoutRun; payoutRunItem: PayoutRunItem }

const CancelledPayload = builder.objectRef<Cancelled>('CancelPaymentPayload').implement({
  description: 'The result of `cancelPayment`.',
  subGraphs: publicOnly,
  fields: (t) => ({
    payoutRun: t.expose('payoutRun', { type: PayoutRunType, description: 'The run of the payment.' }),
    payoutRunItem: t.expose('payoutRunItem', { type: PayoutRunItemType, description: 'The payment.' }),
  }),
})

mutation('cancelPayment', CancelledPayload, {
  description:
    'Cancels the open payment of a payout: at the service if it was not claimed there, or here if it was not sent. The payout is free for another run.',
  forRole: 'finance',
  input: cancelPaymentInput,
  resolve: async (ctx, input) => {
    const scope = programScope(ctx)
    const id = await cancelPayment(scope, ctx.payoutServices, input)
    const where = { programId_id: { programId: scope.program.id, id } }
    const payoutRunItem = await scope.db.payoutRunItem.findUniqueOrThrow({ where })
    return { payoutRun: await findPayoutRun(scope, payoutRunItem.runId), payoutRunItem }
  },
})

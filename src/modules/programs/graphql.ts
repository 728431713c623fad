import { Prisma } from '../../generated/prisma/client.ts'
import { builder, publicOnly } from '../../graphql/builder.ts'
import { managementScope, operatorScope, ownerScope, programScope } from '../../graphql/context.ts'
import { mutation, resourceMutation } from '../../graphql/mutation.ts'
import { defineNode } from '../../graphql/node.ts'
import { payerFields } from '../payout-methods/addresses.ts'
import { PayoutMethodEnum } from '../payout-methods/graphql-enums.ts'
import { clockOf } from './clock.ts'
import { closeProgram, openProgram } from './close.ts'
import { type DeletedProgram, deleteProgram } from './delete.ts'
import { DecimalMarkEnum, LeaderboardShowsEnum, PayoutFeeBearerEnum } from './graphql-enums.ts'
import {
  advanceClockInput,
  createProgramInput,
  deleteProgramInput,
  programStateInput,
  rotatePublishableKeyInput,
  updateProgramInput,
} from './input.ts'
import { linkParametersOf } from './link-parameters.ts'
import { rotatePublishableKey } from './rotate-publishable-key.ts'
import { advanceClock, createProgram, listPrograms, updateProgram } from './service.ts'

export const ProgramType = builder.prismaObject('Program', {
  description: 'An affiliate program. Each API key belongs to one program and reaches only its data.',
  subGraphs: publicOnly,
  fields: (t) => ({
    id: t.exposeID('id', { forAffiliate: true, description: 'The id of the program, a UUID.' }),
    closedAt: t.expose('closedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the program was closed to writes, such as for a move. Null while it is open.',
    }),
    name: t.exposeString('name', { forAffiliate: true, description: 'The name of the program.' }),
    url: t.expose('url', {
      forAffiliate: true,
      type: 'URL',
      description: 'The website of the program. The default campaign was created with it.',
    }),
    currency: t.expose('currency', {
      forAffiliate: true,
      type: 'Currency',
      description: 'The default currency of sales and campaigns, as an ISO 4217 code in lower case.',
    }),
    locale: t.exposeString('locale', {
      forAffiliate: true,
      description:
        'How the dashboard and the portal write money, dates and counts: a BCP 47 language tag. Responses of the API are the same in every locale.',
    }),
    timeZone: t.exposeString('timeZone', {
      description:
        'The IANA time zone of the months, quarters and years in which caps and tiers of commission rules are counted. Default: UTC.',
    }),
    slug: t.exposeString('slug', { description: 'Identifies the program in links: `/r/{slug}/{token}`.' }),
    publishableKey: t.exposeString('publishableKey', {
      description: 'Identifies the program for the tracking script and its endpoints. It is public, not a secret.',
    }),
    previousPublishableKeyEndsAt: t.expose('previousPublishableKeyEndsAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When the publishable key before the last rotation stops being accepted. Null if no previous key was kept.',
    }),
    linkParameters: t.stringList({
      resolve: linkParametersOf,
      description:
        "The parameters of addresses that name an affiliate's link, beside `via`. The tracking script and `/r/{slug}` read them.",
    }),
    agentProvider: t.exposeString('agentProvider', {
      nullable: true,
      description:
        'What agents call the program as a provider of attribution. Null: what agents say about who sent a customer is not used.',
    }),
    isShadow: t.exposeBoolean('isShadow', {
      description:
        'Whether the program computes beside another service: it sends nothing to affiliates, and pays nothing.',
    }),
    shadowEndedAt: t.expose('shadowEndedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Sales since this time count here, earlier ones as at the service before. Null without a shadow.',
    }),
    isSandbox: t.exposeBoolean('isSandbox', {
      forAffiliate: true,
      description: 'Whether the program has its own clock, which can be advanced.',
    }),
    clock: t.field({
      type: 'DateTime',
      description: "The program's current time: the true time, plus the days by which a sandbox was advanced.",
      resolve: (program, _args, ctx) => clockOf(program, ctx.trueNow)(),
    }),
    defaultPayoutMethod: t.expose('defaultPayoutMethod', {
      type: PayoutMethodEnum,
      description: 'How affiliates are paid who have several wallets and prefer none.',
    }),
    payoutApprovalAboveCents: t.expose('payoutApprovalAboveCents', {
      type: 'SafeInt',
      nullable: true,
      description:
        "Payout runs above this sum need the approval of a second person, in minor units of the run's currency. Null: none does.",
    }),
    payoutHoldHours: t.exposeInt('payoutHoldHours', {
      forAffiliate: true,
      description:
        'How many hours payouts of an affiliate wait after the affiliate has changed the payout address. Default: 24.',
    }),
    closesMonthsAfterDays: t.exposeInt('closesMonthsAfterDays', {
      nullable: true,
      description: 'How many days after its end a month is closed without a person. Null: only people close months.',
    }),
    readingCurrency: t.expose('readingCurrency', {
      type: 'Currency',
      nullable: true,
      description: 'The currency in which totals are also shown. Null: none.',
    }),
    leaderboardShows: t.expose('leaderboardShows', {
      forAffiliate: true,
      type: LeaderboardShowsEnum,
      description: 'What affiliates see of each other in the portal. Default: `NOTHING`.',
    }),
    payoutFeeBearer: t.expose('payoutFeeBearer', {
      type: PayoutFeeBearerEnum,
      description:
        'Who bears the fees of services that pay by API, where the service leaves a choice. Default: `COMPANY`.',
    }),
    debtorName: t.exposeString('debtorName', {
      nullable: true,
      description: payerFields.debtorName.description,
    }),
    debtorIban: t.exposeString('debtorIban', {
      nullable: true,
      description: payerFields.debtorIban.description,
    }),
    debtorBic: t.exposeString('debtorBic', { nullable: true, description: payerFields.debtorBic.description }),
    hasPayoutFileMark: t.exposeBoolean('hasPayoutFileMark', {
      description: 'Whether CSV files of payouts begin with a byte-order mark.',
    }),
    payoutFileDecimalMark: t.field({
      type: DecimalMarkEnum,
      description: 'The decimal mark of amounts in CSV files of payouts.',
      resolve: ({ payoutFileDecimalMark }) => payoutFileDecimalMark,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the program was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When the program was last changed.' }),
  }),
})

defineNode(ProgramType, {
  has: ({ program }, id) => Prisma.sql`where ${id} = ${program.id}`,
  find: async (ctx) => ({ ...programScope(ctx).program }),
})

builder.queryField('program', (t) =>
  t.field({
    type: ProgramType,
    extensions: { isPureRead: true },
    description:
      'The program of the API key, or the one that the operator named in the `X-Program-Id` header, by its id or its slug.',
    resolve: (_root, _args, ctx) => programScope(ctx).program,
  }),
)

builder.queryField('programs', (t) =>
  t.prismaField({
    type: ['Program'],
    forRole: 'operator',
    description: 'All programs, newest first. Requires the operator token.',
    resolve: (_query, _root, _args, ctx) => listPrograms(operatorScope(ctx)),
  }),
)

resourceMutation('createProgram', 'program', ProgramType, {
  forRole: 'operator',
  description: 'Creates a program and its default campaign. Requires the operator token.',
  input: createProgramInput,
  resolve: (ctx, input) => createProgram(operatorScope(ctx), input),
})

resourceMutation('updateProgram', 'program', ProgramType, {
  description:
    'Updates the given fields. Existing campaigns, links and sales do not change. Requires an operator, or a manager of the program who is signed in.',
  ids: { id: 'The id of the program.' },
  input: updateProgramInput,
  resolve: (ctx, { id, ...input }) => updateProgram(managementScope(ctx), id, input),
})

resourceMutation('rotatePublishableKey', 'program', ProgramType, {
  forRole: 'owner',
  description:
    'Gives the program a new publishable key. The previous key stays valid for the given hours. Any older key stops working immediately.',
  input: rotatePublishableKeyInput,
  resolve: (ctx, { programId, ...input }: { programId?: string }) => {
    const id = programId ?? programScope(ctx).program.id
    return rotatePublishableKey(ownerScope(ctx, id), id, input)
  },
})

resourceMutation('advanceClock', 'program', ProgramType, {
  description:
    'Advances the clock of a sandbox. From the next request on, commissions become due, referrals expire and periods end. The clock cannot be set back. Requires the operator token or an API key of the program.',
  ids: { programId: 'The id of the sandbox program.' },
  input: advanceClockInput,
  resolve: (ctx, { programId, ...input }) => advanceClock(ownerScope(ctx, programId), programId, input),
})

resourceMutation('closeProgram', 'program', ProgramType, {
  forRole: 'operator',
  description:
    'Rejects writes to a program on all instances with 503, and waits for those that run. Reads go on. Requires the operator token.',
  ids: { id: 'The id of the program.' },
  input: programStateInput,
  resolve: (ctx, { id }) => closeProgram(operatorScope(ctx), id),
})

resourceMutation('openProgram', 'program', ProgramType, {
  forRole: 'operator',
  description: 'Accepts writes to a program again. Requires the operator token.',
  ids: { id: 'The id of the program.' },
  input: programStateInput,
  resolve: (ctx, { id }) => openProgram(operatorScope(ctx), id),
})

const DeleteProgramPayload = builder.objectRef<DeletedProgram>('DeleteProgramPayload').implement({
  description: 'The result of `deleteProgram`.',
  subGraphs: publicOnly,
  fields: (t) => ({
    deletedProgramId: t.id({
      description: 'The id that the program had.',
      resolve: ({ program }) => program.id,
    }),
    slug: t.string({
      description: 'The slug that the program had. Another program can use it now.',
      resolve: ({ program }) => program.slug,
    }),
    deletedRows: t.exposeInt('deletedRows', {
      description: 'How many records of the program were deleted, of all kinds.',
    }),
  }),
})

mutation('deleteProgram', DeleteProgramPayload, {
  forRole: 'operator',
  description:
    'Deletes a program with everything of it: keys, affiliates, sales, commissions, payouts and history. Nobody reaches the program from the first moment, its slug is free, and its records are removed little by little: an interruption does not keep any of it. It cannot be undone. Requires the operator token.',
  ids: { id: 'The id of the program.' },
  input: deleteProgramInput,
  resolve: (ctx, { id, ...input }) => deleteProgram(operatorScope(ctx), id, input),
})

import { builder, publicOnly } from '../../../graphql/builder.ts'
import { programScope } from '../../../graphql/context.ts'
import { defineEnum } from '../../../graphql/enums.ts'
import { resourceMutation } from '../../../graphql/mutation.ts'
import { PayoutMethodEnum } from '../../payout-methods/graphql-enums.ts'
import { PayoutRunType } from '../../payouts/runs/graphql.ts'
import { nextDay } from './days.ts'
import { updatePayoutScheduleInput } from './input.ts'
import { findPayoutSchedule, listScheduledRuns, updatePayoutSchedule } from './schedule.ts'

const WeekdayEnum = defineEnum('Weekday', 'A day of the week.', {
  monday: 'Monday.',
  tuesday: 'Tuesday.',
  wednesday: 'Wednesday.',
  thursday: 'Thursday.',
  friday: 'Friday.',
  saturday: 'Saturday.',
  sunday: 'Sunday.',
})

const StateEnum = defineEnum('ScheduledRunState', 'What became of a day of the schedule.', {
  prepared: 'The run was made, and waits for a person.',
  sent: 'The run was made, and sent by the API of its service.',
  skipped: 'No run was made, because nothing could be paid, or less than the minimum.',
  failed: 'No run could be made, or it was made and not sent. A person has to act.',
})

const ScheduledRunType = builder.prismaObject('ScheduledRun', {
  description: 'What became of a day of the schedule, for one method and currency.',
  subGraphs: publicOnly,
  fields: (t) => ({
    day: t.exposeString('day', {
      description: 'The day in the time zone of the program, such as `2026-03-01`.',
    }),
    method: t.expose('method', { type: PayoutMethodEnum, description: 'The method.' }),
    currency: t.expose('currency', { type: 'Currency', description: 'The currency.' }),
    state: t.expose('state', { type: StateEnum, description: 'What became of it.' }),
    reason: t.exposeString('reason', {
      nullable: true,
      description: 'Why there is no run, or why it was not sent, in a sentence. Null if nothing stood in the way.',
    }),
    payoutRun: t.relation('run', {
      type: PayoutRunType,
      nullable: true,
      description: 'The run that was made. Null without one.',
    }),
    madeAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made, or skipped.' }),
  }),
})

const PayoutScheduleType = builder.prismaObject('PayoutSchedule', {
  description:
    'On which days payout runs are made without a person, at 07:00 in the time zone of the program. Owners and managers get a mail.',
  subGraphs: publicOnly,
  fields: (t) => ({
    daysOfMonth: t.exposeIntList('daysOfMonth', {
      description: 'The days of each month, 1 to 31. A day that a month lacks is its last.',
    }),
    weekdays: t.expose('weekdays', { type: [WeekdayEnum], description: 'The days of each week.' }),
    methods: t.expose('methods', { type: [PayoutMethodEnum], description: 'A run is made by each of these methods.' }),
    currencies: t.expose('currencies', {
      type: ['Currency'],
      description: 'A run is made in each of these currencies.',
    }),
    minimumCents: t.expose('minimumCents', {
      type: 'SafeInt',
      nullable: true,
      description: 'A run below this sum is not made, in minor units of its currency. Null: no minimum.',
    }),
    sendUpToCents: t.expose('sendUpToCents', {
      type: 'SafeInt',
      nullable: true,
      description:
        'A run up to this sum is sent without a person, in minor units of its currency. Null: people send all runs.',
    }),
    nextAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the next runs are made. Null without days.',
      resolve: (row, _args, ctx) => {
        const { program, now } = programScope(ctx)
        return nextDay(row, now(), program.timeZone)?.at ?? null
      },
    }),
    runs: t.field({
      type: [ScheduledRunType],
      description: 'What became of the last days, the latest first: at most 50.',
      resolve: (_row, _args, ctx) => listScheduledRuns(programScope(ctx)),
    }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
  }),
})

builder.queryField('payoutSchedule', (t) =>
  t.field({
    type: PayoutScheduleType,
    nullable: true,
    description: 'On which days payout runs are made without a person. Null if the program has never set it.',
    resolve: (_root, _args, ctx) => findPayoutSchedule(programScope(ctx)),
  }),
)

resourceMutation('updatePayoutSchedule', 'payoutSchedule', PayoutScheduleType, {
  description:
    'Changes on which days payout runs are made without a person, and up to which sum they are sent. Without days, none is made. Days before now are not made up for. Only an owner can do it, or an API key with full access.',
  forRole: 'owner',
  input: updatePayoutScheduleInput,
  resolve: (ctx, input) => updatePayoutSchedule(programScope(ctx), input),
})

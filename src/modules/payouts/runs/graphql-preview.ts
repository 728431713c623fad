import { builder, publicOnly } from '../../../graphql/builder.ts'
import { programScope } from '../../../graphql/context.ts'
import { argsOf } from '../../../graphql/inputs.ts'
import { SkippedPayoutType } from '../graphql-skipped.ts'
import { createPayoutRunInput } from './input.ts'
import { previewPayoutRun, type RunPreview } from './preview.ts'

const PayoutRunPreviewType = builder.objectRef<RunPreview>('PayoutRunPreview').implement({
  description: 'What a payout run would be, if it were made now.',
  subGraphs: publicOnly,
  fields: (t) => ({
    currency: t.expose('currency', { type: 'Currency', description: 'ISO 4217, lower case.' }),
    payouts: t.exposeInt('payouts', { description: 'The number of payouts that it would pay.' }),
    amountCents: t.expose('amountCents', {
      type: 'SafeInt',
      description: 'The sum of these payouts, in minor units of `currency`.',
    }),
    needsApproval: t.exposeBoolean('needsApproval', {
      description: 'Whether a second person would have to approve it.',
    }),
    skippedCount: t.exposeInt('skippedCount', { description: 'How many payouts it would leave out.' }),
    skipped: t.expose('skipped', {
      type: [SkippedPayoutType],
      description: 'The payouts that it would leave out, each with the reason: the first 100.',
    }),
    disabledCount: t.exposeInt('disabledCount', {
      description: 'How many of the payouts are of disabled affiliates. `leaveOutDisabled` leaves them out.',
    }),
    shortNames: t.exposeStringList('shortNames', {
      description:
        'Names of affiliates that are one word or have initials, if the service compares names with accounts: it may ask for the full name. The first 100.',
    }),
  }),
})

builder.queryField('payoutRunPreview', (t) =>
  t.field({
    type: PayoutRunPreviewType,
    description:
      'Says which payouts `createPayoutRun` would pay with the same input, and which it would leave out. No run is made.',
    subGraphs: publicOnly,
    args: argsOf(createPayoutRunInput),
    resolve: (_root, args, ctx) => previewPayoutRun(programScope(ctx), args),
  }),
)

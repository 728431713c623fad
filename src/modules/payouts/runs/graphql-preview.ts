import { builder, publicOnly } from '../../../graphql/builder.ts'
import { programScope } from '../../../graphql/context.ts'
import { argsOf } from '../../../graphql/inputs.ts'
import { moneyBeside } from '../../../graphql/money.ts'
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
      description:
        'The sum of the payments of these payouts, in minor units of `currency`. What is withheld is not in it.',
    }),
    amount: t.field({
      ...moneyBeside('amountCents'),
      resolve: (row) => ({ amountCents: row.amountCents, currency: row.currency }),
    }),
    withheldCents: t.expose('withheldCents', {
      type: 'SafeInt',
      description: 'The sum of what would be withheld of these payouts as tax, in minor units of `currency`.',
    }),
    withheld: t.field({
      ...moneyBeside('withheldCents'),
      resolve: (row) => ({ amountCents: row.withheldCents, currency: row.currency }),
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

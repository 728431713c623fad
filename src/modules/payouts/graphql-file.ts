import { builder, everywhere, publicOnly } from '../../graphql/builder.ts'
import { programScope } from '../../graphql/context.ts'
import { argsOf } from '../../graphql/inputs.ts'
import { PayoutFileFormatEnum } from './graphql-enums.ts'
import { SkippedPayoutType } from './graphql-skipped.ts'
import { payoutFileInput } from './input.ts'
import { type PayoutFile, writePayoutFile } from './write-file.ts'

const PayoutFileType = builder.objectRef<PayoutFile>('PayoutFile').implement({
  description: 'A file of payouts, to be paid with another service.',
  fields: (t) => ({
    format: t.expose('format', { type: PayoutFileFormatEnum, description: 'The format of the file.' }),
    csv: t.exposeString('csv', {
      description:
        'The content of the file: comma-separated values with CR LF line ends (RFC 4180). A value that starts with = + - @ or a tab is prefixed with an apostrophe, so that spreadsheets do not read it as a formula.',
    }),
    fileName: t.exposeString('fileName', {
      description: 'A name for the file: `payouts-<service>-<date>.csv`, such as `payouts-paypal-2026-03-10.csv`.',
    }),
    rows: t.exposeInt('rows', { description: 'The number of payouts in the file.' }),
    skippedCount: t.int({
      description: 'The number of payouts that are left out.',
      resolve: ({ skipped }) => skipped.length,
    }),
    skipped: t.expose('skipped', {
      type: [SkippedPayoutType],
      subGraphs: publicOnly,
      description: 'The payouts that are left out, each with the reason. The generic format accepts all payouts.',
    }),
  }),
})

builder.queryField('payoutFile', (t) =>
  t.field({
    type: PayoutFileType,
    description:
      'Writes payouts to a file: for one of the two wallets, or in a generic format. Commissions that are due now are collected first. No payout is marked as paid.',
    subGraphs: everywhere,
    args: argsOf(payoutFileInput),
    resolve: (_root, args, ctx) => writePayoutFile(programScope(ctx), args),
  }),
)

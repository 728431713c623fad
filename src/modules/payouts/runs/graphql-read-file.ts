import { builder } from '../../../graphql/builder.ts'
import { programScope } from '../../../graphql/context.ts'
import { mutation } from '../../../graphql/mutation.ts'
import { type ReadFile, readPayoutFile } from './read-file.ts'
import { readPayoutFileInput } from './read-file-input.ts'

const ReadPayoutFilePayload = builder.objectRef<ReadFile>('ReadPayoutFilePayload').implement({
  description: 'The file of a run.',
  subGraphs: ['rest'],
  fields: (t) => ({
    runId: t.exposeString('runId', { description: 'The id of the run.', subGraphs: ['rest'] }),
    csv: t.exposeString('csv', { description: 'The content of the file.', subGraphs: ['rest'] }),
    fileName: t.exposeString('fileName', { description: 'A name for the file.', subGraphs: ['rest'] }),
    skippedCount: t.exposeInt('skippedCount', {
      description: 'The number of payouts that are left out.',
      subGraphs: ['rest'],
    }),
  }),
})

mutation('readPayoutFile', ReadPayoutFilePayload, {
  description:
    'Makes a payout run of the open payouts that match and can be paid, and responds with its file. The header `Payout-Run-Id` names the run: mark it as sent and paid, pay its payouts by their ids, or cancel it. The same request again responds with the same file, until the run is marked or something else can be paid. Other payouts of open runs are left out. Responds with an error if nothing can be paid. Commissions that are due now are collected first. For a list of payouts, export them.',
  subGraphs: ['rest'],
  forRole: 'finance',
  input: readPayoutFileInput,
  resolve: (ctx, input) => readPayoutFile(programScope(ctx), input),
})

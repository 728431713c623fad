import { builder, publicOnly } from '../../../graphql/builder.ts'
import { programScope } from '../../../graphql/context.ts'
import { linesOf } from '../../../graphql/cost.ts'
import { mutation } from '../../../graphql/mutation.ts'
import { findPayoutRun } from './find.ts'
import { PayoutRunType, StateTotalType } from './graphql.ts'
import { type ImportedResults, importPayoutResults, type LeftOutRow } from './import-results.ts'
import { importPayoutResultsInput } from './input.ts'

const LeftOutRowType = builder.objectRef<LeftOutRow>('UnmatchedResult').implement({
  description: 'A row of a report that changed nothing.',
  subGraphs: publicOnly,
  fields: (t) => ({
    line: t.exposeInt('line', { description: 'The line of the file in which the row begins, from 1.' }),
    text: t.exposeString('text', { description: 'The beginning of the row.' }),
    reason: t.exposeString('reason', { description: 'Why it changed nothing.' }),
  }),
})

const ImportPayoutResultsPayload = builder.objectRef<ImportedResults>('ImportPayoutResultsPayload').implement({
  description: 'What the rows of a report did.',
  subGraphs: publicOnly,
  fields: (t) => ({
    payoutRun: t.prismaField({
      type: PayoutRunType,
      description: 'The run after the operation.',
      resolve: (query, { runId }, _args, ctx) => findPayoutRun(programScope(ctx), runId, query),
    }),
    dryRun: t.exposeBoolean('dryRun', { description: 'Whether the report was only read, and nothing was recorded.' }),
    totals: t.field({
      type: [StateTotalType],
      description: 'The payments with a new result, by their new state.',
      resolve: ({ totals }) => totals,
    }),
    changed: t.exposeInt('changed', { description: 'How many payments have a new result.' }),
    unchanged: t.exposeInt('unchanged', { description: 'How many rows say what is known, or are not decided yet.' }),
    remaining: t.exposeInt('remaining', {
      description: 'How many results did not fit into 20 seconds. Send the request again to go on. Else 0.',
    }),
    unmatched: t.field({
      type: [LeftOutRowType],
      description: 'The rows that are of no payment in the run, or contradict what is known.',
      resolve: ({ unmatched }) => unmatched,
    }),
  }),
})

mutation('importPayoutResults', ImportPayoutResultsPayload, {
  description:
    "Records the results in PayPal's or Wise's report on a run. Rows are matched by the id that the run's file gave to each payment. The same file again changes nothing. With `dryRun`, nothing is recorded: the response is a preview.",
  forRole: 'finance',
  input: importPayoutResultsInput,
  cost: ({ file }) => linesOf(String(file)),
  resolve: (ctx, input) => importPayoutResults(programScope(ctx), input),
})

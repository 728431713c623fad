import { Argument, Command, Option } from 'commander'
import { exportRows } from '../export-rows.ts'
import { report } from '../report.ts'
import { filled, programOption, time } from './options.ts'

/** Also in `src/rest/routes.ts`, which costs a second to load. */
export const exportedNouns = [
  'affiliates',
  'customers',
  'visits',
  'referrals',
  'sales',
  'refunds',
  'commissions',
  'payouts',
  'payments',
  'unattributed_sales',
]

type Options = {
  program: string
  output?: string
  format?: string
  updatedSince?: string
  updatedUntil?: string
  currency?: string
  bom?: true
  decimal?: string
}

export const exportCommand = (): Command =>
  new Command('export')
    .description('write the rows of a program to a file, for spreadsheets and other tools')
    .addArgument(new Argument('<noun>', 'what').choices(exportedNouns))
    .addOption(programOption())
    .addOption(new Option('--format <format>', 'the format').choices(['csv', 'jsonl', 'parquet']).default('csv'))
    .option('--output <file>', 'the file to write (default: standard output)', filled)
    .option('--updated-since <time>', 'only rows that were changed at this time or later', time)
    .option('--updated-until <time>', 'only rows that were changed before this time', time)
    .option('--currency <code>', 'of sales: only those in it; of affiliates: the currency of the amounts', filled)
    .option('--bom', 'CSV: begin with a byte-order mark, for Excel on Windows')
    .addOption(
      new Option('--decimal <mark>', 'CSV: amounts in units with this decimal mark, not in minor units').choices([
        'point',
        'comma',
      ]),
    )
    .addHelpText('after', '\nThe columns are those of GET /v1/exports. See docs/rest.md.')
    .action((noun: string, options: Options) =>
      report(async () => {
        const { program, output, updatedSince, updatedUntil, bom, ...more } = options
        const given = { ...more, updated_since: updatedSince, updated_until: updatedUntil, bom: bom && 'true' }
        const parameters = Object.fromEntries(
          Object.entries(given).flatMap(([name, value]) => (value ? [[name, value]] : [])),
        )
        await exportRows({ noun, program, output, parameters })
        return output === undefined ? null : `Exported ${noun} to ${output}.`
      }),
    )

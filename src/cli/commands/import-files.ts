import { Command, Option } from 'commander'
import { OperatorError } from '../../database/operator-error.ts'
import type { AmountUnit } from '../import/exports/cell-values.ts'
import { createExportSource, type Service } from '../import/exports/source.ts'
import { createProgress } from '../import/progress.ts'
import { programIdOf } from '../mutate.ts'
import { operate } from '../operate.ts'
import { report } from '../report.ts'
import { importCommand, importSource } from './import.ts'
import { filled, number, programOption } from './options.ts'

type Options = {
  from: Service
  program: string
  affiliates: string
  referrals?: string
  commissions?: string
  payouts?: string
  percent: number
  amounts?: AmountUnit
  dryRun?: boolean
  json?: string
}

export const importCommands = (): Command[] => [importCommand(), importFilesCommand()]

const importFilesCommand = (): Command =>
  new Command('import-files')
    .description('copy affiliates, customers, commissions and payouts from the CSV exports of Tolt or FirstPromoter')
    .addOption(
      new Option('--from <service>', 'the service of the exports')
        .choices(['tolt', 'firstpromoter'])
        .makeOptionMandatory(),
    )
    .addOption(programOption())
    .requiredOption('--affiliates <file>', 'the export of partners or promoters', filled)
    .option('--referrals <file>', 'the export of customers or referrals', filled)
    .option('--commissions <file>', 'the export of commissions', filled)
    .option('--payouts <file>', 'the export of payouts', filled)
    .requiredOption('--percent <number>', 'what affiliates get of later sales, in percent', number)
    .addOption(new Option('--amounts <unit>', 'how amounts without decimals are written').choices(['units', 'cents']))
    .option('--dry-run', 'read and check everything, and write nothing')
    .option('--json <file>', 'also write the report as JSON, for a dry run too')
    .action((options) => report(() => importFiles(options)))

async function importFiles(options: Options): Promise<string> {
  const { from: service, affiliates, referrals, commissions, payouts, percent, amounts: unit } = options
  const files = Object.entries({ affiliates, referrals, commissions, payouts }).filter(([, path]) => path !== undefined)
  const programId = await programIdOf(options.program)
  const { program } = await operate<{ program: { id: string; url: string; currency: string } | null }>(
    '{ program { id url currency } }',
    {},
    programId,
  )
  if (!program) throw new OperatorError(`There is no program ${options.program}.`)
  const display = createProgress(process.stderr)
  const source = await createExportSource({
    service,
    files: Object.fromEntries(files),
    program,
    commissionPercent: percent,
    unit,
    notify: display.notify,
  })
  // Files are read from their beginning: what they have may have moved since an interrupted run.
  return importSource(source, display, {
    programId,
    name: undefined,
    restart: true,
    json: options.json,
    dryRun: options.dryRun,
  })
}

import { setTimeout as sleep } from 'node:timers/promises'
import { Command } from 'commander'
import { readConfig } from '../../config.ts'
import { OperatorError } from '../../database/operator-error.ts'
import { dryRunImport } from '../import/dry-run.ts'
import { createProgress } from '../import/progress.ts'
import { agrees, dryRunReport, dryRunText, reportText } from '../import/report.ts'
import { createReportFile } from '../import/report-file.ts'
import { importProgram } from '../import/run.ts'
import { createRedaction } from '../import/secret.ts'
import { createSource, type Source } from '../import/source.ts'
import { createTarget } from '../import/target.ts'
import { programIdOf } from '../mutate.ts'
import { operate } from '../operate.ts'
import { report } from '../report.ts'
import { filled } from './options.ts'

type Options = {
  from: string
  key?: string
  program?: string
  name?: string
  json?: string
  dryRun?: boolean
  restart?: boolean
  events?: boolean
}

export const importCommand = (): Command =>
  new Command('import')
    .description('copy a program from another server; run it again at any time to apply what changed since')
    .requiredOption('--from <url>', 'the API of the other server, such as https://affiliates.example.com/v1', filled)
    .option('--key <key>', 'an API key of the other server; the variable IMPORT_KEY keeps it out of the process list')
    .option(
      '--program <program>',
      'the program to import into, by slug or id (default: the program of an earlier import of the same program, or a new one)',
    )
    .option('--name <name>', 'import into a new program with this name (default: the host of the other server)')
    .option('--dry-run', 'read and check everything, and write nothing')
    .option('--restart', 'start again from the first page (default: continue an interrupted run)')
    .option('--events', 'record events of what is created and updated, and send them to webhooks (default: none)')
    .option('--json <file>', 'also write the report as JSON, for a dry run too')
    .action((options) => report(() => runImport(options)))

/** Runs the import. Values of the source are in the report and in errors, and could contain the key. */
async function runImport(options: Options): Promise<string> {
  const key = options.key ?? readConfig(process.env).importKey
  if (!key) throw new OperatorError('--key is missing, and IMPORT_KEY is not set.')
  if (options.program !== undefined && options.name !== undefined)
    throw new OperatorError('Give either --program, for a program that exists, or --name, for a new one.')
  const redact = createRedaction(key)
  return importWith(key, redact, options).then(redact, (error) => {
    throw error instanceof OperatorError ? new OperatorError(redact(error.message)) : error
  })
}

async function importWith(key: string, redact: (text: string) => string, options: Options): Promise<string> {
  const display = createProgress(process.stderr)
  const source = createSource({ from: options.from, key, sleep, onWait: display.notify })
  const { program: idOrSlug } = options
  const programId = idOrSlug === undefined ? undefined : await programIdOf(idOrSlug)
  return importSource(source, display, { ...options, programId }, redact)
}

type Settings = Pick<Options, 'name' | 'json' | 'dryRun' | 'restart' | 'events'> & { programId: string | undefined }

/** Imports, or tries it, and writes the report. */
export async function importSource(
  source: Source,
  display: ReturnType<typeof createProgress>,
  { programId, name, restart, json: path, dryRun, events }: Settings,
  redact: (text: string) => string = (text) => text,
): Promise<string> {
  const target = createTarget(operate, source.address, { recordEvents: events === true })
  const input = { programId, name, ...(restart && { restart }) }
  const file = path === undefined ? null : await createReportFile(path)
  /** Writes the JSON report. If that fails, the text is printed all the same. */
  const finish = async (text: string, json: Record<string, unknown> & { agrees: boolean }) => {
    const failure = (await file?.write(redacted(json, redact))) ?? null
    process.exitCode = json.agrees && failure === null ? 0 : 1
    return failure === null ? text : `${text}\n\n${failure}`
  }
  if (dryRun) {
    const result = await dryRunImport(source, target, display, input)
    return finish(dryRunText(result), dryRunReport(result))
  }
  const { program, report: final } = await importProgram(source, target, display, input)
  return finish(reportText(program, final), { program, agrees: agrees(final), ...final })
}

const redacted = (report: object, redact: (text: string) => string): unknown =>
  JSON.parse(JSON.stringify(report), (_name, value) => (typeof value === 'string' ? redact(value) : value))

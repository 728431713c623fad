import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { OperatorError } from '../database/operator-error.ts'
import { dryRunImport } from './import/dry-run.ts'
import { createProgress } from './import/progress.ts'
import { agrees, dryRunReport, dryRunText, reportText } from './import/report.ts'
import { createReportFile } from './import/report-file.ts'
import { importProgram } from './import/run.ts'
import { createSource } from './import/source.ts'
import { createTarget } from './import/target.ts'
import { operate } from './operate.ts'
import { report } from './report.ts'

const usage = `Usage: npm run import -- --from URL --key KEY [--program ID] [--name NAME] [--dry-run] [--restart] [--json FILE]

  --from URL     the API of the other server, such as https://affiliates.example.com/v1
  --key KEY      an API key of the other server; the variable IMPORT_KEY keeps it out of the process list
  --program ID   the program to import into (default: the program of an earlier import from this server, or a new one)
  --name NAME    the name of a new program (default: the host of the other server)
  --dry-run      reads and checks everything, and writes nothing
  --restart      starts again from the first page (default: continue an interrupted run)
  --json FILE    also writes the report as JSON, for a dry run too

The command sends requests to the running server at TRIBUTARY_URL (default http://127.0.0.1:PORT) with ADMIN_TOKEN, or
with the token in DATA_DIR (default ./data). It can be run again at any time, and applies what changed since.`

await report(async () => {
  const options = readArguments()
  const key = options.key ?? readConfig(process.env).importKey
  if (!options.from) throw new OperatorError(`--from is missing.\n\n${usage}`)
  if (!key) throw new OperatorError(`--key is missing, and IMPORT_KEY is not set.\n\n${usage}`)
  const display = createProgress(process.stderr)
  const source = createSource({ from: options.from, key, sleep, onWait: display.notify })
  const target = createTarget(operate, source.address)
  const { program: programId, name, restart } = options
  const input = { programId, name, ...(restart && { restart }) }
  const file = options.json === undefined ? null : await createReportFile(options.json)
  /** Writes the JSON report. If that fails, the text is printed all the same. */
  const finish = async (text: string, json: Record<string, unknown> & { agrees: boolean }) => {
    const failure = (await file?.write(json)) ?? null
    process.exitCode = json.agrees && failure === null ? 0 : 1
    return failure === null ? text : `${text}\n\n${failure}`
  }
  if (options['dry-run']) {
    const result = await dryRunImport(source, target, display, input)
    return finish(dryRunText(result), dryRunReport(result))
  }
  const { program, report: final } = await importProgram(source, target, display, input)
  return finish(reportText(program, final), { program, agrees: agrees(final), ...final })
})

function readArguments() {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  const options = {
    from: text,
    key: text,
    program: text,
    name: text,
    json: text,
    'dry-run': flag,
    restart: flag,
  }
  try {
    return parseArgs({ options }).values
  } catch (error) {
    throw new OperatorError(`${(error as Error).message}\n\n${usage}`)
  }
}

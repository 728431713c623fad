import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { OperatorError } from '../database/operator-error.ts'
import { createProgress } from './import/progress.ts'
import { rehearseImport } from './import/rehearsal.ts'
import { agrees, finalText, rehearsedReport, rehearsedText } from './import/report.ts'
import { createReportFile } from './import/report-file.ts'
import { importProgram } from './import/run.ts'
import { createSource } from './import/source.ts'
import { createTarget } from './import/target.ts'
import { operate } from './operate.ts'
import { report } from './report.ts'

const usage = `Usage: npm run import -- --from URL --key KEY [--program ID] [--name NAME] [--dry-run] [--restart] [--json FILE]

  --from URL     the API of the other server, such as https://affiliates.example.com/v1
  --key KEY      a key to it, or the variable IMPORT_KEY, which no list of processes shows
  --program ID   the program to import into; the one that was made for this source before, or a new one, unless given
  --name NAME    what a new program is called; the other server's host unless given
  --dry-run      reads and checks everything, and writes nothing
  --restart      begins anew where an earlier run was broken off; otherwise it goes on from there
  --json FILE    writes the report as JSON too, of a dry run as well

It speaks to the running server at TRIBUTARY_URL (default http://127.0.0.1:PORT) with ADMIN_TOKEN, or with the token
in DATA_DIR (default ./data). It can be run again at any time: what is here is found again, and caught up with.`

await report(async () => {
  const options = readArguments()
  const key = options.key ?? readConfig(process.env).importKey
  if (!options.from) throw new OperatorError(`--from is missing.\n\n${usage}`)
  if (!key) throw new OperatorError(`--key is missing, and IMPORT_KEY is not set.\n\n${usage}`)
  const show = createProgress(process.stderr)
  const source = createSource({ from: options.from, key, sleep, onWait: show.say })
  const target = createTarget(operate, source.address)
  const { program: programId, name, restart } = options
  const input = { programId, name, ...(restart && { restart }) }
  const file = options.json === undefined ? null : await createReportFile(options.json)
  /** Where the file fails in the end, the text is shown still. */
  const answer = async (text: string, told: Record<string, unknown> & { agrees: boolean }) => {
    const trouble = (await file?.write(told)) ?? null
    process.exitCode = told.agrees && trouble === null ? 0 : 1
    return trouble === null ? text : `${text}\n\n${trouble}`
  }
  if (options['dry-run']) {
    const rehearsed = await rehearseImport(source, target, show, input)
    return answer(rehearsedText(rehearsed), rehearsedReport(rehearsed))
  }
  const { program, report: told } = await importProgram(source, target, show, input)
  return answer(finalText(program, told), { program, agrees: agrees(told), ...told })
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

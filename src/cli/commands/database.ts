import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Command } from 'commander'
import { pino } from 'pino'
import { readConfig } from '../../config.ts'
import { backUpDatabase } from '../../database/backup/create.ts'
import { dumpDatabase } from '../../database/backup/dump.ts'
import { restoreDatabase } from '../../database/backup/restore.ts'
import { OperatorError } from '../../database/operator-error.ts'
import { version } from '../../kernel/package-root.ts'
import { operate } from '../operate.ts'
import { startProgressLine } from '../progress-line.ts'
import { report } from '../report.ts'
import { replaceKeyCommand } from './replace-key.ts'

export const databaseCommands = (): Command[] => [
  new Command('doctor')
    .description('check whether the data of all programs is consistent; exits 1 if it is not')
    .option('--json', 'print JSON')
    .action((options) => report(() => examine(options))),
  new Command('backup')
    .description('back up the database, with the server running or stopped; PostgreSQL with its pg_dump')
    .argument('<file>', 'the file to write')
    .action((file) => report(() => backUp(file))),
  new Command('restore')
    .description('restore the embedded database from a backup, with the server stopped')
    .argument('<file>', 'the file to read')
    .option('--force', 'replace a database that has data; it is kept under another name', false)
    .action((file, { force }) => report(() => restore(file, force))),
  replaceKeyCommand(),
]

type Diagnosis = {
  invariants: number
  findings: { invariant: string; promise: string; programId: string; rowId: string; detail: string }[]
  hasRowSecurity: boolean | null
  bucketProblem: string | null
  backupProblem: string | null
  newerVersion: string | null
}

async function examine({ json }: { json?: boolean }): Promise<string> {
  const { invariants, findings, hasRowSecurity, bucketProblem, backupProblem, newerVersion } = await diagnose()
  if (json) {
    process.exitCode = findings.length === 0 ? 0 : 1
    return JSON.stringify({
      invariants,
      rowSecurity: hasRowSecurity,
      findings,
      bucketProblem,
      backupProblem,
      newerVersion,
    })
  }
  const note = [
    ...(hasRowSecurity === false ? ['Row-level security is off: see "Row-level security" in docs/postgresql.md.'] : []),
    ...(bucketProblem ? [bucketProblem] : []),
    ...(backupProblem ? [backupProblem] : []),
    ...(newerVersion ? [`Version ${newerVersion} is available. This is ${version}.`] : []),
  ]
  if (findings.length === 0) return [`All is well: ${invariants} of ${invariants} invariants hold.`, ...note].join('\n')
  const lines = findings.map(
    ({ invariant, promise, programId, rowId, detail }) =>
      `${invariant}: program ${programId}, row ${rowId}: ${detail}. ${promise}`,
  )
  throw new OperatorError([`${findings.length} rows violate an invariant:`, ...lines, ...note].join('\n'))
}

/** One request per invariant: clients wait at most minutes for an answer. */
async function diagnose(): Promise<Diagnosis> {
  const { doctor: none } = await operate<{ doctor: Omit<Diagnosis, 'findings'> & { names: string[] } }>(
    '{ doctor(only: []) { names hasRowSecurity bucketProblem backupProblem newerVersion } }',
  )
  const progress = startProgressLine()
  const findings: Diagnosis['findings'] = []
  try {
    for (const [n, name] of none.names.entries()) {
      progress.show(`${n} of ${none.names.length} invariants, ${name}`)
      const { doctor } = await operate<{ doctor: Pick<Diagnosis, 'findings'> }>(
        'query ($name: String!) { doctor(only: [$name]) { findings { invariant promise programId rowId detail } } }',
        { name },
      )
      findings.push(...doctor.findings)
    }
  } finally {
    progress.end()
  }
  const { names, ...others } = none
  return { ...others, invariants: names.length, findings }
}

async function backUp(file: string): Promise<string> {
  const { databaseUrl, databaseDirectUrl, dataDir } = readConfig(process.env)
  if (databaseUrl) {
    await dumpDatabase(databaseDirectUrl ?? databaseUrl, file)
    const { size } = await stat(file)
    return `Backed up the PostgreSQL database to ${resolve(file)}, ${size} bytes. Restore it into an empty database: pg_restore -d URL ${file}`
  }
  const state = await backUpDatabase(dataDir, file, pino({ level: 'silent' }))
  const { size } = await stat(file)
  return `Backed up the database in ${resolve(dataDir)} (server ${state}) to ${resolve(file)}, ${size} bytes.`
}

async function restore(file: string, force: boolean): Promise<string> {
  const { databaseUrl, dataDir } = readConfig(process.env)
  if (databaseUrl) {
    throw new OperatorError(
      'DATABASE_URL is set. Restore PostgreSQL with its own tool, into an empty database: pg_restore -d URL FILE',
    )
  }
  const { folder, keptAs } = await restoreDatabase(dataDir, file, force, new Date())
  return `Restored ${file} to ${folder}.${keptAs ? ` The previous database is in ${keptAs}.` : ''}`
}

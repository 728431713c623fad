import { Command } from 'commander'
import { readConfig } from '../../config.ts'
import { OperatorError } from '../../database/operator-error.ts'
import { mutate, programIdOf } from '../mutate.ts'
import { exportProgram, setClosed } from '../program-file/export.ts'
import { importProgramFile } from '../program-file/import.ts'
import { withStore } from '../program-file/session.ts'
import { report } from '../report.ts'
import { isStopped } from '../stopped.ts'
import { filled, programOption } from './options.ts'

const embedded = 'The embedded database is opened by the command itself: stop its server before.'

const byServer =
  'The running server does it; with DATABASE_URL, or if the server of an embedded database is stopped, the command does it itself.'

export const programFileCommands = (): Command[] => [
  new Command('export-program')
    .description('write a program with everything of it to a file, as a backup or for another installation')
    .addOption(programOption())
    .requiredOption('--file <file>', 'the file to write, such as acme.jsonl.gz', filled)
    .option('--key-file <file>', 'a file with a text of your own, which encrypts the secrets in the file', filled)
    .option(
      '--since <file>',
      'write only what has changed since an earlier file, which was imported ahead of a move',
      filled,
    )
    .option('--close', 'close the program to writes before, and leave it closed: for a move', false)
    .addHelpText('after', `\nThe program is written as it is at one moment; servers go on. ${embedded}`)
    .action((options) => report(() => exportProgram(options))),
  new Command('import-program')
    .description('add a program from a file, with the same ids and keys; all of it or nothing')
    .requiredOption('--file <file>', 'the file of export-program', filled)
    .option('--key-file <file>', 'the file that was given to the export', filled)
    .option(
      '--base',
      'import the program ahead of a move: it stays closed until what has changed since is imported',
      false,
    )
    .option('--closed', 'leave the program closed to writes', false)
    .option(
      '--keep-access',
      'keep API keys, members and open invitations of a foreign file, which are printed before; else keys are revoked, and members are invited',
      false,
    )
    .option('--yes', 'with --keep-access: do not ask', false)
    .addHelpText('after', `\nOther programs go on meanwhile. ${embedded}`)
    .action((options) => report(() => importProgramFile(options))),
  new Command('close-program')
    .description('reject writes to a program, at once and on all instances')
    .addOption(programOption())
    .addHelpText('after', `\nRequests that write get 503 with Retry-After; reads go on. ${byServer}`)
    .action(({ program }) => report(() => change(program, true))),
  new Command('open-program')
    .description('accept writes to a program again')
    .addOption(programOption())
    .addHelpText('after', `\n${byServer}`)
    .action(({ program }) => report(() => change(program, false))),
  new Command('program-routes')
    .description('print lines for the map of a proxy that lead to a program by its keys, its slug and its id')
    .addOption(programOption())
    .requiredOption('--cell <cell>', 'the name of the installation in the proxy', filled)
    .addHelpText('after', `\nSecret keys are printed as their SHA-256. See docs/scaling.md. ${embedded}`)
    .action(({ program, cell }) => report(() => routes(program, cell))),
]

const routes = (idOrSlug: string, cell: string): Promise<string> =>
  withStore(async ({ db }) => {
    const { findProgramByName } = await import('../../modules/programs/service.ts')
    const { routesOf } = await import('../../modules/program-files/routes.ts')
    const names = await routesOf(db, await findProgramByName({ db }, idOrSlug))
    return names.map((name) => `${name} ${cell}`).join('\n')
  })

/** By the running server; in the database itself with DATABASE_URL, or if the server of DATA_DIR is stopped. */
async function change(idOrSlug: string, isClosed: boolean): Promise<string> {
  const config = readConfig(process.env)
  if (config.databaseUrl || (!config.serverUrl && (await isStopped(config.dataDir))))
    return changeStored(idOrSlug, isClosed)
  const { program } = await mutate<{ program: { slug: string } }>(
    isClosed ? 'closeProgram' : 'openProgram',
    'program { slug }',
    { id: await programIdOf(idOrSlug) },
  )
  return stateOf(program, isClosed)
}

const stateOf = ({ slug }: { slug: string }, isClosed: boolean): string =>
  `The program ${slug} is ${isClosed ? 'closed to' : 'open for'} writes.`

const changeStored = (idOrSlug: string, isClosed: boolean): Promise<string> =>
  withStore(async (session) => {
    const { findProgramByName } = await import('../../modules/programs/service.ts')
    const program = await findProgramByName(session, idOrSlug)
    if (!isClosed && program.base !== null)
      throw new OperatorError(
        `The program ${program.slug} waits for what has changed at its source. Import that, or give up the move: delete-program --program ${program.slug}`,
      )
    await setClosed(session, program, isClosed)
    return stateOf(program, isClosed)
  })

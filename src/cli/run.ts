import { Command } from 'commander'
import { version } from '../kernel/package-root.ts'
import { branchCommand } from './commands/branch.ts'
import { databaseCommands } from './commands/database.ts'
import { devCommand } from './commands/dev.ts'
import { feedCommand } from './commands/feeds.ts'
import { importCommands } from './commands/import-files.ts'
import { keyCommands } from './commands/keys.ts'
import { mcpCommand } from './commands/mcp.ts'
import { mistakeCommands } from './commands/mistakes.ts'
import { moveCommand } from './commands/move.ts'
import { ProgramOption } from './commands/options.ts'
import { payoutCommands } from './commands/payouts.ts'
import { peopleCommands } from './commands/people.ts'
import { personalDataCommands } from './commands/personal-data.ts'
import { programFileCommands } from './commands/program-files.ts'
import { programCommands } from './commands/programs.ts'
import { reportCommands } from './commands/reports.ts'
import { rulesCommand } from './commands/rules.ts'
import { shadowCommand } from './commands/shadow.ts'
import { statusCommand } from './commands/status.ts'
import { upgradeCommand } from './commands/upgrade.ts'
import { webhookCommands } from './commands/webhooks.ts'
import { onlyProgram } from './mutate.ts'

const environment = `
Commands about programs, keys, webhooks, imports and the doctor send requests to the running server: at TRIBUTARY_URL,
at http://127.0.0.1:PORT, or where the server of DATA_DIR (default ./data) listens. They use ADMIN_TOKEN, or the
token in DATA_DIR.`

/** The command line: one program with a command for each task. An error is one message on stderr, with exit code 1. */
export async function run(args: readonly string[]): Promise<void> {
  const tributary = new Command('tributary')
    .description('Runs and manages a Tributary server.')
    .version(version, '-V, --version', 'print the version')
    .addHelpText('after', environment)
  const groups: Record<string, Command[]> = {
    'Server:': [startCommand(), statusCommand()],
    'Programs:': [...programCommands(), ...importCommands(), ...programFileCommands()],
    'Payouts and statements:': payoutCommands(),
    'Feeds:': [feedCommand(), shadowCommand()],
    'Commission rules:': [rulesCommand(), branchCommand()],
    'Reports:': reportCommands(),
    'Assistants:': [mcpCommand()],
    'API keys:': keyCommands(),
    'People:': peopleCommands(),
    'Personal data:': personalDataCommands(),
    'Mistakes:': mistakeCommands(),
    'Webhooks:': webhookCommands(),
    'Development:': [devCommand()],
    'Database:': [...databaseCommands(), moveCommand(), upgradeCommand()],
  }
  const commands = Object.entries(groups).flatMap(([group, members]) => members.map((one) => one.helpGroup(group)))
  for (const command of commands) tributary.addCommand(command)
  for (const command of [tributary, ...commands, ...commands.flatMap((one) => one.commands)]) {
    command.configureOutput({ outputError: (message, write) => write(sentence(message)) })
    checkRequiredLast(command)
    fillProgram(command)
    command.showHelpAfterError(`For usage: ${nameOf(command)} --help`)
  }
  await tributary.parseAsync(args, { from: 'user' })
}

const startCommand = (): Command =>
  new Command('start')
    .description('start the server')
    .option('--demo', 'add the demo program to the database, if it does not have it')
    .option('--events', 'with --demo: also record events of its data')
    // The server reads the command line itself.
    .action(async () => {
      process.setSourceMapsEnabled(true)
      await import('../main.ts')
    })

/** Commander reports a missing option first. A mistyped option is both, and its name is the better report. */
function checkRequiredLast(command: Command): void {
  const required = command.options.filter((option) => option.mandatory)
  for (const option of required) option.mandatory = false
  command.hook('preAction', () => {
    const missing = required.find((option) => command.getOptionValue(option.attributeName()) === undefined)
    if (missing) command.error(`error: required option '${missing.flags}' not specified`)
  })
}

/** Sets the only program of the installation, if the command is about a program and none is given. */
function fillProgram(command: Command): void {
  const option = command.options.find((one) => one instanceof ProgramOption)
  const name = option?.attributeName()
  if (name === undefined) return
  command.hook('preAction', async () => {
    if (command.getOptionValue(name) === undefined) command.setOptionValue(name, await onlyProgram())
  })
}

const nameOf = (command: Command) => [...ancestors(command), command.name()].join(' ')

const ancestors = ({ parent }: Command): string[] => (parent ? [...ancestors(parent), parent.name()] : [])

/** "error: unknown option" reads "Unknown option". */
function sentence(message: string): string {
  const text = message.replace(/^error: /, '')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

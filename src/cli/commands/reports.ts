import { Command } from 'commander'
import { mutate, programIdOf } from '../mutate.ts'
import { operate } from '../operate.ts'
import { reportResult } from '../report.ts'
import { exportCommand } from './export.ts'
import { filled, programOption, type ResultOptions, withJson } from './options.ts'
import { ratesCommand } from './rates.ts'

const fields = 'program_id: programId role since'

export const reportCommands = (): Command[] => [exportCommand(), reportsCommand(), ratesCommand()]

/** Who reads the data with other tools: the views of the schema `reports`. */
const reportsCommand = (): Command =>
  new Command('reports')
    .description('let BI tools read a program in the views of the schema reports (PostgreSQL)')
    .addCommand(
      withRole('grant', 'let a role of PostgreSQL read a program').action((options) => change('grantReports', options)),
    )
    .addCommand(withRole('revoke', 'take back what grant gave').action((options) => change('revokeReports', options)))
    .addCommand(
      withJson(new Command('list'))
        .description('list the roles that read a program')
        .addOption(programOption())
        .action(({ program, ...options }) => reportResult(options, () => listGrants(program))),
    )

const withRole = (name: string, description: string): Command =>
  withJson(new Command(name))
    .description(description)
    .addOption(programOption())
    .requiredOption('--role <role>', 'the name of the role', filled)

type Choice = ResultOptions & { program: string; role: string }

const change = (mutation: string, { json, program, role }: Choice) =>
  reportResult({ ...(json !== undefined && { json }) }, async () =>
    mutate(mutation, `grant { ${fields} }`, { programId: await programIdOf(program), role }),
  )

const listGrants = async (program: string) =>
  operate(`query ($programId: ID!) { grants: reportGrants(programId: $programId) { ${fields} } }`, {
    programId: await programIdOf(program),
  })

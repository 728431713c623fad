import { Command } from 'commander'
import { OperatorError } from '../../database/operator-error.ts'
import { mutate } from '../mutate.ts'
import { operate } from '../operate.ts'
import { report, reportResult } from '../report.ts'
import { filled, namedProgramOption, oneOf, programOption, withJson } from './options.ts'

const emailOption = ['--email <email>', 'the e-mail of the customer or the affiliate', filled] as const

export const personalDataCommands = (): Command[] => [
  new Command('export-person')
    .description('print all that a program stores about a customer or an affiliate, as JSON')
    .addOption(programOption())
    .requiredOption(...emailOption)
    .action(({ program, email }) => report(() => exportPerson(program, email))),
  withJson(new Command('erase-person'))
    .description('replace the personal data of a customer or an affiliate for ever; amounts stay')
    .addOption(namedProgramOption())
    .requiredOption(...emailOption)
    .option(
      '--open-money <answer>',
      'what happens to open money: PAY, KEEP or GIVE_UP',
      oneOf('PAY', 'KEEP', 'GIVE_UP'),
    )
    .option('--reason <text>', 'why the money is given up', filled)
    .option('--yes', 'erase it', false)
    .action(({ json, program, yes, ...input }) => reportResult({ json }, () => erasePerson(program, input, yes))),
]

async function exportPerson(program: string, email: string): Promise<string> {
  const query = 'query ($email: EmailAddress!) { exportPerson(email: $email) { json } }'
  const { exportPerson } = await operate<{ exportPerson: { json: string } }>(query, { email }, program)
  return JSON.stringify(JSON.parse(exportPerson.json), null, 2)
}

async function erasePerson(program: string, input: { email: string }, isConfirmed: boolean) {
  if (!isConfirmed)
    throw new OperatorError(
      `This erases the personal data of ${input.email} for ever. Nothing was erased. To confirm, add --yes.`,
    )
  const fields = 'customer_id: erasedCustomerId affiliate_id: erasedAffiliateId unattributed_sales: unattributedSales'
  return { erased_person: await mutate('erasePerson', fields, input, program) }
}

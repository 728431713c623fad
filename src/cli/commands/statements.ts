import { readFile } from 'node:fs/promises'
import { Command } from 'commander'
import {
  type CheckedStatement,
  type Jwks,
  statementsIn,
  verifyStatements,
} from '../../../clients/verifier/src/index.ts'
import { OperatorError } from '../../database/operator-error.ts'
import { readableAmount } from '../../kernel/money/decimals.ts'
import { mutate } from '../mutate.ts'
import { reportResult } from '../report.ts'
import { filled, programOption, withJson } from './options.ts'

const statementFields = `statements { id affiliate_id: affiliateId currency number opening: openingCents closing: closingCents }`

export const statementCommands = (): Command[] => [
  withJson(new Command('close-month'))
    .description('close a month that is over: write and sign the statements of all affiliates')
    .addOption(programOption())
    .requiredOption('--month <month>', 'such as 2026-10', filled)
    .action(({ json, program, month }) =>
      reportResult({ json }, () => mutate('closeMonth', statementFields, { month }, program)),
    ),
  verifyCommand(),
]

const verifyCommand = (): Command =>
  new Command('verify')
    .description('verify statements of affiliates, and compute their commissions again, without a server')
    .argument('<file...>', 'statements (.json), in the order of their months')
    .requiredOption('--keys <file>', 'the public keys: /.well-known/jwks.json of the service, saved as a file')
    .option('--quiet', 'print only what is wrong', false)
    .action(verify)

type Options = { keys: string; quiet: boolean }

async function verify(files: string[], { keys, quiet }: Options): Promise<void> {
  try {
    const jwks = (await jsonOf(keys)) as Jwks
    if (!Array.isArray(jwks?.keys))
      throw new OperatorError(`${keys} has no list \`keys\`: it is not a file of public keys.`)
    const given = []
    for (const file of files) given.push(...statementsIn(file, await jsonOf(file)))
    const { isGood, findings, statements } = await verifyStatements(given, jwks)
    if (!quiet) for (const statement of statements) console.log(textOf(statement))
    for (const { file, line, what } of findings)
      console.error(`${file}${line === null ? '' : `, line ${line}`}: ${what}`)
    if (!isGood) process.exitCode = 1
    else if (!quiet)
      console.log(
        `Good: ${statements.length === 1 ? 'the statement is' : `all ${statements.length} statements are`} genuine and unchanged.`,
      )
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    process.exitCode = 1
  }
}

async function jsonOf(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new OperatorError(`${file} cannot be read.`)
  })
  try {
    return JSON.parse(text)
  } catch {
    throw new OperatorError(`${file} is not JSON.`)
  }
}

/** What is no amount of money is shown as it is: a wrong statement can have anything there. */
function amountOf(cents: string, currency: string): string {
  try {
    return readableAmount(BigInt(cents), currency)
  } catch {
    return cents
  }
}

/** The steps of a commission stay in minor units, in which it was computed. */
function textOf({ lines, ...statement }: CheckedStatement): string {
  const { month, currency, affiliateName, affiliateId, openingCents, closingCents, keyId, sandbox, erasedTexts } =
    statement
  return [
    `${month}, ${currency.toUpperCase()}, ${affiliateName ?? affiliateId}, signed with ${keyId}`,
    ...(lines.some(({ steps }) => steps.length > 0) ? ['Commissions are computed again in minor units.'] : []),
    ...(sandbox ? ['This is a statement of a sandbox: nothing of it was ever owed.'] : []),
    ...(erasedTexts > 0 ? [`${erasedTexts} personal texts were erased.`] : []),
    `  opening balance ${amountOf(openingCents, currency)}`,
    ...lines.flatMap(({ number, text, amountCents, steps, note }) => [
      `  ${number}. ${text}: ${amountOf(amountCents, currency)}`,
      ...steps.map((step) => `       ${step}`),
      ...(note === null ? [] : [`       ${note}`]),
    ]),
    `  closing balance ${amountOf(closingCents, currency)}`,
  ].join('\n')
}

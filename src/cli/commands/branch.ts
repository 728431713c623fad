import { Command } from 'commander'
import { OperatorError } from '../../database/operator-error.ts'
import { mutate, onlyProgram } from '../mutate.ts'
import { OperationFailed, operate } from '../operate.ts'
import { reportResult } from '../report.ts'
import { filled, programOfFileOption, programOption, type ResultOptions, time, withJson } from './options.ts'
import { rulesOfFile } from './rules.ts'

const branchFields = `id name state since until rules: ruleNames attribution sales changed_sales: changedSales
  difference_count: differenceCount reason`
const table = `differences { affiliate { email } month currency before: beforeCents after: afterCents difference: differenceCents }`

type Created = ResultOptions & { program?: string; name: string; since: string; couponFirst?: boolean }
type Decided = ResultOptions & { program: string; reason?: string }

/** Another past of a program: what its sales would have earned, as corrections if a person accepts it. */
export const branchCommand = (): Command =>
  new Command('branch')
    .description('calculate what sales would have earned otherwise; accept it as corrections, or throw it away')
    .addCommand(
      withJson(new Command('create'))
        .description(
          'calculate a branch, and print what each affiliate would have earned in each month; no balance changes',
        )
        .argument(
          '[file]',
          'rules that are added, or that replace those of their name, as in a file of `rules plan`',
          filled,
        )
        .addOption(programOfFileOption())
        .requiredOption('--name <name>', 'what it tries', filled)
        .requiredOption('--since <time>', 'the sales that occurred from then on', time)
        .option('--coupon-first', 'a coupon decides first whose a sale is')
        .action((file: string | undefined, options: Created) => reportResult(options, () => create(file, options))),
    )
    .addCommand(
      withJson(new Command('show'))
        .description('print a branch, or all of them')
        .argument('[id]', 'its id', filled)
        .addOption(programOption())
        .action((id: string | undefined, options: Decided) => reportResult(options, () => show(id, options.program))),
    )
    .addCommand(
      withJson(new Command('accept'))
        .description('make the differences of a branch corrections in the open month')
        .argument('<id>', 'its id', filled)
        .addOption(programOption())
        .requiredOption('--reason <text>', 'why; affiliates see it', filled)
        .action((id: string, { program, reason, json }: Decided) =>
          reportResult({ json }, () => mutate('acceptBranch', `branch { ${branchFields} }`, { id, reason }, program)),
        ),
    )
    .addCommand(
      withJson(new Command('discard'))
        .description('throw a branch away')
        .argument('<id>', 'its id', filled)
        .addOption(programOption())
        .action((id: string, { program, json }: Decided) =>
          reportResult({ json }, () => mutate('discardBranch', `branch { ${branchFields} }`, { id }, program)),
        ),
    )

async function create(file: string | undefined, { program: given, name, since, couponFirst }: Created) {
  if (file === undefined && !couponFirst)
    throw new OperatorError('Say what changes: name a file of rules, or give --coupon-first.')
  const read = file === undefined ? null : await rulesOfFile(file, given)
  const program = read?.program ?? given ?? (await onlyProgram())
  const input = { name, since, ...(read && { rules: read.rules }), ...(couponFirst && { attribution: 'COUPON_FIRST' }) }
  try {
    return await mutate('createBranch', `branch { ${branchFields} ${table} }`, input, program)
  } catch (error) {
    throw read && error instanceof OperationFailed && error.problems.length > 0 ? read.errorOf(error.problems) : error
  }
}

const show = (id: string | undefined, program: string) =>
  id === undefined
    ? operate(`{ branches { ${branchFields} } }`, {}, program)
    : operate(`query ($id: ID!) { branch(id: $id) { ${branchFields} ${table} } }`, { id }, program)

import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { Command } from 'commander'
import { OperatorError } from '../../database/operator-error.ts'
import { decodeText, notText } from '../../kernel/csv-dialect.ts'
import { payoutMethods } from '../../modules/payout-methods/addresses.ts'
import { mutate } from '../mutate.ts'
import { operate } from '../operate.ts'
import { reportResult } from '../report.ts'
import { filled, idOption, oneOf, programOption, type ResultOptions, withJson } from './options.ts'
import { statementCommands } from './statements.ts'

const fields = `id state method currency payouts amount_cents: amountCents needs_approval: needsApproval reference reason
  skipped_count: skippedCount totals { state payouts amount_cents: amountCents }`

const methods = payoutMethods.map((method) => method.toUpperCase())

export const payoutCommands = (): Command[] => [
  withJson(new Command('create-payout-run'))
    .description('make a run of the payouts that can be paid, and write its file')
    .addOption(programOption())
    .requiredOption('--method <method>', methods.join(', '), oneOf(...methods))
    .option('--currency <code>', 'the currency (default: that of the program)', filled)
    .option('--as-of <time>', 'only payouts that were opened by this time', filled)
    .option('--out <path>', 'where the file is written to (default: its name, in this folder)', filled)
    .action((options) => reportResult(options, () => createRun(options))),
  withJson(new Command('list-payout-runs'))
    .description('list the payout runs, newest first')
    .addOption(programOption())
    .action((options) => reportResult(options, () => listRuns(options))),
  step('approve-payout-run', 'approve a run that somebody else made', 'approvePayoutRun'),
  step('send-payout-run', 'mark a run as sent to the service', 'markPayoutRunSent').option(
    '--reference <text>',
    'the reference of the payment',
    filled,
  ),
  step('pay-payout-run', 'mark the open payments of a run as paid', 'markPayoutRunPaid').option(
    '--reference <text>',
    'the reference of the payment',
    filled,
  ),
  step('cancel-payout-run', 'cancel the open payments of a run', 'cancelPayoutRun')
    .requiredOption('--reason <text>', 'why it is cancelled', filled)
    .option('--confirm-sent', 'the run was sent, and the payments are cancelled at the service'),
  withJson(new Command('import-payout-results'))
    .description('record the results of a run from the report of PayPal, Wise or a bank')
    .addOption(programOption())
    .addOption(idOption('the run'))
    .requiredOption('--file <path>', 'the report: a list, or the message of a bank', filled)
    .option('--dry-run', 'show what would be recorded, and record nothing')
    .action((options) => reportResult(options, () => importResults(options))),
  withJson(new Command('undo-payout'))
    .description('take back that a payout was marked as paid by mistake')
    .addOption(programOption())
    .addOption(idOption('the payout'))
    .requiredOption('--reason <text>', 'why it is not paid', filled)
    .action(({ json, program, ...input }) =>
      reportResult({ json }, () =>
        mutate('undoPayout', 'payout { id state amount_cents: amountCents currency }', input, program),
      ),
    ),
  ...statementCommands(),
]

/** A command that does one step of a run, until a large run has done it. */
const step = (name: string, description: string, mutation: string): Command =>
  withJson(new Command(name))
    .description(description)
    .addOption(programOption())
    .addOption(idOption('the run'))
    .action(({ json, program, ...input }) => reportResult({ json }, () => runStep(mutation, input, program)))

/** What a run is after a step, if nothing of it is left for another request. */
const doneStates: Record<string, readonly string[]> = {
  markPayoutRunSent: ['SENT', 'PAID'],
  markPayoutRunPaid: ['PAID', 'CANCELLED'],
  cancelPayoutRun: ['CANCELLED', 'PAID'],
}

type Answer = { payout_run: { id: string; state: string } }

async function runStep(mutation: string, input: object, program: string): Promise<Answer> {
  for (;;) {
    const answer = await mutate<Answer>(mutation, `payout_run: payoutRun { ${fields} }`, input, program)
    if ((doneStates[mutation] ?? [answer.payout_run.state]).includes(answer.payout_run.state)) return answer
  }
}

type NewRun = ResultOptions & { program: string; method: string; currency?: string; asOf?: string; out?: string }
type Made = { payout_run: { id: string; file: { name: string; content: string } | null } }

async function createRun({ program, out, json: _, ...input }: NewRun) {
  if (out && existsSync(out)) throw new Error(`${out} exists already. Nothing was done: name another file with --out.`)
  const payload = `payout_run: payoutRun { ${fields} file { name content } }`
  const { payout_run: made } = await mutate<Made>('createPayoutRun', payload, input, program)
  const { file, ...run } = made
  if (!file) return { payout_run: run }
  // Another run of the same day and method has the same name.
  const path = out ?? (existsSync(file.name) ? file.name.replace(/(\.\w+)$/, `-${run.id}$1`) : file.name)
  await writeFile(path, file.content, { flag: 'wx' })
  return { payout_run: { ...run, file: path } }
}

async function listRuns({ program }: ResultOptions & { program: string }) {
  const query = `{ list: payoutRuns(first: 100) { nodes { ${fields} created_at: createdAt } } }`
  const { list } = await operate<{ list: { nodes: object[] } }>(query, {}, program)
  return { payout_runs: list.nodes }
}

type StateTotal = { state: string; payouts: number; amount_cents: number }
type Imported = {
  remaining: number
  changed: number
  unchanged: number
  totals: StateTotal[]
  unmatched: object[]
  payout_run: object
}

/** Less than the largest body of a request. */
const mostCharacters = 400_000

async function importResults({
  program,
  id: runId,
  file,
  dryRun = false,
}: ResultOptions & { program: string; id: string; file: string; dryRun?: boolean }) {
  const payload = `changed unchanged remaining totals { state payouts amount_cents: amountCents }
    unmatched { line reason } payout_run: payoutRun { ${fields} }`
  const totals: StateTotal[] = []
  const total = { dry_run: dryRun, changed: 0, unchanged: 0, totals, unmatched: [] as object[], payout_run: {} }
  const text = decodeText(await readFile(file))
  if (text === null) throw new OperatorError(`${file} cannot be read. ${notText}`)
  for (const part of partsOf(text)) {
    for (let remaining = 1; remaining > 0; ) {
      const answer = await mutate<Imported>('importPayoutResults', payload, { runId, file: part, dryRun }, program)
      remaining = answer.remaining
      total.changed += answer.changed
      for (const added of answer.totals) addTotal(totals, added)
      total.payout_run = answer.payout_run
      if (remaining > 0) continue
      total.unchanged += answer.unchanged
      total.unmatched.push(...answer.unmatched)
    }
  }
  return total
}

function addTotal(totals: StateTotal[], { state, payouts, amount_cents }: StateTotal): void {
  const known = totals.find((total) => total.state === state)
  if (!known) totals.push({ state, payouts, amount_cents })
  else {
    known.payouts += payouts
    known.amount_cents += amount_cents
  }
}

/** A list in parts that each begin with its header. The message of a bank is XML, which is one part. */
function partsOf(text: string): string[] {
  if (text.trimStart().startsWith('<')) return [text]
  const [header = '', ...lines] = text.split(/\r?\n/)
  const parts: string[][] = [[]]
  let size = 0
  for (const line of lines) {
    size += line.length + 1
    if (size > mostCharacters) {
      parts.push([])
      size = line.length
    }
    parts.at(-1)?.push(line)
  }
  return parts.map((part) => [header, ...part].join('\n'))
}

import { readFile } from 'node:fs/promises'
import { Command } from 'commander'
import { OperatorError } from '../../database/operator-error.ts'
import { mutate } from '../mutate.ts'
import { reportResult } from '../report.ts'
import { filled, programOption, type ResultOptions, withJson } from './options.ts'

type Import = ResultOptions & { program: string; since?: string }

/** Exchange rates, by which totals are shown in another currency. */
export const ratesCommand = (): Command =>
  new Command('rates')
    .description('exchange rates, by which totals are shown in another currency; nothing is booked by them')
    .addCommand(
      withJson(new Command('import'))
        .description(
          'import a CSV file of the European Central Bank (eurofxref.csv or eurofxref-hist.csv), whole or not at all',
        )
        .argument('<file>', 'the file, unzipped', filled)
        .addOption(programOption())
        .option('--since <day>', 'only the days from then on, such as 2026-01-01', filled)
        .action((file: string, options: Import) => reportResult(options, () => importRates(file, options))),
    )

async function importRates(file: string, { program, since }: Import): Promise<object> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new OperatorError(`${file} cannot be read.`)
  })
  return mutate('importExchangeRates', 'rates: rateCount days: dayCount', { csv: daysSince(text, since) }, program)
}

/** Without the lines of earlier days. The bank's files begin with the newest day, so lines keep their numbers. */
const daysSince = (text: string, since: string | undefined): string =>
  since === undefined
    ? text
    : text
        .split('\n')
        .filter((line) => !/^\d{4}-/.test(line) || line.slice(0, 10) >= since)
        .join('\n')

import { Command } from 'commander'
import { operate } from '../operate.ts'
import { reportResult } from '../report.ts'
import { mutate } from './mutate.ts'
import { filled, programOption, type ResultOptions, withJson } from './options.ts'

export const shadowCommand = (): Command =>
  new Command('shadow')
    .description('compare a program with the service that it is to replace, and make it live')
    .addCommand(
      withJson(new Command('report'))
        .description('compare what the program computed with what the last import brought')
        .addOption(programOption())
        .action((options) => reportResult(options, () => report(options))),
    )
    .addCommand(
      withJson(new Command('end'))
        .description('make the program live, with the open balances of the other service')
        .addOption(programOption())
        .option('--at <time>', 'sales since then count here (default: when the last import began)', filled)
        .action((options) => reportResult(options, () => end(options))),
    )

type OfProgram = ResultOptions & { program: string }

async function report({ program }: OfProgram): Promise<object> {
  const query = `{ shadow: shadowReport { agreeing differing
    months { affiliate: affiliateEmail month currency ours: oursCents theirs: theirsCents }
    differences { sale: saleExternalId affiliate: affiliateEmail currency ours: oursCents theirs: theirsCents reason text } } }`
  return (await operate<{ shadow: object }>(query, {}, program)).shadow
}

const end = ({ program, at }: OfProgram & { at?: string }): Promise<object> =>
  mutate(
    'endShadow',
    'taken_over: takenOver voided not_taken_over: notTakenOver { commission: externalId message } program { slug ended_at: shadowEndedAt }',
    { at },
    program,
  )

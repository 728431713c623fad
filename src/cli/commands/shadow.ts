import { Command, Option } from 'commander'
import { mutate } from '../mutate.ts'
import { operate } from '../operate.ts'
import { reportResult } from '../report.ts'
import { filled, programOption, type ResultOptions, time, withJson } from './options.ts'

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
      withJson(new Command('accept'))
        .description('accept differences, so that the report lists them apart')
        .argument('<keys...>', 'the keys of the differences, as the report shows them')
        .addOption(programOption())
        .addOption(
          new Option('--as <whom>', 'who is right, or that a setting is to be changed; open: it is open again')
            .choices(['ours', 'theirs', 'setting', 'open'])
            .makeOptionMandatory(),
        )
        .option('--note <text>', 'what to remember about it', filled)
        .action((keys, options) => reportResult(options, () => accept(keys, options))),
    )
    .addCommand(
      withJson(new Command('end'))
        .description('make the program live, with the open balances of the other service')
        .addOption(programOption())
        .option('--at <time>', 'sales since then count here (default: when the last import began)', time)
        .action((options) => reportResult(options, () => end(options))),
    )

type OfProgram = ResultOptions & { program: string }

type Accepted = { accepted: { as: string; note: string | null; at: string } }

async function report({ program }: OfProgram): Promise<object> {
  const difference =
    'key sale: saleExternalId affiliate: affiliateEmail currency ours: oursCents theirs: theirsCents reason text'
  const query = `{ shadow: shadowReport { agreeing differing accepted
    months { affiliate: affiliateEmail month currency ours: oursCents theirs: theirsCents open }
    differences { ${difference} } accepted_differences: acceptedDifferences { ${difference} accepted { as note at } } } }`
  const { shadow } = await operate<{ shadow: { accepted_differences: Accepted[] } }>(query, {}, program)
  const flat = shadow.accepted_differences.map(({ accepted: { as, note, at }, ...one }) => ({ ...one, as, note, at }))
  return { ...shadow, accepted_differences: flat }
}

type Accept = OfProgram & { as: string; note?: string }

async function accept(keys: string[], { program, as, note }: Accept): Promise<object> {
  const isOpened = as === 'open'
  const { keys: done } = isOpened
    ? await mutate<{ keys: string[] }>('reopenShadowDifferences', 'keys', { keys }, program)
    : await mutate<{ keys: string[] }>('acceptShadowDifferences', 'keys', { keys, as: as.toUpperCase(), note }, program)
  return { [isOpened ? 'opened' : 'accepted']: done.length }
}

const end = ({ program, at }: OfProgram & { at?: string }): Promise<object> =>
  mutate(
    'endShadow',
    'taken_over: takenOver voided not_taken_over: notTakenOver { commission: externalId message } program { slug ended_at: shadowEndedAt }',
    { at },
    program,
  )

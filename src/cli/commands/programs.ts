import { Command, Option } from 'commander'
import { OperatorError } from '../../database/operator-error.ts'
import { leaderboardShows } from '../../modules/programs/input.ts'
import { confirmSlug } from '../confirm.ts'
import { findProgram, mutate, programIdOf } from '../mutate.ts'
import { operate } from '../operate.ts'
import { reportResult } from '../report.ts'
import { createKey } from './keys.ts'
import { filled, namedProgramOption, number, programOption, type ResultOptions, withJson } from './options.ts'

const fields =
  'id name url currency locale time_zone: timeZone slug leaderboard_shows: leaderboardShows publishable_key: publishableKey sandbox: isSandbox clock created_at: createdAt'

export const programCommands = (): Command[] => [
  withJson(new Command('create-program'))
    .description('create a program with its default campaign and a first API key')
    .requiredOption('--name <name>', 'the name of the program', filled)
    .requiredOption('--url <url>', 'the website of the program', filled)
    .requiredOption('--currency <code>', 'the currency of sales that give none, such as usd', filled)
    .option('--commission-percent <percent>', 'what the default campaign pays (default: 20)', number)
    .option('--locale <tag>', 'how pages write money, dates and counts, such as de-DE (default: en-US)')
    .option('--time-zone <name>', 'whose months and years caps and tiers are counted in (default: UTC)')
    .option('--slug <slug>', 'identifies the program in links (default: made from the name)')
    .option('--sandbox', 'a program with its own clock, which can be advanced', false)
    .action((options) => reportResult(options, () => createProgram(options))),
  withJson(new Command('list-programs'))
    .description('list all programs, newest first')
    .action((options) => reportResult(options, () => operate(`{ programs { ${fields} } }`))),
  withJson(new Command('update-program'))
    .description('change the name, website, currency, locale, time zone, slug or leaderboard of a program')
    .addOption(programOption())
    .option('--name <name>', 'the name of the program', filled)
    .option('--url <url>', 'the website of the program', filled)
    .option('--currency <code>', 'the currency of sales that give none, such as usd', filled)
    .option('--locale <tag>', 'how pages write money, dates and counts, such as de-DE', filled)
    .option('--time-zone <name>', 'whose months and years caps and tiers are counted in, such as Europe/Berlin', filled)
    .option('--slug <slug>', 'identifies the program in links: links with the old one stop working', filled)
    .addOption(
      new Option('--leaderboard <what>', 'what affiliates see of each other in the portal').choices(leaderboardShows),
    )
    .action((options) => reportResult(options, () => updateProgram(options))),
  withJson(new Command('rotate-publishable-key'))
    .description('create a new publishable key; the previous one is accepted for some hours more')
    .addOption(programOption())
    .option('--keep-old-for-hours <hours>', 'how long the previous key is accepted (default: 24)', number)
    .action((options) => reportResult(options, () => rotatePublishableKey(options))),
  withJson(new Command('advance-clock'))
    .description('move the clock of a sandbox: commissions become due, referrals expire')
    .addOption(programOption())
    .requiredOption('--days <days>', 'the number of days', number)
    .action((options) => reportResult(options, () => advanceClock(options))),
  withJson(new Command('delete-program'))
    .description('delete a program with everything of it; this cannot be undone')
    .addOption(namedProgramOption())
    .option('--yes', 'do not ask, and delete the record of paid payouts too', false)
    .action((options) => reportResult(options, () => deleteProgram(options))),
]

type NewProgram = ResultOptions & { name: string; url: string; currency: string; sandbox: boolean }

async function createProgram({ json: _, sandbox: isSandbox, ...given }: NewProgram) {
  const input = { ...given, isSandbox }
  const created = await mutate<{ program: { id: string } }>('createProgram', `program { ${fields} }`, input)
  return { ...created, ...(await createKey(created.program.id, { name: 'First key' })) }
}

type ProgramChanges = ResultOptions & { program: string; leaderboard?: string }

async function updateProgram({ json: _, program, leaderboard, ...given }: ProgramChanges) {
  const changes = { ...given, ...(leaderboard !== undefined && { leaderboardShows: leaderboard.toUpperCase() }) }
  if (Object.keys(changes).length === 0) throw new OperatorError('Nothing to change. Name a new value, such as --name.')
  return mutate('updateProgram', `program { ${fields} }`, { id: await programIdOf(program), ...changes })
}

async function rotatePublishableKey(options: { program: string; keepOldForHours?: number }) {
  const { program, keepOldForHours } = options
  const payload = `program { ${fields} previous_publishable_key_ends_at: previousPublishableKeyEndsAt }`
  return mutate('rotatePublishableKey', payload, { programId: await programIdOf(program), keepOldForHours })
}

async function advanceClock({ program, days }: { program: string; days: number }) {
  return mutate('advanceClock', `program { ${fields} }`, { programId: await programIdOf(program), days })
}

async function deleteProgram({ program: idOrSlug, yes }: { program: string; yes: boolean }) {
  const { id, slug, name } = await findProgram(idOrSlug)
  if (!yes) await confirmSlug(`This deletes the program "${name}" with everything of it, for ever.`, slug)
  const payload = 'id: deletedProgramId slug deleted_rows: deletedRows'
  return {
    deleted_program: await mutate('deleteProgram', payload, { id, confirmSlug: slug, confirmPaidPayouts: yes }),
  }
}

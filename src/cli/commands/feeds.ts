import { Command } from 'commander'
import { OperatorError } from '../../database/operator-error.ts'
import { backfill } from '../feeds/backfill.ts'
import { setPaused } from '../feeds/pause.ts'
import { mutate } from '../mutate.ts'
import { operate } from '../operate.ts'
import { startProgressLine } from '../progress-line.ts'
import { reportResult } from '../report.ts'
import { filled, programOption, type ResultOptions, time, withJson } from './options.ts'

const feedOption = ['--feed <id>', 'the id of the feed (default: the only one of the program)', filled] as const

export const feedCommand = (): Command =>
  new Command('feed')
    .description('explain, derive again and back-fill events of billing systems')
    .addCommand(
      withJson(new Command('explain'))
        .description(
          'what became of everything that mentions an id of the billing system: an invoice, a charge, a customer',
        )
        .argument('<id>', 'the id, such as in_1001', filled)
        .addOption(programOption())
        .action((id, options) => reportResult(options, () => explain(id, options))),
    )
    .addCommand(
      withJson(new Command('rederive'))
        .description('read stored events again, and apply what differs as corrections')
        .addOption(programOption())
        .option(...feedOption)
        .option('--since <time>', 'only events that were received since this time', time)
        .option('--dry-run', 'only show what would change', false)
        .action((options) => reportResult(options, async () => rederive({ ...options, feed: await feedOf(options) }))),
    )
    .addCommand(
      withJson(new Command('backfill'))
        .description("read past payments from Stripe's API, with a read-only key")
        .addOption(programOption())
        .option(...feedOption)
        .requiredOption('--since <date>', 'only what was created since this day, such as 2025-01-01', filled)
        .requiredOption('--key-file <path>', 'a file with the key', filled)
        .option('--api <url>', 'the base address of the API', filled, 'https://api.stripe.com')
        .option('--account <id>', 'a connected account, with the key of its platform', filled)
        .option('--state <path>', 'where it is noted how far it came (default: feed-backfill-<feed>.json)', filled)
        .option('--dry-run', 'only show what would be recorded', false)
        .action((options) => reportResult(options, async () => backfill({ ...options, feed: await feedOf(options) }))),
    )
    .addCommand(pauseCommand('pause', 'store events of a feed, but derive nothing from them until it is resumed', true))
    .addCommand(pauseCommand('resume', 'derive from the events of a paused feed again', false))

const pauseCommand = (name: string, description: string, isPaused: boolean): Command =>
  withJson(new Command(name))
    .description(description)
    .requiredOption('--feed <id>', 'the id of the feed: the end of its address', filled)
    .option('--program <program>', 'the slug or the id of its program (default: it is looked for)', filled)
    .addHelpText('after', '\nIt works while the service is down too: then the command opens the database itself.')
    .action((options) => reportResult(options, () => setPaused(options, isPaused)))

type OfProgram = ResultOptions & { program: string }

type Feeds = { totalCount: number; nodes: { id: string; name: string }[] }

/** The id of the feed that is given, or of the only one. @throws OperatorError if there are others, or none */
async function feedOf({ program, feed }: OfProgram & { feed?: string }): Promise<string> {
  if (feed !== undefined) return feed
  const query = '{ feeds(first: 20) { totalCount nodes { id name } } }'
  const { feeds } = await operate<{ feeds: Feeds }>(query, {}, program)
  const [only, another] = feeds.nodes
  if (!only) throw new OperatorError('The program has no feed. Create one in the dashboard: Developers → Feeds')
  if (another) {
    const named = feeds.nodes.map(({ id, name }) => `${id} (${name})`)
    throw new OperatorError(`The program has ${feeds.totalCount} feeds. Add --feed with one of: ${named.join(', ')}`)
  }
  return only.id
}
type Explained = { sale: { external_id: string } | null }

async function explain(id: string, { program }: OfProgram) {
  const query = `query ($id: String!) { list: feedEventsAbout(externalId: $id) {
    event: externalId type received_at: receivedAt outcome reason sale { external_id: externalId } } }`
  const { list } = await operate<{ list: Explained[] }>(query, { id }, program)
  return { events: list.map(({ sale, ...event }) => ({ ...event, sale: sale?.external_id ?? null })) }
}

type Rederive = OfProgram & { feed: string; since?: string; dryRun: boolean }

type Total = { change: string; count: number }
type Rederived = { events: number; next: string | null; totals: Total[]; differences: object[] }

/** How many differences are shown. All are counted. */
const mostShown = 500

/** Calls until all events are read: a call ends after some seconds. */
async function rederive({ program, feed: feedId, since, dryRun }: Rederive) {
  const fields = 'events next totals { change count } differences { sale: saleExternalId what }'
  const counts = new Map<string, number>()
  const differences: object[] = []
  const progress = startProgressLine()
  let events = 0
  for (let after: string | null | undefined; after !== null; ) {
    const done: Rederived = await mutate('rederiveFeed', fields, { feedId, since, dryRun, after }, program)
    events += done.events
    for (const { change, count } of done.totals) counts.set(change, (counts.get(change) ?? 0) + count)
    differences.push(...done.differences.slice(0, mostShown - differences.length))
    after = done.next
    progress.show(`${events} events read again`)
  }
  progress.end()
  const totals = [...counts].map(([change, count]) => ({ change, count }))
  return { events, dry_run: dryRun, totals, differences }
}

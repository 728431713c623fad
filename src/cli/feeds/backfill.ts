import { readFile, rm, writeFile } from 'node:fs/promises'
import { OperatorError } from '../../database/operator-error.ts'
import { mutate } from '../commands/mutate.ts'
import { startProgressLine } from '../progress-line.ts'
import { collectByCustomer } from './by-customer.ts'
import { type StripeList, stripeLists } from './lists.ts'
import { readPage, type StripeApi, type StripePage } from './stripe-api.ts'

type Options = {
  program: string
  feed: string
  since: string
  api: string
  account?: string
  keyFile: string
  state?: string
  dryRun: boolean
}
type Differences = { sale: string; what: string }[]
type Sent = { stored: number; known: number; differences: Differences }

/** Where a run is: the list, and the last object of it that was sent. */
type Place = { list: number; after?: string | undefined; stored: number; known: number }

/** Reads past payments from the API, and sends them to the feed. Goes on where an earlier run stopped. */
export async function backfill(options: Options) {
  const { feed, since, dryRun, account, state = `feed-backfill-${feed}.json` } = options
  const from = Date.parse(since)
  if (Number.isNaN(from)) throw new OperatorError('--since is not a date. Write 2025-01-01.')
  const api = { base: options.api.replace(/\/$/, ''), key: await readKey(options.keyFile), account }
  const place: Place = dryRun ? start() : await readPlace(state)
  const collected = collectByCustomer()
  const unread: string[] = []
  const progress = startProgressLine()
  let read = 0
  for await (const { list, page } of pagesOf(api, Math.floor(from / 1000), place)) {
    if (page === null) unread.push(list.path)
    const events = page?.data.flatMap(list.eventsOf).map((event) => (account ? { ...event, account } : event)) ?? []
    read += events.length
    if (dryRun) {
      for (const event of events) collected.add(event)
      progress.show(`${list.path}: ${read} events read`)
      continue
    }
    for (const part of partsOf([events.map((event) => JSON.stringify(event))])) {
      const sent = await send(options, part)
      place.stored += sent.stored
      place.known += sent.known
    }
    await writeFile(state, JSON.stringify(place))
    progress.show(`${list.path}: ${place.stored} new events, ${place.known} known`)
  }
  const differences: Differences = []
  let tried = 0
  if (dryRun) {
    for (const part of partsOf(collected.groups())) {
      differences.push(...(await send(options, part)).differences)
      tried += part.length
      progress.show(`${tried} of ${read} events tried`)
    }
  }
  progress.end()
  if (!dryRun) await rm(state, { force: true })
  const { stored, known } = place
  return { stored, known, dry_run: dryRun, not_readable: unread.join(' ') || null, differences }
}

/** All pages from a place on. `place` is that after the page, so it can be kept once the page is sent. */
async function* pagesOf(
  api: StripeApi,
  since: number,
  place: Place,
): AsyncGenerator<{ list: StripeList; page: StripePage | null }> {
  for (; place.list < stripeLists.length; Object.assign(place, { list: place.list + 1, after: undefined })) {
    const list = stripeLists[place.list] as StripeList
    for (let hasMore = true; hasMore; ) {
      const created = list.isWhole ? '' : `&created[gte]=${since}`
      const cursor = place.after ? `&starting_after=${encodeURIComponent(place.after)}` : ''
      const page = await readPage(api, `${list.path}?limit=100${created}${list.more}${cursor}`)
      const last = page?.data.at(-1)
      hasMore = page?.has_more === true && last !== undefined
      if (last) place.after = last.id
      if (last || page === null) yield { list, page }
    }
  }
}

const readKey = (path: string): Promise<string> =>
  readFile(path, 'utf8').then(
    (text) => text.trim(),
    () => {
      throw new OperatorError(`There is no key in ${path}. Write a restricted key of Stripe that can read into it.`)
    },
  )

const start = (): Place => ({ list: 0, stored: 0, known: 0 })

async function readPlace(path: string): Promise<Place> {
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text === null) return start()
  try {
    return { ...start(), ...(JSON.parse(text) as Place) }
  } catch {
    throw new OperatorError(`${path} cannot be read. Delete it to begin again.`)
  }
}

/** What one request may have, in characters of JSON and in events. */
const largestPart = 400_000
const mostEvents = 500

/** Puts events together for requests. Those of a group stay together as far as they fit. */
function* partsOf(groups: Iterable<string[]>): Generator<string[]> {
  let part: string[] = []
  let size = 0
  for (const group of groups) {
    const length = group.reduce((sum, event) => sum + event.length, 0)
    const isFull = (more: number, count: number) => size + more > largestPart || part.length + count > mostEvents
    const isWhole = length <= largestPart && group.length <= mostEvents
    for (const [index, event] of group.entries()) {
      const startsGroup = isWhole && index === 0 && isFull(length, group.length)
      if (part.length > 0 && (startsGroup || isFull(event.length, 1))) {
        yield part
        part = []
        size = 0
      }
      part.push(event)
      size += event.length
    }
  }
  if (part.length > 0) yield part
}

const send = ({ feed: feedId, program, dryRun }: Options, events: string[]): Promise<Sent> =>
  mutate(
    'backfillFeed',
    'stored known differences { sale: saleExternalId what }',
    { feedId, events: `[${events.join(',')}]`, dryRun },
    program,
  )
